#pragma once

#include <cstdint>

#include "format/processor.hpp"
#include "format/varint.hpp"

#if JFRTREE_HAS_X86_PATHS
#include <immintrin.h>

namespace jfrtree::internal {

/// Whether eight set bits stand in a row.
[[nodiscard]] inline bool has_run_of_8(std::uint64_t bits) noexcept {
  bits &= bits >> 1;
  bits &= bits >> 2;
  return (bits & bits >> 4) != 0;
}

/// Where the varints end in the 32 bytes from the start of one: a bit per byte. Only for functions
/// marked `JFRTREE_FAST_BITS`, behind `has_fast_bits`.
class VarintMask {
 public:
  static constexpr unsigned window = 32;

  /// 32 bytes must be readable.
  JFRTREE_FAST_BITS explicit VarintMask(const std::uint8_t* start) noexcept
      : goes_on_(static_cast<std::uint32_t>(
            _mm256_movemask_epi8(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(start))))) {}

  /// Bits of the bytes without a continuation bit.
  [[nodiscard]] std::uint32_t ends() const noexcept { return ~goes_on_; }

  /// Whether a varint of 9 bytes may lie in the window; its last byte says nothing about its end,
  /// so that the mask is not to be used then.
  [[nodiscard]] bool may_have_longest() const noexcept { return has_run_of_8(goes_on_); }

  /// Position of the last byte of varint number `index` (from 0, below 32) in a mask of `ends`;
  /// `window` when it is not there.
  [[nodiscard]] JFRTREE_FAST_BITS static unsigned end_of(unsigned index,
                                                         std::uint32_t ends) noexcept {
    return _tzcnt_u32(_pdep_u32(std::uint32_t{1} << index, ends));
  }

  /// The number of the varint at a position, of at most 8 bytes; 8 bytes must be readable.
  [[nodiscard]] JFRTREE_FAST_BITS static std::uint64_t value_at(
      const std::uint8_t* first) noexcept {
    const std::uint64_t word = load_little_endian(first);
    const std::uint64_t up_to_end = _blsmsk_u64(~word & 0x8080'8080'8080'8080U);
    return _pext_u64(word & up_to_end, 0x7F7F'7F7F'7F7F'7F7FU);
  }

 private:
  std::uint32_t goes_on_;
};

}  // namespace jfrtree::internal
#endif
