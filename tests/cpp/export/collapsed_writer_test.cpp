#include "export/collapsed_writer.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <sstream>

#include <jfrtree/export.hpp>
#include <jfrtree/input.hpp>

#include "export/written.hpp"
#include "io/bytes.hpp"
#include "profile/collapsed_reader.hpp"
#include "profile/make_profile.hpp"

using namespace jfrtree;
using jfrtree::test::make_profile;
using jfrtree::test::Stack;

namespace {

std::string collapsed_text(const Profile& profile, std::size_t sample_type = 0) {
  return test::written([&](Output& output) { write_collapsed(output, profile, sample_type); });
}

std::string collapsed_text(const CallTree& tree, std::size_t sample_type = 0) {
  return test::written(
      [&](Output& output) { internal::write_collapsed_tree(output, tree, sample_type); });
}

/// The stacks that our own reader finds.
std::vector<Stack> read_back(const std::string& text) {
  std::vector<Stack> stacks;
  const auto input = memory_input(internal::as_bytes(text));
  internal::read_collapsed(
      *input, {},
      [&](const internal::CollapsedLine& line) {
        stacks.push_back({{line.frames.begin(), line.frames.end()}, line.count, {}});
      },
      [](const Problem& problem) { FAIL_CHECK(to_string(problem)); });
  return stacks;
}

}  // namespace

TEST_CASE("write_collapsed writes a line per stack, sorted frame by frame") {
  CHECK(collapsed_text(make_profile("a;c;d 1\na;b;e 1\na;c 2\na$b 5\na 7")) ==
        "a 7\na;b;e 1\na;c 2\na;c;d 1\na$b 5\n");
}

TEST_CASE("write_collapsed writes the sample type asked for, without zeros") {
  const Profile profile = make_profile("a;b 1 0\na;c 2 40\nb 0 5");
  CHECK(collapsed_text(profile, 0) == "a;b 1\na;c 2\n");
  CHECK(collapsed_text(profile, 1) == "a;c 40\nb 5\n");
}

TEST_CASE("write_collapsed replaces what would break a line") {
  CHECK(collapsed_text(make_profile({{{"#a;b", "c\nd 1", "e\r"}, 2, {}}})) ==
        "\xEF\xBC\x83"
        "a\xCD\xBE"
        "b;c\xE2\x90\xA4"
        "d 1;e\xE2\x90\x8D 2\n");
}

TEST_CASE("write_raw_collapsed leaves frames as they are") {
  const Profile profile = make_profile({{{"#a;b", "c\nd 1"}, 2, {}}, {{"x"}, 0, {}}});
  CHECK(test::written([&](Output& output) { write_raw_collapsed(output, profile, 0); }) ==
        "#a;b;c\nd 1 2\n");
}

TEST_CASE("write_collapsed of an empty profile is empty") {
  CHECK(collapsed_text(make_profile("")).empty());
  CHECK(collapsed_text(Profile{}).empty());
  CHECK(collapsed_text(build_call_tree(make_profile(""))).empty());
}

TEST_CASE("collapsed stacks with hostile names and huge numbers read back as they were") {
  constexpr std::uint64_t huge = std::numeric_limits<std::uint64_t>::max();
  const std::string name = test::hostile_name();
  const Profile profile = make_profile({{{name}, huge, {}},
                                        {{name, "a"}, 1, {}},
                                        {{name, "a", name, ""}, 2, {}},
                                        {{""}, 3, {}},
                                        {{"", ""}, 4, {}},
                                        {{"a 12", "b 7"}, 5, {}},
                                        {{" ", "  "}, 6, {}},
                                        {{"# no comment"}, 7, {}},
                                        {{"\xCD\xBE\xEF\xB8\x8E;", "\r"}, 8, {}}});
  CHECK(read_back(collapsed_text(profile)) == test::stacks_of(profile));
}

TEST_CASE("collapsed stacks of a deep and a wide profile read back as they were") {
  std::vector<Stack> stacks{{std::vector<std::string>(100'000, "recurse"), 1, {}},
                            {std::vector<std::string>(99'999, "recurse"), 2, {}}};
  for (int i = 0; i < 100'000; ++i) {
    stacks.push_back({{"a", "child" + std::to_string(i)}, 3, {}});
  }
  const Profile profile = make_profile(std::move(stacks));
  CHECK(read_back(collapsed_text(profile)) == test::stacks_of(profile));
}

TEST_CASE("collapsed stacks of a tree are those of its profile") {
  const Profile profile = make_profile("a;c;d 1 9\na;b;e 1 0\na;c 2 4\na$b 5 1\na 7 2");
  const CallTree tree = build_call_tree(profile);
  CHECK(collapsed_text(tree, 0) == collapsed_text(profile, 0));
  CHECK(collapsed_text(tree, 1) == collapsed_text(profile, 1));
}

TEST_CASE("collapsed stacks of a pruned or reversed tree keep the total") {
  const CallTree tree = build_call_tree(make_profile("a;b 10\na;c 3\na;d 2\ne 5"));
  // a 15, b 10 stay.
  CHECK(collapsed_text(prune(tree, {.max_nodes = 2})) == "a;b 10\na;(other) 5\n(other) 5\n");
  CHECK(collapsed_text(build_call_tree(make_profile("a;b 10\na;c 3\nb 1"), true)) ==
        "b 1\nb;a 10\nc;a 3\n");
}
