#pragma once

#include <cstdint>

#include "format/processor.hpp"
#include "format/varint.hpp"

#if JFRTREE_HAS_X86_PATHS
#include <immintrin.h>

namespace jfrtree::internal {

/// Where the varints end in the 32 bytes from the start of one: a bit per byte. Only for functions
/// marked `JFRTREE_FAST_BITS`, behind `has_fast_bits`.
class VarintMask {
 public:
  static constexpr unsigned window = 32;

  /// 32 bytes must be readable.
  JFRTREE_FAST_BITS explicit VarintMask(const std::uint8_t* start) noexcept
      : start_(start),
        goes_on_(static_cast<std::uint32_t>(
            _mm256_movemask_epi8(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(start))))) {}

  /// Bits of the bytes without a continuation bit.
  [[nodiscard]] std::uint32_t ends() const noexcept { return ~goes_on_; }

  /// Whether eight continuation bits stand in a row: a varint of 9 bytes, whose last byte says
  /// nothing about its end, so that the mask is not to be used.
  [[nodiscard]] bool may_have_longest() const noexcept {
    std::uint32_t runs = goes_on_ & goes_on_ >> 1;
    runs &= runs >> 2;
    return (runs & runs >> 4) != 0;
  }

  /// Position of the last byte of varint number `index` (from 0, below 32); `window` when it lies
  /// beyond.
  [[nodiscard]] JFRTREE_FAST_BITS unsigned end_of(unsigned index) const noexcept {
    return _tzcnt_u32(_pdep_u32(std::uint32_t{1} << index, ends()));
  }

  /// As `end_of`, of the varint number `index` from a position on, which is below `window`.
  [[nodiscard]] JFRTREE_FAST_BITS unsigned end_of(unsigned index, unsigned from) const noexcept {
    const std::uint32_t left = ends() >> from << from;
    return _tzcnt_u32(index == 0 ? left : _pdep_u32(std::uint32_t{1} << index, left));
  }

  /// The number whose bytes are `first` to `last`, at most 8. Up to 8 bytes from `first` on must be
  /// readable.
  [[nodiscard]] JFRTREE_FAST_BITS std::uint64_t value(unsigned first,
                                                      unsigned last) const noexcept {
    const std::uint64_t word = load_little_endian(start_ + first);
    return _pext_u64(_bzhi_u64(word, 8 * (last - first + 1)), 0x7F7F'7F7F'7F7F'7F7FU);
  }

 private:
  const std::uint8_t* start_;
  std::uint32_t goes_on_;
};

}  // namespace jfrtree::internal
#endif
