#pragma once

#include <cstddef>

#include <jfrtree/call_tree.hpp>
#include <jfrtree/output.hpp>

namespace jfrtree::internal {

/// Collapsed stacks of a tree that is pruned or rooted at the leaves, in the form of
/// `jfrtree::write_collapsed`: one line per node whose self is above 0.
void write_collapsed_tree(Output& output, const CallTree& tree, std::size_t sample_type);

}  // namespace jfrtree::internal
