#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <jfrtree/call_tree.hpp>

namespace jfrtree::internal {

/// Which bars a flamebearer has, in which order, and how they are called.
struct FlamebearerLayout {
  /// Nodes of the tree, level after level, each from left to right. Nodes without a total in any of
  /// the columns are left out.
  std::vector<std::uint32_t> nodes;
  std::vector<std::size_t> level_ends;  ///< per level: the end of its nodes in `nodes`
  std::vector<FrameId> names;           ///< of the names behind the first, which is `total`
  std::vector<std::uint32_t> name;      ///< per node of the tree: its name, 0 for the first
};

/// The layout for some columns of a tree: one for the single form, two for the double one.
///
/// Names are numbered in the order of a walk that goes to the rightmost child first. Equal names
/// share a number. As in Pyroscope a frame called `total` shares the root's in the single form; in
/// the double form a frame without a name does.
[[nodiscard]] FlamebearerLayout flamebearer_layout(const CallTree& tree,
                                                   std::span<const std::size_t> columns);

}  // namespace jfrtree::internal
