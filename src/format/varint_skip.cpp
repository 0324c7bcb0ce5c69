#include "format/varint_skip.hpp"

#include "format/varint_mask.hpp"

namespace jfrtree::internal {

#if JFRTREE_HAS_X86_PATHS

namespace {

/// Every window starts at the first byte of a varint. Where a varint of 9 bytes may lie in it, a
/// few varints are left to the plain version.
JFRTREE_FAST_BITS bool skip_many_fast(const std::uint8_t*& position, const std::uint8_t* end,
                                      std::uint64_t count) noexcept {
  constexpr std::uint64_t few = 8;
  const std::uint8_t* p = position;
  while (count > 0 && static_cast<std::size_t>(end - p) >= VarintMask::window) {
    const VarintMask mask(p);
    if (mask.may_have_longest()) {
      const std::uint64_t some = count < few ? count : few;
      if (!skip_varints(p, end, some)) return false;
      count -= some;
      continue;
    }
    const auto found = static_cast<std::uint64_t>(_mm_popcnt_u32(mask.ends()));
    if (found > count) {
      position = p + VarintMask::end_of(static_cast<unsigned>(count - 1), mask.ends()) + 1;
      return true;
    }
    count -= found;
    p += VarintMask::window - _lzcnt_u32(mask.ends());
  }
  if (!skip_varints(p, end, count)) return false;
  position = p;
  return true;
}

}  // namespace

bool skip_many_varints(const std::uint8_t*& position, const std::uint8_t* end,
                       std::uint64_t count) noexcept {
  return has_fast_bits() ? skip_many_fast(position, end, count)
                         : skip_varints(position, end, count);
}

#else

bool skip_many_varints(const std::uint8_t*& position, const std::uint8_t* end,
                       std::uint64_t count) noexcept {
  return skip_varints(position, end, count);
}

#endif

}  // namespace jfrtree::internal
