#include "profile/stack_order.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "io/large_memory.hpp"
#include "profile/stack_sort.hpp"
#include "profile/walk_stacks.hpp"

namespace jfrtree::internal {
namespace {

void check_limit(std::uint64_t nodes, std::uint64_t max_nodes) {
  max_nodes = std::min<std::uint64_t>(max_nodes, std::numeric_limits<std::uint32_t>::max());
  if (nodes > max_nodes) {
    throw LimitError(Problem{.code = ErrorCode::limit_exceeded,
                             .file = {},
                             .message = "the call tree has " + std::to_string(nodes) +
                                        " nodes, more than the limit tree_nodes of " +
                                        std::to_string(max_nodes) +
                                        ": raise the limit or choose fewer samples"});
  }
}

/// Puts the frames of stacks in reverse order and sorts them again.
std::vector<FrameId> reverse_stacks(const Profile& profile, std::vector<StackSum>& stacks) {
  std::size_t frame_count = 0;
  for (const StackSum& stack : profile.stacks) {
    frame_count += stack.frame_count;
  }
  std::vector<FrameId> frame_ids;
  frame_ids.reserve(frame_count);
  stacks.reserve(profile.stacks.size());
  walk_stacks(profile, [&](StackSum stack, auto frames, std::size_t) {
    stack.first_frame = frame_ids.size();
    if (profile.has_thread_frame && !frames.empty()) {
      frame_ids.push_back(frames.front());
      frames = frames.subspan(1);
    }
    frame_ids.insert(frame_ids.end(), frames.rbegin(), frames.rend());
    stacks.push_back(stack);
  });
  sort_stacks(stacks, frame_ids, profile.frame_table->size());
  return frame_ids;
}

}  // namespace

StackOrder::StackOrder(const Profile& profile, bool reverse, std::uint64_t max_nodes,
                       std::uint64_t most_copied) {
  if (profile.stacks.empty()) {
    check_limit(node_count(), max_nodes);
    return;
  }
  if (reverse) {
    reversed_frame_ids_ = reverse_stacks(profile, reversed_stacks_);
  }
  stacks_ = reverse ? reversed_stacks_ : profile.stacks;
  frame_ids_ = reverse ? reversed_frame_ids_ : *profile.frame_ids;
  const std::uint64_t most = std::min(max_nodes, most_copied);
  shared_.reserve(stacks_.size());
  std::uint64_t node_count = 1;
  walk_stacks(stacks_, frame_ids_, [&](const StackSum&, auto frames, std::size_t shared) {
    shared_.push_back(static_cast<std::uint32_t>(shared));
    node_count += frames.size() - shared;
    if (node_count <= most) {
      const auto left = frames.subspan(shared);
      make_room(frames_, left.size());
      frames_.insert(frames_.end(), left.begin(), left.end());
    }
  });
  check_limit(node_count, max_nodes);
  node_count_ = static_cast<std::size_t>(node_count);
  is_copied_ = node_count <= most_copied;
  if (is_copied_) {
    std::vector<FrameId>().swap(reversed_frame_ids_);
  } else {
    frames_.assign(1, root_frame);
  }
}

}  // namespace jfrtree::internal
