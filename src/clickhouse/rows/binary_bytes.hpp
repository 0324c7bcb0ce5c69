#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
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

/// Appends the lowest `size` bytes of each of some numbers, the lowest first.
template <std::size_t size>
void append_numbers(std::string& bytes, std::span<const std::uint64_t> numbers) {
  const std::size_t begin = bytes.size();
  bytes.resize(begin + size * numbers.size());
  char* to = bytes.data() + begin;
  for (const std::uint64_t number : numbers) {
    for (std::size_t i = 0; i < size; ++i) to[i] = static_cast<char>(number >> (8 * i));
    to += size;
  }
}

/// Appends the length of a text and the text.
inline void append_text(std::string& bytes, std::string_view text) {
  append_leb128(bytes, text.size());
  bytes += text;
}

}  // namespace jfrtree::internal
