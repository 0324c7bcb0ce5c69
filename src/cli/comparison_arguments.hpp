#pragma once

#include <string>
#include <vector>

#include <jfrtree/diff_export.hpp>

#include "cli/command_line.hpp"

namespace jfrtree::cli {

/// `--absolute` and `--per-second`: how the numbers of two sides are compared.
class ComparisonArguments {
 public:
  /// Adds the options to the group that was begun last.
  void add_to(CommandLine& line);
  [[nodiscard]] Comparison comparison() const noexcept;

  /// Throws UsageError for both options at once.
  void check() const;
  /// Throws UsageError for rates in a format that holds numbers as they are.
  void check_format(const FormatDescription& format) const;
  /// Throws UsageError where a diff that stands alone has no rates of a sample type, empty: the
  /// default.
  void check_rates(const std::vector<DiffProfile>& diffs, const std::string& sample_type) const;

 private:
  bool is_absolute_ = false;
  bool is_per_second_ = false;
};

}  // namespace jfrtree::cli
