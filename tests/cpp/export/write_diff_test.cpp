#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <limits>
#include <sstream>

#include <jfrtree/diff_export.hpp>

#include "export/html_page.hpp"
#include "export/written.hpp"
#include "profile/make_profile.hpp"

using namespace jfrtree;
using jfrtree::test::make_profile;
using jfrtree::test::random_stacks;
using jfrtree::test::Stack;
using nlohmann::json;

namespace {

std::string diff_text(const Profile& left, const Profile& right, Format format,
                      const DiffOptions& options = {}) {
  const DiffProfile diff = join_profiles(left, right);
  return test::written(
      [&](Output& output) { write_diff(output, std::span(&diff, 1), format, options); });
}

std::string diff_text(std::string_view left, std::string_view right, Format format,
                      const DiffOptions& options = {}) {
  return diff_text(make_profile(left), make_profile(right), format, options);
}

DiffOptions absolute() { return {.output = {}, .comparison = Comparison::absolute}; }

/// Stacks with numbers `factor` times as large.
std::vector<Stack> times(std::vector<Stack> stacks, std::uint64_t factor) {
  for (Stack& stack : stacks) {
    stack.count *= factor;
    *stack.value *= factor;
  }
  return stacks;
}

/// The changes of a summary's rows.
std::vector<std::string> changes(const json& summary) {
  std::vector<std::string> found;
  for (const json& row : summary.at("rows")) {
    found.push_back(row.at("change"));
  }
  return found;
}

}  // namespace

TEST_CASE("collapsed diff by share: the right side in the measure of the left one") {
  CHECK(diff_text("a;b 1\na;c 2", "a;b 4\na;d 8", Format::collapsed) ==
        "a;b 1 1\na;c 2 0\na;d 0 2\n");
  CHECK(diff_text("a;b 1\na;c 2", "a;b 4\na;d 8", Format::collapsed, absolute()) ==
        "a;b 1 4\na;c 2 0\na;d 0 8\n");
  // 4 to 8: 1, 3 and 4 become 0.5, 1.5 and 2; halves go to even.
  CHECK(diff_text("a 4", "a 1\nb 3\nc 4", Format::collapsed) == "a 4 0\nb 0 2\nc 0 2\n");
  CHECK(diff_text("", "a 5\nb 6", Format::collapsed) == "a 0 5\nb 0 6\n");
  CHECK(diff_text("a 5\nb 6", "", Format::collapsed) == "a 5 0\nb 6 0\n");
  CHECK(diff_text("", "", Format::collapsed) == "");
}

TEST_CASE("collapsed diff per second: what the right side has in the left one's time") {
  DiffProfile diff = join_profiles(make_profile("a 3"), make_profile("a 8\nb 5"));
  diff.span_ns = {1'000'000'000, 2'000'000'000};
  DiffOptions options;
  options.comparison = Comparison::per_second;
  CHECK(test::written([&](Output& output) {
          write_diff(output, std::span(&diff, 1), Format::collapsed, options);
        }) == "a 3 4\nb 0 2\n");
}

TEST_CASE("nested set of a diff has the right side in further columns") {
  CHECK(diff_text("a;b 1\na 2", "a;b 4\nc 8", Format::nested_set) ==
        "level,value,self,label,valueRight,selfRight\n"
        "0,3,0,total,12,0\n1,3,2,a,4,0\n2,1,1,b,4,4\n1,0,0,c,8,8\n");
  const json rows = json::parse(diff_text("a;b 1\na 2", "a;b 4\nc 8", Format::nested_set_json));
  REQUIRE(rows.size() == 4);
  CHECK(rows.at(3) == json{{"level", 1},
                           {"value", 0},
                           {"self", 0},
                           {"label", "c"},
                           {"valueRight", 8},
                           {"selfRight", 8}});
  // Grafana: a bar's value on both sides is its self and its children.
  CHECK(diff_text("", "", Format::nested_set) ==
        "level,value,self,label,valueRight,selfRight\n0,0,0,total,0,0\n");
}

TEST_CASE("stacks of a diff have the numbers of both sides as they are") {
  CHECK(diff_text("a;b 1 10", "a;b 2 30\nc 3 5", Format::stacks) ==
        R"({"kind":"alloc","stack":["a","b"],"left":{"count":1,"value":10},)"
        R"("right":{"count":2,"value":30}})"
        "\n"
        R"({"kind":"alloc","stack":["c"],"left":{"count":0,"value":0},)"
        R"("right":{"count":3,"value":5}})"
        "\n");
  CHECK(diff_text("a 1", "a 2", Format::stacks) ==
        "{\"kind\":\"alloc\",\"stack\":[\"a\"],\"left\":{\"count\":1},\"right\":{\"count\":2}}\n");
}

