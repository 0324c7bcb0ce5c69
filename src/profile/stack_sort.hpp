#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <jfrtree/ids.hpp>
#include <jfrtree/profile.hpp>

#include "io/thread_team.hpp"

namespace jfrtree::internal {

/// Sorts stacks frame by frame, a prefix first. Ids must be ranks of their texts, and below
/// `frame_ids`, at most 2^32: the fewer there are, the more frames are compared as one number. No
/// recursion. Throws Interrupted where the team does.
void sort_stacks(std::vector<StackSum>& stacks, std::span<const FrameId> frames,
                 std::uint64_t frame_ids, ThreadTeam& team);

/// The same on the calling thread.
void sort_stacks(std::vector<StackSum>& stacks, std::span<const FrameId> frames,
                 std::uint64_t frame_ids);

}  // namespace jfrtree::internal
