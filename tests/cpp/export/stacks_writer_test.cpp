#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <limits>
#include <sstream>

#include <jfrtree/export.hpp>

#include "export/written.hpp"
#include "profile/make_profile.hpp"

using namespace jfrtree;
using jfrtree::test::make_profile;
using jfrtree::test::Stack;

namespace {

std::string stacks_text(const std::vector<Profile>& profiles) {
  return test::written([&](Output& output) { write_stacks(output, profiles); });
}

std::vector<nlohmann::json> parse_lines(const std::string& text) {
  std::istringstream lines(text);
  std::vector<nlohmann::json> objects;
  for (std::string line; std::getline(lines, line);) {
    objects.push_back(nlohmann::json::parse(line));
  }
  return objects;
}

}  // namespace

TEST_CASE("write_stacks writes one object per stack with its keys in order") {
  CHECK(stacks_text({make_profile("Main.main;Main.run;byte[] 12 49152\nMain.main 1 16")}) ==
        "{\"kind\":\"alloc\",\"stack\":[\"Main.main\"],\"count\":1,\"value\":16}\n"
        "{\"kind\":\"alloc\",\"stack\":[\"Main.main\",\"Main.run\",\"byte[]\"],\"count\":12,"
        "\"value\":49152}\n");
}

TEST_CASE("write_stacks leaves out the value where it is unknown, and keeps zeros") {
  const Profile profile = make_profile({{{"a"}, 3, {}}, {{"b"}, 0, 0}, {{"c"}, 1, 7}});
  CHECK(stacks_text({profile}) ==
        "{\"kind\":\"alloc\",\"stack\":[\"a\"],\"count\":3}\n"
        "{\"kind\":\"alloc\",\"stack\":[\"b\"],\"count\":0,\"value\":0}\n"
        "{\"kind\":\"alloc\",\"stack\":[\"c\"],\"count\":1,\"value\":7}\n");
}

TEST_CASE("write_stacks sorts by kind, then frame by frame, a prefix first") {
  CHECK(stacks_text({make_profile("a;b 1\na 2\na$;b 3", "lock"), make_profile("z 9", "cpu"),
                     make_profile("", "alloc")}) ==
        "{\"kind\":\"cpu\",\"stack\":[\"z\"],\"count\":9}\n"
        "{\"kind\":\"lock\",\"stack\":[\"a\"],\"count\":2}\n"
        "{\"kind\":\"lock\",\"stack\":[\"a\",\"b\"],\"count\":1}\n"
        "{\"kind\":\"lock\",\"stack\":[\"a$\",\"b\"],\"count\":3}\n");
}

TEST_CASE("write_stacks writes the thread frame as thread and sorts by stack, then thread") {
  Profile profile = make_profile({{{"[main tid=1]", "b"}, 1, {}},
                                  {{"[main tid=1]", "a", "c"}, 2, {}},
                                  {{"[pool [x] tid=2]", "a", "c"}, 3, {}},
                                  {{"[pool [x] tid=2]", "a"}, 4, {}},
                                  {{"[\"q\"]", "b"}, 5, {}}},
                                 "cpu");
  profile.has_thread_frame = true;
  CHECK(stacks_text({profile}) ==
        R"({"kind":"cpu","stack":["a"],"thread":"pool [x] tid=2","count":4})"
        "\n"
        R"({"kind":"cpu","stack":["a","c"],"thread":"main tid=1","count":2})"
        "\n"
        R"({"kind":"cpu","stack":["a","c"],"thread":"pool [x] tid=2","count":3})"
        "\n"
        R"({"kind":"cpu","stack":["b"],"thread":"\"q\"","count":5})"
        "\n"
        R"({"kind":"cpu","stack":["b"],"thread":"main tid=1","count":1})"
        "\n");
}

TEST_CASE("write_stacks of no profile and of empty ones is empty") {
  CHECK(stacks_text({}).empty());
  CHECK(stacks_text({make_profile(""), Profile{}}).empty());
}

TEST_CASE("write_stacks parses back to the same frames and numbers") {
  constexpr std::uint64_t huge = std::numeric_limits<std::uint64_t>::max();
  const std::string name = test::hostile_name();
  const Profile profile =
      make_profile({{{name, "b", name}, huge, huge}, {{name, "b"}, 1, {}}, {{"x"}, 2, 3}}, "a\"b");
  const auto objects = parse_lines(stacks_text({profile}));
  REQUIRE(objects.size() == 3);
  std::vector<Stack> stacks;
  for (const nlohmann::json& object : objects) {
    CHECK(object.at("kind") == "a\"b");
    Stack stack{object.at("stack"), object.at("count"), {}};
    if (object.contains("value")) {
      stack.value = object.at("value");
    }
    stacks.push_back(stack);
  }
  CHECK(stacks == test::stacks_of(profile));
}

TEST_CASE("write_stacks writes deep and wide profiles") {
  std::vector<Stack> stacks{{std::vector<std::string>(100'000, "recurse"), 1, {}}};
  for (int i = 0; i < 100'000; ++i) {
    stacks.push_back({{"a", "child" + std::to_string(i)}, 1, {}});
  }
  const auto objects = parse_lines(stacks_text({make_profile(std::move(stacks))}));
  REQUIRE(objects.size() == 100'001);
  CHECK(objects.front().at("stack") == nlohmann::json{"a", "child0"});
  CHECK(objects.back().at("stack").size() == 100'000);
}