TEST_CASE("stacks of a diff by thread are sorted by their own frames") {
  Profile left = make_profile("[t1];b 1\n[t2];a 2");
  Profile right = make_profile("[t1];a 3\n[t2];a 4");
  left.has_thread_frame = true;
  right.has_thread_frame = true;
  std::istringstream lines(diff_text(left, right, Format::stacks));
  std::string text;
  for (std::string line; std::getline(lines, line);) {
    const json row = json::parse(line);
    text += row.at("stack").at(0).get<std::string>() + row.at("thread").get<std::string>() +
            row.at("left").at("count").dump() + row.at("right").at("count").dump() + " ";
  }
  CHECK(text == "at103 at224 bt110 ");
}

TEST_CASE("flamebearer diff of profiles is that of their trees") {
  const json whole = json::parse(diff_text("a;b 1\na;c 2", "a;b 4\na;c 8", Format::flamebearer));
  CHECK(whole.at("flamebearer").at("levels") ==
        json::parse("[[0,3,0,0,12,0,0],[0,3,0,0,12,0,1],[0,1,1,0,4,4,3,0,2,2,0,8,8,2]]"));
  CHECK(whole.at("metadata").at("format") == "double");
  DiffOptions options;
  options.output.max_nodes = 2;
  const json cut =
      json::parse(diff_text("a;b 1\na;c 2", "a;b 4\na;c 8", Format::flamebearer, options));
  CHECK(cut.at("flamebearer").at("names") == json{"total", "a", "other"});
  CHECK(cut.at("flamebearer").at("maxSelf") == 12);
}

TEST_CASE("the summary says what is new, gone, changed or the same") {
  DiffOptions options;
  options.names = {"one", "two"};
  const json summary = json::parse(
      diff_text("m;a 2\nm;b 1\nm;d 1", "m;b 2\nm;c 4\nm;d 2", Format::summary, options));
  CHECK(summary.at("kind") == "alloc");
  CHECK(summary.at("comparison") == "share");
  CHECK(summary.at("sample_type") == json{{"name", "samples"}, {"unit", "count"}});
  CHECK(summary.at("left") ==
        json{{"name", "one"}, {"samples", 4}, {"total", 4}, {"span_ns", nullptr}});
  CHECK(summary.at("right").at("total") == 8);
  // By share a goes from 50 % to 0, c from 0 to 50 %, b and d stay at 25 %.
  CHECK(changes(summary) == std::vector<std::string>{"gone", "new", "same", "same", "same"});
  CHECK(summary.at("rows").at(0) == json{{"frame", "a"},
                                         {"change", "gone"},
                                         {"left", {{"self", 2}, {"total", 2}}},
                                         {"right", {{"self", 0}, {"total", 0}}},
                                         {"delta", {{"self", -0.5}, {"total", -0.5}}}});
  options.comparison = Comparison::absolute;
  const json exact = json::parse(
      diff_text("m;a 2\nm;b 1\nm;d 1", "m;b 2\nm;c 4\nm;d 2", Format::summary, options));
  CHECK(changes(exact) == std::vector<std::string>{"new", "gone", "changed", "changed", "changed"});
  CHECK(exact.at("rows").at(1).at("delta") == json{{"self", -2}, {"total", -2}});
  CHECK(exact.at("rows").at(4).at("delta") == json{{"self", 0}, {"total", 4}});  // m: 4 to 8
}

TEST_CASE("a profile has no change to itself, nor to what is eight times as long") {
  const std::vector<Stack> stacks = random_stacks(400);
  const Profile once = make_profile(stacks);
  const Profile eight = make_profile(times(stacks, 8));
  for (const Profile* other : {&once, &eight}) {
    const json summary = json::parse(diff_text(once, *other, Format::summary));
    for (const json& row : summary.at("rows")) {
      CHECK(row.at("change") == "same");
      CHECK(row.at("delta") == json{{"self", 0}, {"total", 0}});
    }
    std::istringstream lines(diff_text(once, *other, Format::collapsed));
    for (std::string stack, left, right; lines >> stack >> left >> right;) {
      CHECK(left == right);
    }
  }
}

TEST_CASE("one new frame is all that is new") {
  std::vector<Stack> stacks = random_stacks(100);
  const Profile before = make_profile(stacks);
  Stack added = stacks[7];
  added.frames.emplace_back("brand.New.frame");
  stacks.push_back(added);
  const json summary =
      json::parse(diff_text(before, make_profile(stacks), Format::summary, absolute()));
  std::vector<std::string> fresh;
  for (const json& row : summary.at("rows")) {
    CHECK(row.at("change") != "gone");
    if (row.at("change") == "new") {
      fresh.push_back(row.at("frame"));
    }
  }
  CHECK(fresh == std::vector<std::string>{"brand.New.frame"});
}

