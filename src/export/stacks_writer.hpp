#pragma once

#include <span>

#include <jfrtree/diff.hpp>
#include <jfrtree/output.hpp>

namespace jfrtree::internal {

/// `jfrtree::write_stacks` of both sides: instead of its numbers a line has `left` and `right`,
/// objects with the numbers of a side as they are.
void write_stacks_sides(Output& output, std::span<const DiffProfile> diffs, unsigned threads);

}  // namespace jfrtree::internal
