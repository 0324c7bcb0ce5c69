#pragma once

#include <optional>
#include <string>
#include <vector>

#include <jfrtree/export.hpp>
#include <jfrtree/labels.hpp>

#include "cli/command_line.hpp"
#include "cli/input_files.hpp"

namespace jfrtree::cli {

/// `--label` and `--label-from-path`: what is said of the inputs.
struct LabelArguments {
  Labels labels;                        ///< of all inputs, by `--label`
  std::optional<LabelPattern> pattern;  ///< of each input, by `--label-from-path`

  /// In a group of their own.
  void add_to(CommandLine& line);
  /// The option that was given, or null.
  [[nodiscard]] const char* given_option() const noexcept;
  /// Throws UsageError when labels are given for a format that has no place for them.
  void check_format(const FormatDescription& format) const;
  /// Fills in the labels of the sources. Where both options give a key, `--label` counts. A path
  /// that the pattern is not found in is a note in `found`.
  void apply_to(InputFiles& inputs) const;

 private:
  void add_label(const std::string& text);
};

}  // namespace jfrtree::cli
