#include <doctest/doctest.h>

#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <jfrtree/export.hpp>
#include <jfrtree/version.hpp>

#include "export/html_page.hpp"

namespace {

using jfrtree::CallTree;
using jfrtree::FrameId;
using jfrtree::FrameTable;
using jfrtree::HtmlProfile;
using jfrtree::MethodSums;
using jfrtree::NodeId;
using jfrtree::test::HtmlPage;
using jfrtree::test::read_html_page;
using Numbers = std::vector<std::uint64_t>;

std::shared_ptr<const FrameTable> make_table(std::vector<std::string_view> texts) {
  return std::make_shared<const FrameTable>(std::move(texts), nullptr);
}

/// total -> a.A.main -> (byte[], (other)); counts 1 + 2 + 4 + 8, bytes 0 + 300 + 2^64 - 301 + 0.
HtmlProfile make_profile(std::shared_ptr<const FrameTable> table) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  HtmlProfile profile;
  profile.kind = "alloc";
  profile.tree.parent = {NodeId{0}, NodeId{0}, NodeId{1}, NodeId{1}};
  profile.tree.level = {0, 1, 2, 2};
  profile.tree.frame = {jfrtree::root_frame, FrameId{1}, FrameId{2}, jfrtree::other_frame};
  profile.tree.self = {{1, 2, 4, 8}, {0, 300, most - 300, 0}};
  profile.tree.total = {{15, 14, 4, 8}, {most, most, most - 300, 0}};
  profile.tree.sample_types = {{"alloc_objects", "count"}, {"alloc_space", "bytes"}};
  profile.tree.default_sample_type = 1;
  profile.tree.frame_table = std::move(table);
  profile.methods = {MethodSums{FrameId{2}, {4, most - 300}, {4, most - 300}},
                     MethodSums{FrameId{1}, {2, 300}, {14, most}},
                     MethodSums{FrameId{3}, {8, 0}, {8, 0}}};
  return profile;
}

std::string write_page(const std::vector<HtmlProfile>& profiles, std::string_view title,
                       const std::vector<std::string>& notes = {}) {
  std::string page;
  const auto output = jfrtree::string_output(page);
  jfrtree::write_html(*output, profiles, title, notes);
  output->commit();
  return page;
}

std::size_t count_of(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos;
       at = text.find(part, at + part.size())) {
    ++count;
  }
  return count;
}

}  // namespace

TEST_CASE("the page holds the tree and the methods column by column") {
  const auto table = make_table({"unused", "a.A.main", "byte[]", "c.C.rare", "also unused"});
  const HtmlPage page = read_html_page(write_page({make_profile(table)}, "t"));
  REQUIRE(page.profiles.size() == 1);
  const auto& profile = page.profiles.front();
  CHECK(profile.level == Numbers{0, 1, 2, 2});
  CHECK(profile.frame == Numbers{0, 1, 2, 3});
  REQUIRE(profile.self.size() == 2);
  CHECK(profile.self[0] == Numbers{1, 2, 4, 8});
  CHECK(profile.self[1] == Numbers{0, 300, 18446744073709551315U, 0});
  CHECK(profile.top_frame == Numbers{2, 1, 4});
  CHECK(profile.top_self[0] == Numbers{4, 2, 8});
  CHECK(profile.top_self[1] == Numbers{18446744073709551315U, 300, 0});
  CHECK(profile.top_total[0] == Numbers{4, 14, 8});
  CHECK(profile.top_total[1] == Numbers{18446744073709551315U, 18446744073709551615U, 0});
  // Texts that nothing names are not in the page.
  CHECK(page.header["strings"] ==
        nlohmann::json{"total", "a.A.main", "byte[]", "(other)", "c.C.rare"});
}

TEST_CASE("long columns are as short ones are") {
  // Twice more nodes than compression treats alike: 200,000 children of the root.
  constexpr std::uint32_t children = 200'000;
  HtmlProfile profile = make_profile(make_table({"a", "b", "c", "d"}));
  CallTree& tree = profile.tree;
  Numbers level{0};
  Numbers frame{0};
  for (std::uint32_t child = 0; child < children; ++child) {
    level.push_back(1);
    frame.push_back(1 + child % 3);
  }
  tree.parent.assign(level.size(), NodeId{0});
  tree.level.assign(level.begin(), level.end());
  tree.frame.assign(1, jfrtree::root_frame);
  tree.self.assign(2, Numbers{0});
  for (std::uint32_t child = 0; child < children; ++child) {
    tree.frame.push_back(FrameId{child % 3});
    tree.self[0].push_back(child % 7 == 0 ? 1 : 0);
    tree.self[1].push_back(std::uint64_t{child} * child);
  }
  tree.total = tree.self;
  profile.methods.clear();
  const HtmlPage page = read_html_page(write_page({profile, profile}, "t"));
  REQUIRE(page.profiles.size() == 2);
  for (const auto& read : page.profiles) {
    CHECK(read.level == level);
    CHECK(read.frame == frame);
    CHECK(read.self == tree.self);
  }
}

