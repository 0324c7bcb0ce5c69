#include "cli/export_arguments.hpp"

#include <utility>
#include <vector>

#include <jfrtree/error.hpp>

#include "cli/binary_formats.hpp"
#include "cli/help.hpp"
#include "cli/text.hpp"

namespace jfrtree::cli {
namespace {

std::vector<std::string> format_names(std::span<const FormatDescription> formats,
                                      bool only_several) {
  std::vector<std::string> names;
  for (const FormatDescription& format : formats) {
    if (format.holds_several_profiles || !only_several) {
      names.emplace_back(format.name);
    }
  }
  return names;
}

}  // namespace

void ExportArguments::add_format_to(CommandLine& line) {
  line.begin_group("Format");
  line.add_value("--format", "FORMAT", "output format (below); default: by the ending of OUT",
                 [this](const std::string& value) { format = value; });
  line.add_value("--title", "TEXT", "title of the page; only for html",
                 [this](const std::string& value) { title = value; });
}

void ExportArguments::add_tree_to(CommandLine& line) {
  line.begin_group("Tree");
  line.add_flag("--reverse", "callers below the methods they call: the tree begins at the leaves",
                reverse);
  line.add_value("--min-width", "PERCENT", "fold nodes below this share of the total into (other)",
                 [this](const std::string& value) {
                   min_width = parse_decimal("--min-width", value, 0, 100);
                 });
  line.add_value(
      "--max-nodes", "N",
      "keep about the N largest nodes; 0: all; default: 1048576 for html, 16384 for other "
      "trees",
      [this](const std::string& value) {
        max_nodes = parse_number("--max-nodes", value, 0, ~std::uint64_t{0});
      });
}

const FormatDescription& ExportArguments::choose_format(
    const std::string& output, std::span<const FormatDescription> formats) const {
  const FormatDescription* chosen = nullptr;
  const std::vector<std::string> names = format_names(formats, false);
  if (find_format("arrow", formats) != nullptr) {
    refuse_parquet(format, output);
  }
  if (format) {
    chosen = find_format(*format, formats);
    if (chosen == nullptr) {
      throw UsageError("--format: no format is called '" + *format + "', the formats are " +
                       join(names, ", "));
    }
    return *chosen;
  }
  if (output == "-") {
    throw UsageError("--format: needed for standard output, the formats are " + join(names, ", "));
  }
  chosen = find_format_by_path(output, formats);
  if (chosen == nullptr) {
    throw UsageError("--output: the ending of '" + output +
                     "' names no format, choose one with --format: " + join(names, ", "));
  }
  return *chosen;
}

void ExportArguments::check(const FormatDescription& chosen, bool wants_several,
                            std::span<const FormatDescription> formats) const {
  const std::string format_name(chosen.name);
  if (wants_several && !chosen.holds_several_profiles) {
    throw UsageError("--profile: " + format_name +
                     " holds one profile; formats that hold several are " +
                     join(format_names(formats, true), ", "));
  }
  if (title && chosen.format != Format::html) {
    throw UsageError("--title: " + format_name + " has no title, only html has");
  }
  const bool is_whole = chosen.format == Format::stacks || chosen.format == Format::arrow;
  if (tree_option() != nullptr && is_whole) {
    throw UsageError(std::string(tree_option()) + ": " + format_name +
                     " holds every stack whole, not a tree");
  }
  if (tree_option() != nullptr && chosen.format == Format::summary) {
    throw UsageError(std::string(tree_option()) + ": json is about all methods, not a tree");
  }
}

const char* ExportArguments::tree_option() const noexcept {
  return reverse                     ? "--reverse"
         : min_width > 0             ? "--min-width"
         : max_nodes.value_or(0) > 0 ? "--max-nodes"
                                     : nullptr;
}

void ExportArguments::apply_to(ExportOptions& options) const {
  options.max_nodes = max_nodes;
  options.min_width = min_width;
  options.reverse = reverse;
}

std::string formats_help(std::span<const FormatDescription> formats) {
  std::vector<std::pair<std::string, std::string>> definitions;
  for (const FormatDescription& format : formats) {
    std::string description(format.description);
    if (!format.endings.empty()) {
      description += " (" + join(format.endings, " ") + ")";
    }
    definitions.emplace_back(format.name, description);
  }
  return definitions_text("Formats", definitions);
}

}  // namespace jfrtree::cli
