#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <limits>
#include <map>

#include <jfrtree/export.hpp>

#include "export/flamebearer_units.hpp"
#include "export/written.hpp"
#include "profile/make_profile.hpp"

using namespace jfrtree;
using jfrtree::test::make_profile;
using jfrtree::test::Stack;
using nlohmann::json;

namespace {

std::string single_text(const CallTree& tree, std::size_t sample_type = 0) {
  return test::written([&](Output& output) { write_flamebearer(output, tree, sample_type); });
}

json single(const CallTree& tree, std::size_t sample_type = 0) {
  return json::parse(single_text(tree, sample_type));
}

json single(std::string_view lines) { return single(build_call_tree(make_profile(lines))); }

json difference(std::string_view left, std::string_view right, std::uint64_t max_nodes = 0) {
  const CallTree left_tree = build_call_tree(make_profile(left));
  const CallTree right_tree = build_call_tree(make_profile(right));
  return json::parse(test::written([&](Output& output) {
    write_flamebearer_diff(output, left_tree, right_tree, 0, max_nodes);
  }));
}

/// One bar of a single flamebearer with its absolute place.
struct Bar {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t self = 0;
  std::vector<std::string> path;
};

/// The selves by path, found from the geometry alone: a bar's parent is the one above it.
std::map<std::vector<std::string>, std::uint64_t> selves_by_path(const json& document) {
  const json& names = document.at("flamebearer").at("names");
  std::map<std::vector<std::string>, std::uint64_t> selves;
  std::vector<Bar> above;
  for (const json& level : document.at("flamebearer").at("levels")) {
    std::vector<Bar> bars;
    std::uint64_t end = 0;
    for (std::size_t i = 0; i < level.size(); i += 4) {
      Bar bar;
      bar.begin = end + level.at(i).get<std::uint64_t>();
      bar.end = end = bar.begin + level.at(i + 1).get<std::uint64_t>();
      bar.self = level.at(i + 2);
      for (const Bar& parent : above) {
        if (parent.begin + parent.self <= bar.begin && bar.end <= parent.end) {
          bar.path = parent.path;
        }
      }
      bar.path.push_back(names.at(level.at(i + 3).get<std::size_t>()));
      if (bar.self > 0) {
        CHECK(selves.emplace(bar.path, bar.self).second);
      }
      bars.push_back(std::move(bar));
    }
    above = std::move(bars);
  }
  return selves;
}

}  // namespace

TEST_CASE("flamebearer, single: names, levels, ticks and the largest self") {
  const json flamebearer = single("a;b;e 1\na;c 2\na;c;d 1").at("flamebearer");
  CHECK(flamebearer.at("names") == json{"total", "a", "c", "d", "b", "e"});
  CHECK(flamebearer.at("levels") == json::parse("[[0,4,0,0],[0,4,0,1],[0,1,0,4,0,3,2,2],"
                                                "[0,1,1,5,2,1,1,3]]"));
  CHECK(flamebearer.at("numTicks") == 4);
  CHECK(flamebearer.at("maxSelf") == 2);
}

TEST_CASE("flamebearer, double: both sides in one shape") {
  const json document = difference("a;b 1\na;c 2", "a;b 4\na;c 8");
  const json& flamebearer = document.at("flamebearer");
  CHECK(flamebearer.at("names") == json{"total", "a", "c", "b"});
  CHECK(flamebearer.at("levels") ==
        json::parse("[[0,3,0,0,12,0,0],[0,3,0,0,12,0,1],[0,1,1,0,4,4,3,0,2,2,0,8,8,2]]"));
  CHECK(flamebearer.at("numTicks") == 15);
  CHECK(flamebearer.at("maxSelf") == 8);
  CHECK(document.at("metadata").at("format") == "double");
  CHECK(document.at("leftTicks") == 3);
  CHECK(document.at("rightTicks") == 12);
}

TEST_CASE("flamebearer, double, cut at two nodes with the root") {
  const json flamebearer = difference("a;b 1\na;c 2", "a;b 4\na;c 8", 2).at("flamebearer");
  CHECK(flamebearer.at("names") == json{"total", "a", "other"});
  CHECK(flamebearer.at("levels") ==
        json::parse("[[0,3,0,0,12,0,0],[0,3,0,0,12,0,1],[0,3,3,0,12,12,2]]"));
  CHECK(flamebearer.at("numTicks") == 15);
  CHECK(flamebearer.at("maxSelf") == 12);
}

TEST_CASE("flamebearer, double, of trees with different shapes") {
  const json flamebearer =
      difference("a;b 1\na;c 2\na;e 3", "a;b 4\na;d 8\na;e 12").at("flamebearer");
  CHECK(flamebearer.at("names") == json{"total", "a", "e", "d", "c", "b"});
  CHECK(flamebearer.at("levels").at(2) ==
        json::parse("[0,1,1,0,4,4,5,0,2,2,0,0,0,4,0,0,0,0,8,8,3,0,3,3,0,12,12,2]"));
  CHECK(flamebearer.at("numTicks") == 30);
  CHECK(flamebearer.at("maxSelf") == 12);
}