TEST_CASE("the header of a page describes its profiles") {
  auto profile = make_profile(make_table({"", "a", "b", "c"}));
  profile.is_snapshot = true;
  const HtmlPage page = read_html_page(write_page({profile}, "a title", {"first", "second"}));
  CHECK(page.header ==
        nlohmann::json{
            {"version", 1},
            {"title", "a title"},
            {"generator", "jfrtree " + std::string(jfrtree::version())},
            {"strings", {"total", "a", "b", "(other)", "c"}},
            {"notes", {"first", "second"}},
            {"labels", nlohmann::json::array()},
            {"profiles", nlohmann::json::array({{
                             {"kind", "alloc"},
                             {"snapshot", true},
                             {"sampleTypes",
                              {{{"name", "alloc_objects"}, {"unit", "count"}},
                               {{"name", "alloc_space"}, {"unit", "bytes"}}}},
                             {"defaultSampleType", 1},
                             {"nodes", 4},
                             {"topRows", 3},
                             {"cut", {{"frame", 3}, {"maxNodes", 0}, {"minWidth", 0}}},
                         }})},
        });
}

TEST_CASE("profiles of a page share the texts of one table and keep those of others apart") {
  const auto table = make_table({"x", "a", "b", "c"});
  auto first = make_profile(table);
  auto second = make_profile(table);
  auto third = make_profile(make_table({"y", "k", "l", "m"}));
  second.tree.frame[1] = FrameId{0};
  const HtmlPage page = read_html_page(write_page({first, second, third}, "t"));
  REQUIRE(page.profiles.size() == 3);
  const auto text = [&](std::size_t profile, std::size_t node) {
    return page.header["strings"][page.profiles[profile].frame[node]].get<std::string>();
  };
  CHECK(text(0, 1) == "a");
  CHECK(text(1, 1) == "x");
  CHECK(text(1, 2) == "b");
  CHECK(text(2, 0) == "total");
  CHECK(text(2, 1) == "k");
  CHECK(text(2, 2) == "l");
  CHECK(page.profiles[0].frame[2] == page.profiles[1].frame[2]);
}

TEST_CASE("a page without profiles and one with a root alone are valid") {
  CHECK(read_html_page(write_page({}, "t")).profiles.empty());
  HtmlProfile empty = make_profile(make_table({}));
  empty.tree.parent = {NodeId{0}};
  empty.tree.level = {0};
  empty.tree.frame = {jfrtree::root_frame};
  empty.tree.self = {{0}, {0}};
  empty.tree.total = {{0}, {0}};
  empty.methods.clear();
  const HtmlPage page = read_html_page(write_page({empty}, "t"));
  REQUIRE(page.profiles.size() == 1);
  CHECK(page.profiles[0].self == std::vector<Numbers>{{0}, {0}});
  CHECK(page.profiles[0].top_frame.empty());
}

TEST_CASE("names and titles cannot break out of their place in the page") {
  const std::string hostile = "</script></title><script>alert(1)</script><!-- \"\\\n\xE2\x80\xA8";
  const auto table = make_table({"", hostile, "/*JS*/<!--DATA-->", "c"});
  const std::string plain = write_page({make_profile(make_table({"", "a", "b", "c"}))}, "t");
  const std::string page = write_page({make_profile(table)}, hostile, {hostile});
  for (const std::string_view tag : {"<script", "</script", "<title", "</title", "<!--"}) {
    CAPTURE(tag);
    CHECK(count_of(page, tag) == count_of(plain, tag));
  }
  CHECK(page.find("<title>&lt;/script&gt;&lt;/title&gt;") != std::string::npos);
  const auto header = read_html_page(page).header;
  CHECK(header["title"] == hostile);
  CHECK(header["notes"][0] == hostile);
  CHECK(header["strings"][1] == hostile);
  CHECK(header["strings"][2] == "/*JS*/<!--DATA-->");
}

TEST_CASE("a title that is no UTF-8 is repaired, an empty one replaced") {
  CHECK(read_html_page(write_page({}, "a\xFFz")).header["title"] == "a\xEF\xBF\xBDz");
  CHECK(read_html_page(write_page({}, "", {"\xFE"})).header["notes"][0] == "\xEF\xBF\xBD");
  CHECK(read_html_page(write_page({}, "")).header["title"] == "Flame graph");
}

TEST_CASE("a page is complete and asks for nothing from elsewhere") {
  const std::string page = write_page({make_profile(make_table({"", "a", "b", "c"}))}, "t");
  CHECK(page.starts_with("<!DOCTYPE html>"));
  CHECK(page.ends_with("</html>\n"));
  for (const std::string_view left : {"<!--TITLE-->", "/*CSS*/", "<!--DATA-->", "/*JS*/"}) {
    CAPTURE(left);
    CHECK(count_of(page, left) == 0);
  }
  for (const std::string_view link : {"http://", "https://", "src=", "@import", "url(", "eval("}) {
    CAPTURE(link);
    CHECK(count_of(page, link) == 0);
  }
  CHECK(count_of(page, "default-src 'none'") == 1);
}

TEST_CASE("equal profiles give equal pages") {
  const auto make = [] {
    return write_page({make_profile(make_table({"", "a", "b", "c"}))}, "t", {"n"});
  };
  CHECK(make() == make());
}
