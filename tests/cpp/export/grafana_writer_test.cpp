#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <limits>

#include <jfrtree/diff_export.hpp>
#include <jfrtree/export.hpp>

#include "export/written.hpp"
#include "profile/make_profile.hpp"

using namespace jfrtree;
using jfrtree::test::make_profile;
using nlohmann::json;

namespace {

json frame_of(const CallTree& tree, std::size_t sample_type = 0) {
  return json::parse(
      test::written([&](Output& output) { write_grafana(output, tree, sample_type); }));
}

}  // namespace

TEST_CASE("write_grafana writes a data frame column by column") {
  const json frame = frame_of(build_call_tree(make_profile("a;b;e 1\na;c 2\na;c;d 1")));
  CHECK(frame["data"]["values"] == json::parse(R"([[0, 1, 2, 3, 2, 3], [4, 4, 1, 1, 3, 1],
      [0, 0, 0, 1, 2, 1], ["total", "a", "b", "e", "c", "d"]])"));
  std::vector<std::string> names;
  for (const json& field : frame["schema"]["fields"]) names.push_back(field["name"]);
  CHECK(names == std::vector<std::string>{"level", "value", "self", "label"});
  CHECK(frame["schema"]["fields"][1]["config"]["unit"] == "short");
  CHECK(frame["schema"]["meta"]["preferredVisualisationType"] == "flamegraph");
}

TEST_CASE("write_grafana names the units of time and bytes") {
  Profile profile = make_profile("a 1");
  for (const auto& [unit, expected] :
       {std::pair{"nanoseconds", "ns"}, std::pair{"bytes", "bytes"}, std::pair{"count", "short"}}) {
    profile.sample_types[0].unit = unit;
    CHECK(frame_of(build_call_tree(profile))["schema"]["fields"][1]["config"]["unit"] == expected);
  }
}

TEST_CASE("write_grafana of nothing is the root, and leaves out what has no total") {
  CHECK(frame_of(build_call_tree(make_profile("")))["data"]["values"] ==
        json::parse(R"([[0], [0], [0], ["total"]])"));
  CHECK(frame_of(build_call_tree(make_profile("a 0\nb 1")))["data"]["values"] ==
        json::parse(R"([[0, 1], [1, 1], [0, 1], ["total", "b"]])"));
}

TEST_CASE("write_grafana keeps large numbers and odd texts") {
  Profile profile = make_profile("x\"y\\z 1");
  profile.stacks[0].count = std::numeric_limits<std::uint64_t>::max();
  const json frame = frame_of(build_call_tree(profile));
  CHECK(frame["data"]["values"][1][1] == std::numeric_limits<std::uint64_t>::max());
  CHECK(frame["data"]["values"][3][1] == "x\"y\\z");
}

TEST_CASE("write_grafana of a diff has the right side's columns") {
  const std::vector<DiffProfile> diffs{
      join_profiles(make_profile("a;b 1\na 2"), make_profile("a;b 4\nc 8"))};
  const json frame = json::parse(test::written(
      [&](Output& output) { write_diff(output, diffs, Format::grafana, DiffOptions{}); }));
  CHECK(frame["data"]["values"] == json::parse(R"([[0, 1, 2, 1], [3, 3, 1, 0], [0, 2, 1, 0],
      ["total", "a", "b", "c"], [12, 4, 4, 8], [0, 0, 4, 8]])"));
  CHECK(frame["schema"]["fields"][4]["name"] == "valueRight");
  CHECK(frame["schema"]["fields"][5]["name"] == "selfRight");
}