TEST_CASE("exchanging the sides exchanges the numbers") {
  std::vector<Stack> stacks = random_stacks(200);
  const Profile one = make_profile(stacks);
  stacks.resize(90);
  const Profile two = make_profile(stacks);
  const auto rows = [](const std::string& text) {
    std::vector<json> found;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      found.push_back(json::parse(line));
    }
    return found;
  };
  std::vector<json> there = rows(diff_text(one, two, Format::stacks));
  const std::vector<json> back = rows(diff_text(two, one, Format::stacks));
  for (json& row : there) {
    std::swap(row.at("left"), row.at("right"));
  }
  CHECK(there == back);
}

TEST_CASE("a diff's tree is reversed and cut on both sides alike, and says so") {
  DiffOptions options = absolute();
  options.output.reverse = true;
  CHECK(diff_text("a;b 1", "c;b 2", Format::collapsed, options) == "b;a 1 0\nb;c 0 2\n");
  options.output.reverse = false;
  options.output.max_nodes = 1;
  const DiffProfile diff = join_profiles(make_profile("a 6\nb 4"), make_profile("a 9\nc 1"));
  std::vector<TreeCut> cuts;
  CHECK(test::written([&](Output& output) {
          cuts = write_diff(output, std::span(&diff, 1), Format::collapsed, options);
        }) == "a 6 9\n(other) 4 1\n");
  REQUIRE(cuts.size() == 1);
  // 4 of 10 on the left are more than 1 of 10 on the right.
  CHECK(cuts[0].folded == 4);
  CHECK(cuts[0].total == 10);
  CHECK(cuts[0].max_nodes == 1);
}

TEST_CASE("the page of a diff has the columns of both sides, and says what they are") {
  DiffProfile diff = join_profiles(make_profile("a;b 1 10\na;c 2 20"), make_profile("a;c 3 30"));
  diff.span_ns = {std::nullopt, 7};
  DiffOptions options;
  options.names = {"one </script>", "two"};
  options.comparison = Comparison::absolute;
  const test::HtmlPage page = test::read_html_page(test::written(
      [&](Output& output) { write_diff(output, std::span(&diff, 1), Format::html, options); }));
  CHECK(page.header.at("diff") == json{{"names", {"one </script>", "two"}},
                                       {"spans", {nullptr, 7}},
                                       {"comparison", "absolute"}});
  const json& profile = page.header.at("profiles").at(0);
  CHECK(profile.at("sampleTypes").size() == 2);
  const std::vector<std::vector<std::uint64_t>> self = {
      {0, 0, 1, 2}, {0, 0, 10, 20}, {0, 0, 0, 3}, {0, 0, 0, 30}};
  CHECK(page.profiles.at(0).self == self);
  // b and c changed by 10, a's total by 0: what changed most in bytes comes first, then by text.
  REQUIRE(page.profiles.at(0).top_total.size() == 4);
  const std::vector<std::uint64_t> left = {10, 20, 30};
  const std::vector<std::uint64_t> right = {0, 30, 30};
  CHECK(page.profiles.at(0).top_total.at(1) == left);
  CHECK(page.profiles.at(0).top_total.at(3) == right);
}

TEST_CASE("what a format of diffs cannot hold is a usage error") {
  DiffOptions rates;
  rates.comparison = Comparison::per_second;
  CHECK_THROWS_AS(diff_text("a 1", "a 1", Format::stacks, rates), UsageError);
  CHECK_THROWS_AS(diff_text("a 1", "a 1", Format::flamebearer, rates), UsageError);
  CHECK_THROWS_AS(diff_text("a 1", "a 1", Format::tree), UsageError);
  DiffOptions reversed;
  reversed.output.reverse = true;
  CHECK_THROWS_AS(diff_text("a 1", "a 1", Format::stacks, reversed), UsageError);
  CHECK_THROWS_AS(diff_text("a 1", "a 1", Format::summary, reversed), UsageError);
  CHECK_THROWS_AS(write_profiles(*string_output(rates.names[0]), std::vector{make_profile("a 1")},
                                 Format::summary),
                  UsageError);
}

TEST_CASE("names of every kind are in every format of a diff") {
  const std::vector<Stack> hostile = {{{test::hostile_name(), "x"}, 1, {}}};
  const Profile profile = make_profile(hostile);
  const std::string stacks = diff_text(profile, make_profile("y 1"), Format::stacks);
  CHECK(json::parse(stacks.substr(0, stacks.find('\n'))).at("stack").at(0) == test::hostile_name());
  const json summary = json::parse(diff_text(profile, make_profile("y 1"), Format::summary));
  CHECK(summary.at("rows").size() == 3);
}