TEST_CASE("the whole document, with its keys in order") {
  CHECK(single_text(build_call_tree(make_profile("a 1 16\nb 2 0")), 1) ==
        "{\"version\":1,\"flamebearer\":{\"names\":[\"total\",\"a\"],"
        "\"levels\":[[0,16,0,0],[0,16,16,1]],\"numTicks\":16,\"maxSelf\":16},"
        "\"metadata\":{\"format\":\"single\",\"spyName\":\"javaspy\",\"sampleRate\":100,"
        "\"units\":\"bytes\",\"name\":\"alloc_space\"},"
        "\"timeline\":null,\"groups\":null,\"heatmap\":null}\n");
}

TEST_CASE("the empty flamebearer has one name and one bar of no width") {
  const json document = single("");
  CHECK(document.at("flamebearer") ==
        json::parse(R"({"names":["total"],"levels":[[0,0,0,0]],"numTicks":0,"maxSelf":0})"));
  const json both = difference("", "");
  CHECK(both.at("flamebearer") ==
        json::parse(R"({"names":["total"],"levels":[[0,0,0,0,0,0,0]],"numTicks":0,"maxSelf":0})"));
  CHECK_FALSE(both.contains("leftTicks"));
  CHECK_FALSE(both.contains("rightTicks"));
}

TEST_CASE("a diff with one empty side is zeros there") {
  const json document = difference("", "a 5");
  CHECK(document.at("flamebearer").at("levels") ==
        json::parse("[[0,0,0,0,5,0,0],[0,0,0,0,5,5,1]]"));
  CHECK_FALSE(document.contains("leftTicks"));
  CHECK(document.at("rightTicks") == 5);
}

TEST_CASE("offsets count from the bar before and leave a gap for the parent's self on the left") {
  // a: self 2, x 1 + 3 below it; b: self 4; c: self 1, z 5 below it.
  const json levels = single("a 2\na;w 1\na;x 3\nb 4\nc 1\nc;z 5").at("flamebearer").at("levels");
  CHECK(levels.at(0) == json::parse("[0,16,0,0]"));
  CHECK(levels.at(1) == json::parse("[0,6,2,4,0,4,4,3,0,6,1,1]"));
  CHECK(levels.at(2) == json::parse("[2,1,1,6,0,3,3,5,5,5,5,2]"));
}

TEST_CASE("equal names share an index, and the root's is total") {
  const json flamebearer = single("a;b;a 1\nb;total 2").at("flamebearer");
  CHECK(flamebearer.at("names") == json{"total", "b", "a"});
  CHECK(flamebearer.at("levels") ==
        json::parse("[[0,3,0,0],[0,1,0,2,0,2,0,1],[0,1,0,1,0,2,2,0],[0,1,1,2]]"));
}

TEST_CASE("frames called total, and without a name, in both forms") {
  const CallTree tree = build_call_tree(make_profile({{{"", "total"}, 1, {}}}));
  CHECK(single(tree).at("flamebearer").at("names") == json{"total", ""});
  const json both = json::parse(
      test::written([&](Output& output) { write_flamebearer_diff(output, tree, tree, 0); }));
  CHECK(both.at("flamebearer").at("names") == json{"total", "total"});
  CHECK(both.at("flamebearer").at("levels").at(1) == json::parse("[0,1,0,0,1,0,0]"));
  CHECK(both.at("flamebearer").at("levels").at(2) == json::parse("[0,1,1,0,1,1,1]"));
}

TEST_CASE(
    "what was cut is called other and stands last, and a frame called (other) keeps its name") {
  const CallTree tree = build_call_tree(make_profile("(other) 9\nz 5\np 2\nq 1"));
  const json flamebearer =
      single(prune(tree, {.max_nodes = 2, .keep_ties = true})).at("flamebearer");
  CHECK(flamebearer.at("names") == json{"total", "other", "z", "(other)"});
  CHECK(flamebearer.at("levels").at(1) == json::parse("[0,9,9,3,0,5,5,2,0,3,3,1]"));
}

TEST_CASE("a frame called other becomes part of its parent's bar other") {
  const CallTree tree = build_call_tree(make_profile("a 9\nother;x 4\nz 5\np 2"));
  CHECK(single(tree).at("flamebearer").at("names") == json{"total", "other", "z", "p", "a"});
  CHECK(single(tree).at("flamebearer").at("levels") ==
        json::parse("[[0,20,0,0],[0,9,9,4,0,2,2,3,0,5,5,2,0,4,4,1]]"));
  const json cut = single(prune(tree, {.max_nodes = 4, .keep_ties = true})).at("flamebearer");
  CHECK(cut.at("names") == json{"total", "other", "z", "a"});
  CHECK(cut.at("levels").at(1) == json::parse("[0,9,9,3,0,5,5,2,0,6,6,1]"));
}

