#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "format/varint.hpp"
#include "format/varint_skip.hpp"

namespace jfrtree::internal {

/// A position in the bytes of one record, with a sticky error: a read past the end sets it, gives 0
/// and moves to the end, so that one check at the end of a record is enough.
///
/// Integers are compressed, or big-endian of fixed width where the chunk says so.
class ByteReader {
 public:
  ByteReader() = default;
  ByteReader(std::span<const std::byte> bytes, bool has_compressed_integers) noexcept
      : position_(reinterpret_cast<const std::uint8_t*>(bytes.data())),
        end_(position_ + bytes.size()),
        compressed_(has_compressed_integers) {}

  [[nodiscard]] bool failed() const noexcept { return failed_; }
  [[nodiscard]] bool at_end() const noexcept { return position_ == end_; }
  [[nodiscard]] std::size_t remaining() const noexcept {
    return static_cast<std::size_t>(end_ - position_);
  }
  [[nodiscard]] const std::uint8_t* position() const noexcept { return position_; }
  [[nodiscard]] bool has_compressed_integers() const noexcept { return compressed_; }
  /// What is left, for a view of a value.
  [[nodiscard]] std::span<const std::byte> rest() const noexcept {
    return {reinterpret_cast<const std::byte*>(position_), remaining()};
  }

  /// An integer: a varint, or `width` bytes.
  std::uint64_t integer(unsigned width) noexcept {
    std::uint64_t value = 0;
    if (compressed_) {
      if (!read_varint(position_, end_, value)) fail();
      return value;
    }
    if (remaining() < width) return fail();
    value = load_big_endian(position_, width);
    position_ += width;
    return value;
  }
  /// Counts, lengths and indexes are ints of the format, keys and ids are longs.
  std::uint64_t count() noexcept { return integer(4); }
  std::uint64_t key() noexcept { return integer(8); }

  std::uint8_t byte() noexcept {
    if (position_ == end_) return static_cast<std::uint8_t>(fail());
    return *position_++;
  }
  /// Raw big-endian bytes, whatever the mode (float, double).
  std::uint64_t raw(unsigned width) noexcept {
    if (remaining() < width) return fail();
    const std::uint64_t value = load_big_endian(position_, width);
    position_ += width;
    return value;
  }

  void skip_bytes(std::uint64_t count) noexcept {
    if (remaining() < count) {
      fail();
    } else {
      position_ += count;
    }
  }
  /// Skips `count` integers of `width`.
  void skip_integers(std::uint64_t count, unsigned width) noexcept {
    if (!compressed_) {
      if (count > remaining() / width) {
        fail();
      } else {
        position_ += count * width;
      }
    } else if (count > remaining() ||
               !(count < many_integers ? skip_varints(position_, end_, count)
                                       : skip_many_varints(position_, end_, count))) {
      fail();
    }
  }

  std::uint64_t fail() noexcept {
    failed_ = true;
    position_ = end_;
    return 0;
  }

 private:
  static constexpr std::uint64_t many_integers = 12;

  const std::uint8_t* position_ = nullptr;
  const std::uint8_t* end_ = nullptr;
  bool compressed_ = true;
  bool failed_ = false;
};

}  // namespace jfrtree::internal
