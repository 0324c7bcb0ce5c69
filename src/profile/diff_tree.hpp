#pragma once

#include <cstddef>

#include <jfrtree/call_tree.hpp>
#include <jfrtree/diff.hpp>

namespace jfrtree::internal {

/// The columns of a sample type in a diff's tree, left and right.
[[nodiscard]] inline std::array<std::size_t, 2> side_columns(const CallTree& tree,
                                                             std::size_t sample_type) noexcept {
  return {sample_type, tree.sample_types.size() / 2 + sample_type};
}

/// A copy of a diff's tree without the nodes that are too small on both sides. The larger of a
/// node's two numbers, in the measure of the left side, decides for `max_nodes`; for `min_width`
/// it is enough to be so wide on one side. Of equal numbers the first in pre-order stay.
[[nodiscard]] CallTree prune_diff_tree(const CallTree& tree, const SideUnits& units,
                                       const PruneOptions& options);

}  // namespace jfrtree::internal
