#pragma once

#include <array>
#include <cstddef>

#include <jfrtree/call_tree.hpp>
#include <jfrtree/diff.hpp>
#include <jfrtree/output.hpp>

namespace jfrtree::internal {

/// Collapsed stacks of a tree that is pruned or rooted at the leaves, in the form of
/// `jfrtree::write_collapsed`: one line per node whose self is above 0.
void write_collapsed_tree(Output& output, const CallTree& tree, std::size_t sample_type);

/// The same of both sides of a diff: lines with two numbers, the right one in the measure of the
/// left side. There is one where either number is above 0 as it is.
void write_collapsed_sides(Output& output, const CallTree& tree, std::array<std::size_t, 2> columns,
                           const SideUnits& units);

}  // namespace jfrtree::internal
