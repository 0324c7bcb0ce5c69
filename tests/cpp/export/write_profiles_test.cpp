#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <string>

#include <jfrtree/export.hpp>

#include "export/html_page.hpp"
#include "export/written.hpp"
#include "profile/make_profile.hpp"

using namespace jfrtree;
using jfrtree::test::make_profile;

namespace {

std::string text_of(const std::vector<Profile>& profiles, Format format,
                    const ExportOptions& options = {}) {
  return test::written([&](Output& output) { write_profiles(output, profiles, format, options); });
}

/// What write_profiles says that it cut.
std::vector<TreeCut> cuts_of(const std::vector<Profile>& profiles, Format format,
                             const ExportOptions& options = {}) {
  std::vector<TreeCut> cuts;
  static_cast<void>(test::written(
      [&](Output& output) { cuts = write_profiles(output, profiles, format, options); }));
  return cuts;
}

std::vector<Profile> one_profile() { return {make_profile("a;b 10 1\na;c 3 60\na;d 3 30\ne 4 9")}; }

/// A profile of `count` stacks of one frame with the counts 1, 2, 3, ….
std::vector<Profile> wide_profile(std::uint64_t count) {
  std::vector<test::Stack> stacks;
  for (std::uint64_t i = 1; i <= count; ++i) {
    stacks.push_back({{"m" + std::to_string(i)}, i, {}});
  }
  return {make_profile(std::move(stacks))};
}

}  // namespace

TEST_CASE("write_profiles writes each format as its writer does, with the default sample type") {
  const Profile profile = one_profile().front();
  const CallTree tree = build_call_tree(profile);
  CHECK(text_of({profile}, Format::stacks) ==
        test::written([&](Output& output) { write_stacks(output, std::span(&profile, 1)); }));
  CHECK(text_of({profile}, Format::collapsed) == "a;b 1\na;c 60\na;d 30\ne 9\n");
  CHECK(text_of({profile}, Format::nested_set) ==
        test::written([&](Output& output) { write_nested_set(output, tree, 1); }));
  CHECK(text_of({profile}, Format::nested_set_json) ==
        test::written([&](Output& output) { write_nested_set_json(output, tree, 1); }));
  CHECK(text_of({profile}, Format::flamebearer) ==
        test::written([&](Output& output) { write_flamebearer(output, tree, 1); }));
  CHECK(text_of({profile}, Format::tree) ==
        test::written([&](Output& output) { write_tree(output, tree, 1); }));
}

TEST_CASE("write_profiles writes the sample type asked for") {
  CHECK(text_of(one_profile(), Format::collapsed, {.sample_type = "count"}) ==
        "a;b 10\na;c 3\na;d 3\ne 4\n");
  CHECK(text_of(one_profile(), Format::collapsed, {.sample_type = "alloc_space"}) ==
        text_of(one_profile(), Format::collapsed));
  CHECK_THROWS_AS(static_cast<void>(text_of(one_profile(), Format::tree, {.sample_type = "x"})),
                  UsageError);
  CHECK_THROWS_AS(static_cast<void>(text_of(one_profile(), Format::stacks, {.sample_type = "x"})),
                  UsageError);
}

TEST_CASE("of several profiles, those without the sample type asked for show their default") {
  const std::vector<Profile> profiles{make_profile("a 1", "lock"), make_profile("a 1 2", "alloc")};
  CHECK_NOTHROW(static_cast<void>(text_of(profiles, Format::stacks, {.sample_type = "value"})));
  CHECK_THROWS_AS(static_cast<void>(text_of(profiles, Format::stacks, {.sample_type = "x"})),
                  UsageError);
}

TEST_CASE("formats that hold one profile refuse none and several") {
  const std::vector<Profile> two{make_profile("a 1", "cpu"), make_profile("b 1", "lock")};
  for (const FormatDescription& format : format_descriptions()) {
    CAPTURE(format.name);
    if (format.holds_several_profiles) {
      CHECK_NOTHROW(static_cast<void>(text_of(two, format.format)));
      CHECK_NOTHROW(static_cast<void>(text_of({}, format.format)));
    } else {
      CHECK_THROWS_AS(static_cast<void>(text_of(two, format.format)), UsageError);
      CHECK_THROWS_AS(static_cast<void>(text_of({}, format.format)), UsageError);
    }
  }
}

TEST_CASE("every format has a document for an empty profile") {
  const std::vector<Profile> empty{make_profile("")};
  CHECK(text_of(empty, Format::stacks).empty());
  CHECK(text_of(empty, Format::collapsed).empty());
  CHECK(text_of(empty, Format::nested_set) == "level,value,self,label\n0,0,0,total\n");
  CHECK(nlohmann::json::parse(text_of(empty, Format::nested_set_json)).size() == 1);
  CHECK(nlohmann::json::parse(text_of(empty, Format::tree)).at("total") == 0);
  CHECK(nlohmann::json::parse(text_of(empty, Format::flamebearer)).at("version") == 1);
}

