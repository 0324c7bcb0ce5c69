#pragma once

#include <cstddef>

#include <jfrtree/diff_export.hpp>

namespace jfrtree::internal {

/// One JSON object for scripts: kind, sample type and way of comparing; name, total and time span
/// of each side; all methods, what changed most first, each with its numbers on both sides, their
/// difference in the measure of the comparison, and whether it is `new`, `gone`, `changed` or
/// `same`.
void write_diff_summary(Output& output, const DiffProfile& diff, std::size_t sample_type,
                        const DiffOptions& options);

}  // namespace jfrtree::internal
