#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <jfrtree/call_tree.hpp>

namespace jfrtree::internal {

/// A copy of a tree with the nodes that are marked in `kept` and whose ancestors are; the root
/// always stays. What is cut below a node becomes its one child `(other)`, with the sums in every
/// column. An `(other)` that the tree had already becomes part of that child.
[[nodiscard]] CallTree cut_nodes(const CallTree& tree, const std::vector<bool>& kept);

/// The rank-th largest number, from 1 on; `rank` is at most numbers.size(). Equal numbers count
/// each. Reorders `numbers`.
[[nodiscard]] std::uint64_t nth_largest(std::span<std::uint64_t> numbers, std::size_t rank);

}  // namespace jfrtree::internal
