#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <jfrtree/ids.hpp>
#include <jfrtree/profile.hpp>

namespace jfrtree::internal {

/// Sorts stacks frame by frame, a prefix first. Ids must be ranks of their texts, and below
/// `frame_ids`, at most 2^32: the fewer there are, the more frames are compared as one number. No
/// recursion.
void sort_stacks(std::vector<StackSum>& stacks, std::span<const FrameId> frames,
                 std::uint64_t frame_ids);

}  // namespace jfrtree::internal