TEST_CASE("max_nodes and min_width cut trees by the sample type shown") {
  // Values: a 91, c 60, d 30, e 9, b 1.
  const std::string cut =
      "level,value,self,label\n0,100,0,total\n1,91,0,a\n2,60,60,c\n"
      "2,31,31,(other)\n1,9,9,(other)\n";
  CHECK(text_of(one_profile(), Format::nested_set, {.max_nodes = 2}) == cut);
  CHECK(text_of(one_profile(), Format::nested_set, {.min_width = 50}) == cut);
  CHECK(text_of(one_profile(), Format::collapsed, {.max_nodes = 2}) ==
        "a;c 60\na;(other) 31\n(other) 9\n");
  // Counts: a 16, b 10, e 4, c 3, d 3.
  CHECK(text_of(one_profile(), Format::collapsed, {.sample_type = "count", .max_nodes = 2}) ==
        "a;b 10\na;(other) 6\n(other) 4\n");
}

TEST_CASE("flamebearer keeps all nodes that tie, the other formats the first of them") {
  const ExportOptions options{.sample_type = "count", .max_nodes = 4};
  const auto flamebearer =
      nlohmann::json::parse(text_of(one_profile(), Format::flamebearer, options));
  CHECK(flamebearer.at("flamebearer").at("names").size() == 6);
  CHECK(text_of(one_profile(), Format::collapsed, options) == "a;b 10\na;c 3\na;(other) 3\ne 4\n");
}

