#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <jfrtree/profile.hpp>

namespace jfrtree::internal {

/// The stacks of a profile in the order in which a tree is built from them, sorted from the root or
/// from the leaf on, and the frames of that tree.
///
/// Sorted stacks lie anywhere in a profile's frames. Here they are visited once; what a tree needs
/// of them lies one behind the other afterwards.
class StackOrder {
 public:
  /// `reverse` orders the stacks by their frames from the leaf on; a thread frame stays the first.
  /// The profile must outlive this object. Throws LimitError when the tree has more than
  /// `max_nodes` nodes.
  StackOrder(const Profile& profile, bool reverse, std::uint64_t max_nodes);

  StackOrder(StackOrder&&) = default;  // a copy would see the stacks of the original
  StackOrder& operator=(StackOrder&&) = default;

  /// Nodes of the tree, the root included.
  [[nodiscard]] std::size_t node_count() const noexcept { return frames_.size(); }

  /// Calls `visit(stack, shared, new_frames)` for one stack after the other: how many frames it has
  /// in common with the one before, from the root of the tree on, and the others. Each of those is
  /// the next node of the tree in pre-order.
  template <typename Visit>
  void for_each(Visit visit) const {
    std::span<const FrameId> left = std::span(frames_).subspan(1);
    for (std::size_t index = 0; index < stacks_.size(); ++index) {
      const std::size_t new_count = stacks_[index].frame_count - shared_[index];
      visit(stacks_[index], std::size_t{shared_[index]}, left.first(new_count));
      left = left.subspan(new_count);
    }
  }

  /// The frames of all nodes in pre-order. Nothing else may follow.
  [[nodiscard]] std::vector<FrameId> take_frames() noexcept { return std::move(frames_); }

 private:
  std::vector<StackSum> reversed_stacks_;
  std::span<const StackSum> stacks_;
  std::vector<std::uint32_t> shared_;  // by stack
  std::vector<FrameId> frames_{root_frame};
};

}  // namespace jfrtree::internal
