#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace jfrtree::internal {

/// A place in bytes of RowBinary: numbers of fixed size, little endian; texts and arrays behind
/// their length as LEB128. A read that needs more bytes than there are fails, and nothing after it
/// succeeds.
class BinaryCursor {
 public:
  explicit BinaryCursor(std::string_view bytes)
      : position_(bytes.data()), end_(bytes.data() + bytes.size()) {}

  [[nodiscard]] const char* position() const noexcept { return position_; }
  [[nodiscard]] std::size_t left() const noexcept {
    return static_cast<std::size_t>(end_ - position_);
  }
  void skip(std::size_t count) noexcept { position_ += count; }

  /// A length. More than ten bytes are none: they count as the largest number.
  [[nodiscard]] bool read_length(std::uint64_t& length) noexcept {
    if (position_ < end_ && static_cast<signed char>(*position_) >= 0) {
      length = static_cast<std::uint64_t>(*position_++);
      return true;
    }
    return read_long_length(length);
  }

  template <typename Number>
  [[nodiscard]] bool read(Number& number) noexcept {
    if (left() < sizeof number) {
      return false;
    }
    number = load<Number>(position_);
    position_ += sizeof number;
    return true;
  }

  template <typename Number>
  [[nodiscard]] static Number load(const char* bytes) noexcept {
    Number number = 0;
    if constexpr (std::endian::native == std::endian::little) {
      std::memcpy(&number, bytes, sizeof number);
    } else {
      for (std::size_t i = sizeof number; i > 0; --i) {
        number = static_cast<Number>(number << 8 | static_cast<unsigned char>(bytes[i - 1]));
      }
    }
    return number;
  }

 private:
  [[nodiscard]] bool read_long_length(std::uint64_t& length) noexcept {
    length = 0;
    const char* next = position_;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (next == end_) {
        return false;
      }
      const auto byte = static_cast<unsigned char>(*next++);
      length |= std::uint64_t{byte & 0x7FU} << shift;
      if (byte < 0x80) {
        position_ = next;
        return true;
      }
    }
    length = ~std::uint64_t{0};
    return true;
  }

  const char* position_;
  const char* end_;
};

}  // namespace jfrtree::internal