TEST_CASE("trees are cut at 16,384 nodes unless told otherwise, collapsed stacks are not") {
  const std::vector<Profile> wide = wide_profile(20'000);
  const auto rows = [&](Format format, const ExportOptions& options) {
    const std::string text = text_of(wide, format, options);
    return std::count(text.begin(), text.end(), '\n');
  };
  CHECK(rows(Format::nested_set, {}) == 16'384 + 3);  // header, total, (other)
  CHECK(rows(Format::nested_set, {.max_nodes = 0}) == 20'002);
  CHECK(rows(Format::collapsed, {}) == 20'000);
  CHECK(rows(Format::stacks, {}) == 20'000);
}

TEST_CASE("write_profiles returns what it folded, in the sample type shown") {
  // Values: a 91, c 60, d 30, e 9, b 1. Of a and c there remain 31 below a and 9 at the root.
  for (const Format format : {Format::html, Format::collapsed, Format::nested_set,
                              Format::nested_set_json, Format::tree, Format::flamebearer}) {
    const std::vector<TreeCut> cuts = cuts_of(one_profile(), format, {.max_nodes = 2});
    REQUIRE(cuts.size() == 1);
    CHECK(cuts[0].kind == one_profile().front().kind);
    CHECK(cuts[0].sample_type.name == one_profile().front().sample_types.at(1).name);
    CHECK(cuts[0].folded == 40);
    CHECK(cuts[0].total == 100);
    CHECK(cuts[0].max_nodes == 2);
    CHECK(cuts[0].min_width == 0);
  }
  // Counts: a 16, b 10, e 4, c 3, d 3. Below a 6 are folded, and 4 at the root.
  const std::vector<TreeCut> counts =
      cuts_of(one_profile(), Format::tree, {.sample_type = "count", .min_width = 50});
  REQUIRE(counts.size() == 1);
  CHECK(counts[0].folded == 10);
  CHECK(counts[0].total == 20);
  CHECK(counts[0].max_nodes == 0);
  CHECK(counts[0].min_width == 50);
}

TEST_CASE("write_profiles returns nothing of a tree of which nothing was folded") {
  // The tree has five nodes below its root.
  CHECK(cuts_of(one_profile(), Format::tree, {.max_nodes = 4}).size() == 1);
  CHECK(cuts_of(one_profile(), Format::tree, {.max_nodes = 5}).empty());
  CHECK(cuts_of(one_profile(), Format::tree, {.max_nodes = 0}).empty());
  CHECK(cuts_of(one_profile(), Format::tree, {.min_width = 0.5}).empty());
  CHECK(cuts_of(one_profile(), Format::html).empty());
  CHECK(cuts_of(one_profile(), Format::collapsed).empty());
  CHECK(cuts_of(one_profile(), Format::stacks).empty());
  // By count, c and d tie: all five stay.
  CHECK(cuts_of(one_profile(), Format::flamebearer, {.sample_type = "count", .max_nodes = 4})
            .empty());
}

TEST_CASE("a frame whose text is (other) is not taken for what was folded") {
  const std::vector<Profile> profiles{make_profile("a 10\n(other) 5\nb 1")};
  CHECK(cuts_of(profiles, Format::tree).empty());
  const std::vector<TreeCut> cuts = cuts_of(profiles, Format::tree, {.max_nodes = 2});
  REQUIRE(cuts.size() == 1);
  CHECK(cuts[0].folded == 1);
}

TEST_CASE("of several profiles those are returned that were cut, in their order") {
  const std::vector<Profile> profiles{make_profile("a 5\nb 4\nc 3", "cpu"),
                                      make_profile("a 1", "alloc"),
                                      make_profile("a 9\nb 8\nc 7\nd 6", "lock")};
  const std::vector<TreeCut> cuts = cuts_of(profiles, Format::html, {.max_nodes = 2});
  REQUIRE(cuts.size() == 2);
  CHECK(cuts[0].kind == "cpu");
  CHECK(cuts[0].folded == 3);
  CHECK(cuts[1].kind == "lock");
  CHECK(cuts[1].folded == 13);
}

TEST_CASE("the page says by which limits a tree was cut, and which frame is that of (other)") {
  const std::vector<Profile> profiles{make_profile("a 5\nb 4\n(other) 3", "cpu"),
                                      make_profile("a 1", "alloc")};
  const test::HtmlPage page =
      test::read_html_page(text_of(profiles, Format::html, {.max_nodes = 1, .min_width = 12.5}));
  const auto& cut = page.header.at("profiles").at(0).at("cut");
  CHECK(cut.at("maxNodes") == 1);
  CHECK(cut.at("minWidth") == 12.5);
  // Nodes: total, a, (other). The frame called (other) is another one.
  CHECK(page.profiles.at(0).frame.at(2) == cut.at("frame"));
  CHECK(page.header.at("strings").at(cut.at("frame").get<std::size_t>()) == "(other)");
  CHECK(page.profiles.at(0).top_frame.at(2) != cut.at("frame"));
  CHECK(page.header.at("profiles").at(1).at("cut").is_null());
}

TEST_CASE("a page holds 2^20 nodes unless told otherwise") {
  // The counts are 1, 2, 3, …: the three smallest are folded.
  const std::vector<TreeCut> cuts = cuts_of(wide_profile(1'048'576 + 3), Format::html);
  REQUIRE(cuts.size() == 1);
  CHECK(cuts[0].folded == 1 + 2 + 3);
  CHECK(cuts[0].max_nodes == 1'048'576);
}

TEST_CASE("reverse roots trees and collapsed stacks at the leaves") {
  const ExportOptions options{.sample_type = "count", .reverse = true};
  CHECK(text_of(one_profile(), Format::collapsed, options) == "b;a 10\nc;a 3\nd;a 3\ne 4\n");
  const auto tree = nlohmann::json::parse(text_of(one_profile(), Format::tree, options));
  CHECK(tree.at("children").at(0).at("name") == "b");
  CHECK(tree.at("children").at(0).at("children").at(0).at("name") == "a");
}

TEST_CASE("stacks are neither reversed nor cut") {
  for (const ExportOptions& options :
       {ExportOptions{.reverse = true}, ExportOptions{.max_nodes = 5},
        ExportOptions{.min_width = 1}}) {
    CHECK_THROWS_AS(static_cast<void>(text_of(one_profile(), Format::stacks, options)), UsageError);
  }
  CHECK_NOTHROW(static_cast<void>(text_of(one_profile(), Format::stacks, {.max_nodes = 0})));
}

TEST_CASE(
    "the page of several profiles is cut by the sample type shown, after its methods are summed") {
  const std::vector<Profile> profiles{one_profile().front(), make_profile("x 7", "lock")};
  const test::HtmlPage page = test::read_html_page(text_of(
      profiles, Format::html, {.sample_type = "value", .max_nodes = 2, .title = "two kinds"}));
  CHECK(page.header.at("title") == "two kinds");
  REQUIRE(page.profiles.size() == 2);
  // Values: a 91, c 60 stay; total, a, c, (other), (other).
  CHECK(page.profiles[0].level == std::vector<std::uint64_t>{0, 1, 2, 2, 1});
  // The methods by self: c 60, d 30, e 9, b 1, a 0.
  CHECK(page.profiles[0].top_self.at(1) == std::vector<std::uint64_t>{60, 30, 9, 1, 0});
  CHECK(page.profiles[0].top_total.at(1) == std::vector<std::uint64_t>{60, 30, 9, 1, 91});
  CHECK(page.profiles[1].top_self.at(0) == std::vector<std::uint64_t>{7});
}

TEST_CASE("a tree with more nodes than tree_nodes is a LimitError, also before it is cut") {
  // total, a, b, c, d, e.
  CHECK_NOTHROW(static_cast<void>(text_of(one_profile(), Format::tree, {.tree_nodes = 6})));
  CHECK_THROWS_AS(
      static_cast<void>(text_of(one_profile(), Format::tree, {.max_nodes = 1, .tree_nodes = 5})),
      LimitError);
}
