#include <array>

#include <jfrtree/diff_export.hpp>
#include <jfrtree/export.hpp>

namespace jfrtree {
namespace {

using namespace std::string_view_literals;

/// More nodes than a screen can show; Pyroscope and Grafana ask for as many.
constexpr std::uint64_t most_drawn_nodes = 16'384;

/// The page draws what is visible and no more. So many nodes take some 2 MB in it and a second to
/// open, and few recordings have more.
constexpr std::uint64_t most_page_nodes = std::uint64_t{1} << 20;

constexpr std::array arrow_endings{".arrow"sv};
constexpr std::array html_endings{".html"sv};
constexpr std::array collapsed_endings{".collapsed"sv, ".folded"sv, ".txt"sv};
constexpr std::array flamebearer_endings{".flamebearer.json"sv};
constexpr std::array nested_set_endings{".csv"sv};
constexpr std::array grafana_endings{".frame.json"sv};
constexpr std::array stacks_endings{".stacks.jsonl"sv};
constexpr std::array summary_endings{".json"sv};
constexpr std::array tree_endings{".tree.json"sv};

constexpr std::array<FormatDescription, 9> descriptions{{
    {Format::html, "html", html_endings, "one page with an interactive flame graph", true,
     most_page_nodes},
    {Format::collapsed, "collapsed", collapsed_endings, "a line per stack: root;...;leaf N", false,
     0},
    {Format::flamebearer, "flamebearer", flamebearer_endings, "JSON for Pyroscope's flame graph",
     false, most_drawn_nodes},
    {Format::nested_set, "nested-set", nested_set_endings,
     "CSV rows level,value,self,label for Grafana's flame graph panel", false, most_drawn_nodes},
    {Format::nested_set_json,
     "nested-set-json",
     {},
     "the rows of nested-set as JSON objects",
     false,
     most_drawn_nodes},
    {Format::grafana, "grafana", grafana_endings, "the rows of nested-set as a Grafana data frame",
     false, most_drawn_nodes},
    {Format::stacks, "stacks", stacks_endings, "JSON lines with every stack, loss-free", true, 0},
    {Format::tree, "tree", tree_endings, "nested JSON with name, self, total and children", false,
     most_drawn_nodes},
    {Format::arrow, "arrow", arrow_endings, "every stack as a row of an Arrow (Feather) table",
     true, 0},
}};

constexpr std::array<FormatDescription, 8> diff_descriptions{{
    {Format::html, "html", html_endings, "one page with a flame graph of what changed", true,
     most_page_nodes},
    {Format::collapsed, "collapsed", collapsed_endings,
     "a line per stack: root;...;leaf BASE OTHER", false, 0},
    {Format::flamebearer, "flamebearer", flamebearer_endings,
     "double JSON for Pyroscope's flame graph", false, most_drawn_nodes},
    {Format::nested_set, "nested-set", nested_set_endings,
     "CSV rows level,value,self,label,valueRight,selfRight for Grafana's flame graph panel", false,
     most_drawn_nodes},
    {Format::nested_set_json,
     "nested-set-json",
     {},
     "the rows of nested-set as JSON objects",
     false,
     most_drawn_nodes},
    {Format::grafana, "grafana", grafana_endings, "the rows of nested-set as a Grafana data frame",
     false, most_drawn_nodes},
    {Format::stacks, "stacks", stacks_endings, "JSON lines with every stack, loss-free", true, 0},
    {Format::summary, "json", summary_endings,
     "totals, and the methods that are new, gone, changed", false, 0},
}};

}  // namespace

std::span<const FormatDescription> format_descriptions() noexcept { return descriptions; }
std::span<const FormatDescription> diff_format_descriptions() noexcept { return diff_descriptions; }

const FormatDescription* find_format(std::string_view name,
                                     std::span<const FormatDescription> formats) noexcept {
  for (const FormatDescription& format : formats) {
    if (format.name == name) {
      return &format;
    }
  }
  return nullptr;
}

const FormatDescription* find_format_by_path(std::string_view path,
                                             std::span<const FormatDescription> formats) noexcept {
  const FormatDescription* best = nullptr;
  std::size_t best_length = 0;
  for (const FormatDescription& format : formats) {
    for (const std::string_view ending : format.endings) {
      if (path.ends_with(ending) && ending.size() > best_length) {
        best = &format;
        best_length = ending.size();
      }
    }
  }
  return best;
}

}  // namespace jfrtree
