#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace jfrtree::internal {

/// Compressed integers of the format: little-endian base 128, at most 9 bytes; the ninth byte gives
/// all its 8 bits and has no continuation bit. Padded forms are normal.

inline constexpr std::size_t max_varint_bytes = 9;

/// Eight bytes as a little-endian number.
[[nodiscard]] inline std::uint64_t load_little_endian(const std::uint8_t* position) noexcept {
  std::uint64_t word;
  std::memcpy(&word, position, sizeof word);
  if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
  return word;
}

/// Decodes one varint; at least 9 bytes must be readable.
[[nodiscard]] inline std::uint64_t read_varint_unchecked(const std::uint8_t*& position) noexcept {
  std::uint64_t byte = *position++;
  if (byte < 0x80) return byte;
  std::uint64_t value = byte & 0x7F;
  for (unsigned shift = 7; shift < 56; shift += 7) {
    byte = *position++;
    value |= (byte & 0x7F) << shift;
    if (byte < 0x80) return value;
  }
  return value | (std::uint64_t{*position++} << 56);
}

/// Decodes one varint that must end before `end`. Returns false, and leaves the position at the
/// start of the varint, when it does not.
[[nodiscard]] inline bool read_varint(const std::uint8_t*& position, const std::uint8_t* end,
                                      std::uint64_t& value) noexcept {
  if (static_cast<std::size_t>(end - position) >= max_varint_bytes) {
    value = read_varint_unchecked(position);
    return true;
  }
  std::uint64_t result = 0;
  unsigned shift = 0;
  for (const std::uint8_t* p = position; p < end; ++p, shift += 7) {
    result |= std::uint64_t{*p & 0x7FU} << shift;
    if (*p < 0x80) {
      position = p + 1;
      value = result;
      return true;
    }
  }
  return false;
}

/// Skips `count` varints that must end at or before `end`; false when they do not.
///
/// Every step starts at the first byte of a varint and looks at 8 bytes at once: bytes without a
/// continuation bit end one. Eight continuation bits in a row are a varint of 9 bytes, whose last
/// byte may hold any bits.
[[nodiscard]] inline bool skip_varints(const std::uint8_t*& position, const std::uint8_t* end,
                                       std::uint64_t count) noexcept {
  constexpr std::uint64_t top_bits = 0x8080'8080'8080'8080U;
  const std::uint8_t* p = position;
  while (count > 0 && static_cast<std::size_t>(end - p) >= max_varint_bytes) {
    std::uint64_t ends = ~load_little_endian(p) & top_bits;
    if (ends == 0) {
      p += max_varint_bytes;
      --count;
      continue;
    }
    // The bits stand 8 apart: the product sums them in its top byte. A population count would be a
    // call of a library function on processors that may lack the instruction.
    const std::uint64_t found = (ends >> 7) * 0x0101'0101'0101'0101U >> 56;
    if (found <= count) {
      p += 8 - static_cast<std::size_t>(std::countl_zero(ends)) / 8;
      count -= found;
      continue;
    }
    while (--count > 0) ends &= ends - 1;
    p += static_cast<std::size_t>(std::countr_zero(ends)) / 8 + 1;
  }
  for (std::uint64_t ignored; count > 0; --count) {
    if (!read_varint(p, end, ignored)) return false;
  }
  position = p;
  return true;
}

/// A fixed-width big-endian integer of `width` bytes (1, 2, 4 or 8).
[[nodiscard]] inline std::uint64_t load_big_endian(const std::uint8_t* position,
                                                   unsigned width) noexcept {
  std::uint64_t value = 0;
  for (unsigned i = 0; i < width; ++i) value = value << 8 | position[i];
  return value;
}

}  // namespace jfrtree::internal
