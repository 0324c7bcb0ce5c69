#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace jfrtree::internal {

/// Appends a number as LEB128.
inline void append_leb128(std::string& bytes, std::uint64_t number) {
  constexpr std::uint64_t more = 0x80;
  for (; number >= more; number >>= 7) bytes += static_cast<char>(number | more);
  bytes += static_cast<char>(number);
}

/// Appends the lowest `size` bytes of a number, the lowest first.
inline void append_number(std::string& bytes, std::uint64_t number, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) bytes += static_cast<char>(number >> (8 * i));
}

/// Appends the length of a text and the text.
inline void append_text(std::string& bytes, std::string_view text) {
  append_leb128(bytes, text.size());
  bytes += text;
}

}  // namespace jfrtree::internal
