#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include <jfrtree/diff.hpp>
#include <jfrtree/export.hpp>
#include <jfrtree/output.hpp>

namespace jfrtree {

/// The formats that hold both sides, in the order of the help text.
[[nodiscard]] std::span<const FormatDescription> diff_format_descriptions() noexcept;

/// What a diff's output needs to know beside the profiles.
struct DiffOptions {
  /// As for `write_profiles`. `max_nodes` keeps nodes that are large on either side, `min_width` is
  /// a part of either side's total.
  ExportOptions output{};
  Comparison comparison = Comparison::share;
  std::array<std::string, 2> names{};  ///< of the sides, for a reader
};

/// Writes diffs in a format of `diff_format_descriptions`. `stacks`, `flamebearer` and `nested_set`
/// hold the numbers as they are, `collapsed` the right ones in the measure of the left side: for
/// the former `per_second` is a UsageError. Otherwise as `write_profiles`; of the two sides, a
/// `TreeCut` tells of that on which more was folded.
std::vector<TreeCut> write_diff(Output& output, std::span<const DiffProfile> diffs, Format format,
                                const DiffOptions& options = {});

}  // namespace jfrtree
