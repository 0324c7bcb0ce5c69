#pragma once

#include <jfrtree/call_tree.hpp>

#include "profile/stack_order.hpp"

namespace jfrtree::internal {

/// What `prune` leaves of the tree of ordered stacks, made without that tree: of the nodes that are
/// cut there is one number each.
[[nodiscard]] CallTree build_pruned_tree(const Profile& profile, const StackOrder& order,
                                         const PruneOptions& options);

}  // namespace jfrtree::internal
