#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <limits>

#include <jfrtree/export.hpp>

#include "export/written.hpp"
#include "profile/make_profile.hpp"

using namespace jfrtree;
using jfrtree::test::make_profile;
using jfrtree::test::Stack;

namespace {

std::string tree_json(const CallTree& tree, std::size_t sample_type = 0) {
  return test::written([&](Output& output) { write_tree(output, tree, sample_type); });
}

}  // namespace

TEST_CASE("write_tree nests objects with name, self, total and children") {
  CHECK(tree_json(build_call_tree(make_profile("a;b;e 1\na;c 2\nd 3"))) ==
        R"({"name":"total","self":0,"total":6,"children":[)"
        R"({"name":"a","self":0,"total":3,"children":[)"
        R"({"name":"b","self":0,"total":1,"children":[)"
        R"({"name":"e","self":1,"total":1,"children":[]}]},)"
        R"({"name":"c","self":2,"total":2,"children":[]}]},)"
        R"({"name":"d","self":3,"total":3,"children":[]}]})"
        "\n");
}

TEST_CASE("write_tree of an empty profile is the root") {
  CHECK(tree_json(build_call_tree(make_profile(""))) ==
        "{\"name\":\"total\",\"self\":0,\"total\":0,\"children\":[]}\n");
}

TEST_CASE("write_tree leaves out nodes that the sample type does not reach") {
  const CallTree tree = build_call_tree(make_profile("a;b 1 0\na;c;d 0 9\ne 2 0"));
  const auto count = nlohmann::json::parse(tree_json(tree, 0));
  CHECK(count.at("children").size() == 2);
  CHECK(count.at("children").at(0).at("children").size() == 1);
  const auto value = nlohmann::json::parse(tree_json(tree, 1));
  REQUIRE(value.at("children").size() == 1);
  CHECK(value.at("children").at(0).at("children").at(0).at("children").at(0).at("name") == "d");
}

TEST_CASE("write_tree with hostile names and huge numbers parses back") {
  const std::string name = test::hostile_name();
  const auto root = nlohmann::json::parse(tree_json(build_call_tree(
      make_profile({{{name, name}, std::numeric_limits<std::uint64_t>::max(), {}}}))));
  const auto& child = root.at("children").at(0);
  CHECK(child.at("name").get<std::string>() == name);
  CHECK(child.at("total").dump() == "18446744073709551615");
  CHECK(child.at("children").at(0).at("self").dump() == "18446744073709551615");
}

TEST_CASE("write_tree writes a tree of depth 100,000 without recursion") {
  const std::string text = tree_json(
      build_call_tree(make_profile({{std::vector<std::string>(100'000, "recurse"), 1, {}}})));
  CHECK(nlohmann::json::accept(text));
  nlohmann::json node = nlohmann::json::parse(text);
  std::size_t depth = 0;
  while (!node.at("children").empty()) {
    nlohmann::json child = std::move(node.at("children").at(0));
    node = std::move(child);
    ++depth;
  }
  CHECK(depth == 100'000);
  CHECK(node.at("self") == 1);
}

TEST_CASE("write_tree writes 100,000 children of one node") {
  std::vector<Stack> stacks(100'000);
  for (std::size_t i = 0; i < stacks.size(); ++i) {
    stacks[i] = {{"child" + std::to_string(i)}, 2, {}};
  }
  const auto root =
      nlohmann::json::parse(tree_json(build_call_tree(make_profile(std::move(stacks)))));
  CHECK(root.at("children").size() == 100'000);
  CHECK(root.at("total") == 200'000);
}
