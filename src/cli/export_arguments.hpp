#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include <jfrtree/export.hpp>

#include "cli/command_line.hpp"

namespace jfrtree::cli {

/// The options that choose a format and say what a tree in it looks like.
struct ExportArguments {
  std::optional<std::string> format;
  std::optional<std::string> title;
  bool reverse = false;
  double min_width = 0;
  std::optional<std::uint64_t> max_nodes;

  void add_format_to(CommandLine& line);
  void add_tree_to(CommandLine& line);

  /// The format asked for, else the one that the ending of the output's path names. Throws
  /// UsageError when that is none of `formats`.
  [[nodiscard]] const FormatDescription& choose_format(
      const std::string& output, std::span<const FormatDescription> formats) const;
  /// Throws UsageError for options that a format has no use for, and for several profiles in a
  /// format of `formats` that holds one.
  void check(const FormatDescription& chosen, bool wants_several,
             std::span<const FormatDescription> formats) const;
  /// The option given that changes trees, or null.
  [[nodiscard]] const char* tree_option() const noexcept;

  /// Fills in what was given, but the title.
  void apply_to(ExportOptions& options) const;
};

/// Formats with their endings, for help.
[[nodiscard]] std::string formats_help(std::span<const FormatDescription> formats);

}  // namespace jfrtree::cli
