#include <doctest/doctest.h>

#include <set>
#include <string>

#include <jfrtree/export.hpp>

using namespace jfrtree;

namespace {

std::string format_of(std::string_view path) {
  const FormatDescription* format = find_format_by_path(path);
  return format == nullptr ? "" : std::string(format->name);
}

}  // namespace

TEST_CASE("every format is described once and found by its name") {
  std::set<std::string_view> names;
  for (const FormatDescription& format : format_descriptions()) {
    CHECK(names.insert(format.name).second);
    CHECK(find_format(format.name) == &format);
    CHECK_FALSE(format.description.empty());
  }
  CHECK(names == std::set<std::string_view>{"html", "collapsed", "flamebearer", "nested-set",
                                            "nested-set-json", "grafana", "stacks", "tree",
                                            "arrow"});
  CHECK(find_format("speedscope") == nullptr);
  CHECK(find_format("") == nullptr);
  CHECK(find_format("HTML") == nullptr);
}

TEST_CASE("formats are found by the longest ending of a path") {
  CHECK(format_of("out.html") == "html");
  CHECK(format_of("dir.csv/out.collapsed") == "collapsed");
  CHECK(format_of("out.folded") == "collapsed");
  CHECK(format_of("out.txt") == "collapsed");
  CHECK(format_of("a.flamebearer.json") == "flamebearer");
  CHECK(format_of("a.csv") == "nested-set");
  CHECK(format_of("a.stacks.jsonl") == "stacks");
  CHECK(format_of("a.html.tree.json") == "tree");
  CHECK(format_of("a.arrow") == "arrow");
  CHECK(format_of("a.json").empty());
  CHECK(format_of("a.jsonl").empty());
  CHECK(format_of("html").empty());
  CHECK(format_of("-").empty());
  CHECK(format_of("").empty());
}

TEST_CASE(
    "trees are cut at 16,384 nodes, the page's at 2^20, and html, stacks and arrow hold several") {
  for (const FormatDescription& format : format_descriptions()) {
    CAPTURE(format.name);
    const bool is_loss_free = format.format == Format::stacks || format.format == Format::arrow;
    const bool holds_stacks = is_loss_free || format.format == Format::collapsed;
    const std::uint64_t limit_of_tree = format.format == Format::html ? 1'048'576 : 16'384;
    CHECK(format.default_max_nodes == (holds_stacks ? 0 : limit_of_tree));
    CHECK(format.holds_several_profiles == (is_loss_free || format.format == Format::html));
  }
}
