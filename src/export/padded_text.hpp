#pragma once

#include <cstddef>
#include <cstring>
#include <string_view>

namespace jfrtree::internal {

/// A text with readable bytes behind it up to the next multiple of `block`, at least one block. It
/// is copied by stores of a fixed size, for which names are short enough: no call, no choice by
/// length.
struct PaddedText {
  static constexpr std::size_t block = 32;

  const char* data = nullptr;
  std::size_t size = 0;

  [[nodiscard]] std::string_view view() const noexcept { return {data, size}; }
  /// Bytes that `copy_to` may write at most.
  [[nodiscard]] std::size_t room() const noexcept { return size + block; }

  void copy_to(char* target) const noexcept {
    std::memcpy(target, data, block);
    for (std::size_t offset = block; offset < size; offset += block) {
      std::memcpy(target + offset, data + offset, block);
    }
  }
};

}  // namespace jfrtree::internal
