#include "cli/comparison_arguments.hpp"

#include <cstddef>

#include <jfrtree/error.hpp>

namespace jfrtree::cli {

void ComparisonArguments::add_to(CommandLine& line) {
  line.add_flag("--absolute",
                "compare the numbers as they are; default: as shares of each side's total",
                is_absolute_);
  line.add_flag("--per-second", "compare rates over the time that each side recorded",
                is_per_second_);
}

Comparison ComparisonArguments::comparison() const noexcept {
  return is_absolute_     ? Comparison::absolute
         : is_per_second_ ? Comparison::per_second
                          : Comparison::share;
}

void ComparisonArguments::check() const {
  if (is_absolute_ && is_per_second_) {
    throw UsageError("--absolute and --per-second contradict each other");
  }
}

void ComparisonArguments::check_format(const FormatDescription& format) const {
  const bool has_measure = format.format == Format::html || format.format == Format::collapsed ||
                           format.format == Format::summary;
  if (is_per_second_ && !has_measure) {
    throw UsageError("--per-second: " + std::string(format.name) +
                     " holds the numbers as they are, no rates; html, collapsed and json do");
  }
}

void ComparisonArguments::check_rates(const std::vector<DiffProfile>& diffs,
                                      const std::string& sample_type) const {
  if (!is_per_second_ || diffs.size() > 1) {
    return;
  }
  const Profile& left = diffs.front().left;
  const std::size_t type =
      sample_type.empty() ? left.default_sample_type : left.find_sample_type(sample_type);
  try {
    static_cast<void>(side_units(diffs.front(), type, Comparison::per_second));
  } catch (const UsageError& error) {
    throw UsageError(std::string("--per-second: ") + error.what());
  }
}

}  // namespace jfrtree::cli
