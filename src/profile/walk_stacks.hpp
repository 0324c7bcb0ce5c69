#pragma once

#include <cstddef>
#include <span>

#include <jfrtree/ids.hpp>
#include <jfrtree/profile.hpp>

#include "profile/common_prefix.hpp"

namespace jfrtree::internal {

/// Asks for the frames of a stack before they are needed. Sorted stacks lie anywhere among the
/// frames, so that the processor cannot foresee where the next one is.
inline void prefetch_frames(const StackSum& stack, std::span<const FrameId> frame_ids) noexcept {
  constexpr std::size_t frames_in_line = 64 / sizeof(FrameId);
  constexpr std::size_t most_lines = 8;
  const std::size_t lines = stack.frame_count / frames_in_line + 1;
  const FrameId* const first = frame_ids.data() + stack.first_frame;
  for (std::size_t line = 0; line < lines && line < most_lines; ++line) {
    __builtin_prefetch(first + line * frames_in_line);
  }
}

/// Calls `visit(stack, frames, shared)` for one stack after the other. `shared` is how many frames,
/// from the root on, the stack has in common with the one before.
template <typename Visit>
void walk_stacks(std::span<const StackSum> stacks, std::span<const FrameId> frame_ids,
                 Visit visit) {
  constexpr std::size_t ahead = 8;
  std::span<const FrameId> before;
  for (std::size_t index = 0; index < stacks.size(); ++index) {
    if (stacks.size() - index > ahead) {
      prefetch_frames(stacks[index + ahead], frame_ids);
    }
    const StackSum& stack = stacks[index];
    const auto frames = frame_ids.subspan(stack.first_frame, stack.frame_count);
    visit(stack, frames, common_prefix(before, frames));
    before = frames;
  }
}

/// The same for the stacks of a profile.
template <typename Visit>
void walk_stacks(const Profile& profile, Visit visit) {
  if (!profile.stacks.empty()) {
    walk_stacks(profile.stacks, *profile.frame_ids, visit);
  }
}

}  // namespace jfrtree::internal
