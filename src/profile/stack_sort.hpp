#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <jfrtree/ids.hpp>
#include <jfrtree/profile.hpp>

namespace jfrtree::internal {

/// Sorts stacks frame by frame, a prefix first. Ids must be ranks of their texts. Two frames at a
/// time are compared as one number; no recursion.
void sort_stacks(std::vector<StackSum>& stacks, std::span<const FrameId> frames);

}  // namespace jfrtree::internal
