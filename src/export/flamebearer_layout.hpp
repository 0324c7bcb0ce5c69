#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <jfrtree/call_tree.hpp>

namespace jfrtree::internal {

/// A bar on one side of a flamebearer.
struct FlamebearerBar {
  std::uint64_t offset = 0;  ///< from the end of the bar before on its level
  std::uint64_t total = 0;
  std::uint64_t self = 0;
};

/// Which bars a flamebearer has, in which order, and how they are called. Bars stand level after
/// level, on each from left to right.
struct FlamebearerLayout {
  std::vector<std::vector<FlamebearerBar>> bars;  ///< by column
  std::vector<std::uint32_t> name;                ///< by bar: its name, 0 for the first
  std::vector<std::size_t> level_ends;            ///< by level: the end of its bars
  std::vector<FrameId> names;                     ///< those behind the first, which is `total`
};

/// The layout for some columns of a tree: one for the single form, two for the double one. Nodes
/// without a total in any of the columns are left out. Children begin behind their parent's self.
///
/// Names are numbered in the order of a walk that goes to the rightmost child first. Equal names
/// share a number. As in Pyroscope a frame called `total` shares the root's in the single form; in
/// the double form a frame without a name does.
[[nodiscard]] FlamebearerLayout flamebearer_layout(const CallTree& tree,
                                                   std::span<const std::size_t> columns);

}  // namespace jfrtree::internal
