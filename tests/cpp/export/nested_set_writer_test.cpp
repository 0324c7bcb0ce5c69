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

std::string csv(const CallTree& tree, std::size_t sample_type = 0) {
  return test::written([&](Output& output) { write_nested_set(output, tree, sample_type); });
}

std::string json(const CallTree& tree, std::size_t sample_type = 0) {
  return test::written([&](Output& output) { write_nested_set_json(output, tree, sample_type); });
}

/// A reader of CSV by RFC 4180, with line feeds at the ends of rows.
std::vector<std::vector<std::string>> parse_csv(const std::string& text) {
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> row(1);
  bool in_quotes = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char character = text[i];
    if (in_quotes && character == '"' && text.substr(i + 1, 1) == "\"") {
      row.back() += text[++i];
    } else if (character == '"') {
      in_quotes = !in_quotes;
    } else if (!in_quotes && character == ',') {
      row.emplace_back();
    } else if (!in_quotes && character == '\n') {
      rows.push_back(std::exchange(row, std::vector<std::string>(1)));
    } else {
      row.back() += character;
    }
  }
  CHECK(row == std::vector<std::string>(1));
  return rows;
}

}  // namespace

TEST_CASE("write_nested_set writes rows in depth-first order below one root") {
  const CallTree tree = build_call_tree(make_profile("a;b;e 1\na;c 2\na;c;d 1"));
  CHECK(csv(tree) ==
        "level,value,self,label\n"
        "0,4,0,total\n"
        "1,4,0,a\n"
        "2,1,0,b\n"
        "3,1,1,e\n"
        "2,3,2,c\n"
        "3,1,1,d\n");
}

TEST_CASE("write_nested_set_json writes the same rows as objects") {
  const CallTree tree = build_call_tree(make_profile("a;b 1\na;c 2"));
  CHECK(json(tree) ==
        "[\n"
        "{\"level\":0,\"value\":3,\"self\":0,\"label\":\"total\"},\n"
        "{\"level\":1,\"value\":3,\"self\":0,\"label\":\"a\"},\n"
        "{\"level\":2,\"value\":1,\"self\":1,\"label\":\"b\"},\n"
        "{\"level\":2,\"value\":2,\"self\":2,\"label\":\"c\"}\n"
        "]\n");
}

TEST_CASE("nested sets of an empty profile are the root") {
  const CallTree tree = build_call_tree(make_profile(""));
  CHECK(csv(tree) == "level,value,self,label\n0,0,0,total\n");
  CHECK(json(tree) == "[\n{\"level\":0,\"value\":0,\"self\":0,\"label\":\"total\"}\n]\n");
}

TEST_CASE("nested sets hold the nodes that the sample type reaches, without level jumps") {
  const CallTree tree = build_call_tree(make_profile("a;b 1 0\na;c;d 0 9\ne 2 0"));
  CHECK(csv(tree, 0) == "level,value,self,label\n0,3,0,total\n1,1,0,a\n2,1,1,b\n1,2,2,e\n");
  CHECK(csv(tree, 1) == "level,value,self,label\n0,9,0,total\n1,9,0,a\n2,9,0,c\n3,9,9,d\n");
  CHECK(nlohmann::json::parse(json(tree, 1)).size() == 4);
}

TEST_CASE("write_nested_set quotes labels with commas, quotes and line breaks, and only those") {
  const CallTree tree =
      build_call_tree(make_profile({{{"a,b", "say \"x\"", "c\nd", "e\rf", " g;h"}, 1, {}}}));
  CHECK(csv(tree) ==
        "level,value,self,label\n"
        "0,1,0,total\n"
        "1,1,0,\"a,b\"\n"
        "2,1,0,\"say \"\"x\"\"\"\n"
        "3,1,0,\"c\nd\"\n"
        "4,1,0,\"e\rf\"\n"
        "5,1,1, g;h\n");
}

TEST_CASE("nested sets with hostile names and huge numbers parse back") {
  const std::string name = test::hostile_name();
  const CallTree tree =
      build_call_tree(make_profile({{{name, "a"}, std::numeric_limits<std::uint64_t>::max(), {}}}));
  const std::string huge = "18446744073709551615";
  const auto rows = parse_csv(csv(tree));
  REQUIRE(rows.size() == 4);
  CHECK(rows[2] == std::vector<std::string>{"1", huge, "0", name});
  CHECK(rows[3] == std::vector<std::string>{"2", huge, huge, "a"});
  const auto objects = nlohmann::json::parse(json(tree));
  CHECK(objects.at(1).at("label").get<std::string>() == name);
  CHECK(objects.at(2).at("self").dump() == huge);
}

TEST_CASE("nested sets of deep and wide trees: selves sum to the total") {
  std::vector<Stack> stacks{{std::vector<std::string>(100'000, "recurse"), 1, {}}};
  for (std::uint64_t i = 1; i <= 100'000; ++i) {
    stacks.push_back({{"a", "child" + std::to_string(i)}, i, {}});
  }
  const auto rows = nlohmann::json::parse(json(build_call_tree(make_profile(std::move(stacks)))));
  REQUIRE(rows.size() == 200'002);
  std::uint64_t sum = 0;
  std::uint64_t level_before = 0;
  for (const nlohmann::json& row : rows) {
    sum += row.at("self").get<std::uint64_t>();
    const auto level = row.at("level").get<std::uint64_t>();
    if (level > level_before + 1) {
      FAIL_CHECK("level jump to ", level);
    }
    level_before = level;
  }
  CHECK(sum == 5'000'050'001);  // 100,000 * 100,001 / 2 + 1
  CHECK(rows.at(0).at("value") == sum);
}

TEST_CASE("nested sets of a pruned tree have (other) last among its siblings") {
  const CallTree tree = build_call_tree(make_profile("a 6\nz 5\nb 1"));
  CHECK(csv(prune(tree, {.max_nodes = 2})) ==
        "level,value,self,label\n0,12,0,total\n1,6,6,a\n1,5,5,z\n1,1,1,(other)\n");
}
