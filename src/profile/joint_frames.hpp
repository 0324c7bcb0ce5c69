#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <jfrtree/ids.hpp>
#include <jfrtree/profile.hpp>

namespace jfrtree::internal {

/// One frame table for two, and what the frames of each are called there. All three are sorted by
/// text.
struct JointFrames {
  std::shared_ptr<const FrameTable> table;
  std::array<std::vector<std::uint32_t>, 2> joint_ids;  ///< by side and frame; empty: unchanged

  [[nodiscard]] FrameId joint(std::size_t side, FrameId frame) const noexcept {
    const std::vector<std::uint32_t>& ids = joint_ids[side];
    return raw(frame) < ids.size() ? FrameId{ids[raw(frame)]} : frame;
  }
};

/// Keeps the texts of both tables alive. A null pointer is a table without frames.
[[nodiscard]] JointFrames join_frames(const std::shared_ptr<const FrameTable>& left,
                                      const std::shared_ptr<const FrameTable>& right);

}  // namespace jfrtree::internal
