#pragma once

#include <jfrtree/call_tree.hpp>

#include "profile/stack_order.hpp"

namespace jfrtree::internal {

/// A tree of a profile's sample types and frames, still without any node or column.
[[nodiscard]] CallTree empty_tree(const Profile& profile);

/// Makes the totals of a tree from its self columns: adds every node to its parent, which stands
/// before it.
void add_totals(CallTree& tree);

/// The whole tree of ordered stacks.
[[nodiscard]] CallTree build_call_tree(const Profile& profile, StackOrder order);

}  // namespace jfrtree::internal
