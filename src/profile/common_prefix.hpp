#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include <jfrtree/ids.hpp>

namespace jfrtree::internal {

/// How many frames two stacks have in common, from the first one on.
[[nodiscard]] inline std::size_t common_prefix(std::span<const FrameId> one,
                                               std::span<const FrameId> other) noexcept {
  const std::size_t most = std::min(one.size(), other.size());
  std::size_t length = 0;
  while (length < most && one[length] == other[length]) {
    ++length;
  }
  return length;
}

}  // namespace jfrtree::internal