TEST_CASE("nodes that the sample type does not reach have no bar") {
  const CallTree tree = build_call_tree(make_profile("a;b 1 0\na;c;d 0 9\ne 2 0"));
  CHECK(single(tree, 0).at("flamebearer").at("names") == json{"total", "e", "a", "b"});
  CHECK(single(tree, 1).at("flamebearer").at("names") == json{"total", "a", "c", "d"});
}

TEST_CASE("a diff keeps nodes that are large on either side, with ties") {
  // Sizes: total 30, a 20, b 20, c 10; the third largest is 20.
  const json flamebearer = difference("a 20\nb 2\nc 8", "a 1\nb 20\nc 9", 3).at("flamebearer");
  CHECK(flamebearer.at("names") == json{"total", "other", "b", "a"});
  CHECK(flamebearer.at("levels").at(1) ==
        json::parse("[0,20,20,0,1,1,3,0,2,2,0,20,20,2,0,8,8,0,9,9,1]"));
  // Not cut at all when there are as few nodes, the root counted.
  CHECK(difference("a 20\nb 2\nc 8", "a 1", 4).at("flamebearer").at("names").size() == 4);
}

TEST_CASE("the bars of random stacks stand where their stacks are") {
  const std::vector<Stack> stacks = test::random_stacks(300);
  std::map<std::vector<std::string>, std::uint64_t> expected;
  for (const Stack& stack : stacks) {
    std::vector<std::string> path{"total"};
    path.insert(path.end(), stack.frames.begin(), stack.frames.end());
    expected[path] += stack.count;
  }
  CHECK(selves_by_path(single(build_call_tree(make_profile(stacks)))) == expected);
}

TEST_CASE("flamebearers with hostile names and huge numbers parse back") {
  constexpr std::uint64_t huge = std::numeric_limits<std::uint64_t>::max();
  const std::string name = test::hostile_name();
  const CallTree tree = build_call_tree(
      make_profile({{{name, "a"}, huge, {}}, {{name, "b"}, huge, {}}, {{"c"}, 1, {}}}));
  const json flamebearer = single(tree).at("flamebearer");
  CHECK(flamebearer.at("names").at(2).get<std::string>() == name);
  CHECK(flamebearer.at("numTicks").dump() == "18446744073709551615");
  CHECK(flamebearer.at("maxSelf").dump() == "18446744073709551615");
  // Beyond 64 bits bars end at the largest number; no offset wraps.
  CHECK(flamebearer.at("levels").at(2).dump() ==
        "[0,18446744073709551615,18446744073709551615,4,"
        "0,18446744073709551615,18446744073709551615,3]");
}

TEST_CASE("flamebearers of deep and wide trees need no recursion") {
  std::vector<Stack> stacks{{std::vector<std::string>(100'000, "recurse"), 1, {}}};
  for (int i = 0; i < 100'000; ++i) {
    stacks.push_back({{"a", "child" + std::to_string(i)}, 1, {}});
  }
  const CallTree tree = build_call_tree(make_profile(std::move(stacks)));
  const json levels = single(tree).at("flamebearer").at("levels");
  REQUIRE(levels.size() == 100'001);
  CHECK(levels.at(2).size() == 4 * 100'001);
  CHECK(levels.at(100'000) == json::parse("[100000,1,1,1]"));
  const json both = json::parse(test::written(
      [&](Output& output) { write_flamebearer_diff(output, tree, tree, 0, 50'000); }));
  CHECK(both.at("flamebearer").at("numTicks") == 200'002);
}

TEST_CASE("units of the sample types of every kind") {
  const auto units = [](const char* name, const char* unit) {
    const SampleType type{name, unit};
    const internal::FlamebearerUnits found = internal::flamebearer_units(type);
    return std::string(found.units) + ' ' + std::to_string(found.sample_rate);
  };
  CHECK(units("cpu", "nanoseconds") == "samples 1000000000");
  CHECK(units("estimated_cpu", "nanoseconds") == "samples 1000000000");
  CHECK(units("wall", "nanoseconds") == "samples 1000000000");
  CHECK(units("estimated_native", "nanoseconds") == "samples 1000000000");
  CHECK(units("delay", "nanoseconds") == "lock_nanoseconds 100");
  CHECK(units("native_lock", "nanoseconds") == "lock_nanoseconds 100");
  CHECK(units("duration", "nanoseconds") == "lock_nanoseconds 100");
  CHECK(units("samples", "count") == "objects 100");
  CHECK(units("alloc_objects", "count") == "objects 100");
  CHECK(units("wall_clock", "count") == "objects 100");
  CHECK(units("contentions", "count") == "lock_samples 100");
  CHECK(units("parks", "count") == "lock_samples 100");
  CHECK(units("alloc_space", "bytes") == "bytes 100");
  CHECK(units("temperature", "kelvin") == "kelvin 100");
}
