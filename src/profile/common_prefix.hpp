#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include <jfrtree/ids.hpp>

namespace jfrtree::internal {

/// How many frames two stacks have in common, from the first one on.
[[nodiscard]] inline std::size_t common_prefix(std::span<const FrameId> one,
                                               std::span<const FrameId> other) noexcept {
  // Two frames are compared as one word: neighbours have most of their frames in common.
  constexpr std::size_t in_word = sizeof(std::uint64_t) / sizeof(FrameId);
  const std::size_t most = std::min(one.size(), other.size());
  std::size_t length = 0;
  while (most - length >= in_word) {
    std::uint64_t left = 0;
    std::uint64_t right = 0;
    std::memcpy(&left, one.data() + length, sizeof left);
    std::memcpy(&right, other.data() + length, sizeof right);
    if (const std::uint64_t difference = left ^ right; difference != 0) {
      const int equal_bits = std::endian::native == std::endian::little
                                 ? std::countr_zero(difference)
                                 : std::countl_zero(difference);
      return length + static_cast<std::size_t>(equal_bits) / (8 * sizeof(FrameId));
    }
    length += in_word;
  }
  if (length < most && one[length] == other[length]) {
    ++length;
  }
  return length;
}

}  // namespace jfrtree::internal
