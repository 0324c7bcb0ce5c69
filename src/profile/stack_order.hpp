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
  /// `max_nodes` nodes. Of a tree with more than `most_copied` nodes the frames stay where they
  /// are: for those who look at few of them.
  StackOrder(const Profile& profile, bool reverse, std::uint64_t max_nodes,
             std::uint64_t most_copied = ~std::uint64_t{0});

  StackOrder(StackOrder&&) = default;  // a copy would see the stacks of the original
  StackOrder& operator=(StackOrder&&) = default;

  /// Nodes of the tree, the root included.
  [[nodiscard]] std::size_t node_count() const noexcept { return node_count_; }

  /// Calls `visit(stack, shared, new_frames)` for one stack after the other: how many frames it has
  /// in common with the one before, from the root of the tree on, and the others. Each of those is
  /// the next node of the tree in pre-order.
  template <typename Visit>
  void for_each(Visit visit) const {
    for_each_between([&](const StackSum& stack, std::size_t shared, auto new_frames, std::size_t) {
      visit(stack, shared, new_frames);
    });
  }

  /// The same with `visit(stack, shared, new_frames, shared_with_next)`: how many frames the stack
  /// has in common with the one behind it. What is below those has this stack alone.
  template <typename Visit>
  void for_each_between(Visit visit) const {
    std::span<const FrameId> left = std::span(frames_).subspan(1);
    for (std::size_t index = 0; index < stacks_.size(); ++index) {
      const StackSum& stack = stacks_[index];
      const std::size_t shared = shared_[index];
      const std::size_t new_count = stack.frame_count - shared;
      const std::size_t next = index + 1 < stacks_.size() ? shared_[index + 1] : 0;
      if (is_copied_) {
        visit(stack, shared, left.first(new_count), next);
        left = left.subspan(new_count);
      } else {
        visit(stack, shared, frame_ids_.subspan(stack.first_frame + shared, new_count), next);
      }
    }
  }

  /// The frames of all nodes in pre-order, which must have been copied. Nothing else may follow.
  [[nodiscard]] std::vector<FrameId> take_frames() noexcept { return std::move(frames_); }

 private:
  std::vector<StackSum> reversed_stacks_;
  std::vector<FrameId> reversed_frame_ids_;  // while they are not copied
  std::span<const StackSum> stacks_;
  std::span<const FrameId> frame_ids_;
  std::vector<std::uint32_t> shared_;  // by stack
  std::vector<FrameId> frames_{root_frame};
  std::size_t node_count_ = 1;
  bool is_copied_ = true;
};

}  // namespace jfrtree::internal
