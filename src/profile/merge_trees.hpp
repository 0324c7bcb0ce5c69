#pragma once

#include <cstddef>

#include <jfrtree/call_tree.hpp>

namespace jfrtree::internal {

/// Two trees padded to one shape, for comparing them: every node of either, with zeros on the side
/// that lacks it. The result has two columns, 0 for the left tree's numbers of its `left_column`
/// and 1 for the right one's. The trees may have different frame tables; frames with equal texts
/// are the same. The sample types are those of the two columns, as they are.
///
/// The result keeps the frame tables of both trees alive. Linear, no recursion.
[[nodiscard]] CallTree merge_trees(const CallTree& left, std::size_t left_column,
                                   const CallTree& right, std::size_t right_column);

}  // namespace jfrtree::internal
