#pragma once

#include <cstdint>
#include <limits>

namespace jfrtree::internal {

/// Adds sums. Beyond 64 bits the result stays at the largest number: a wrong sum is then never a
/// small one, and the order in which numbers are added does not matter.
[[nodiscard]] constexpr std::uint64_t saturating_add(std::uint64_t a, std::uint64_t b) noexcept {
  const std::uint64_t sum = a + b;
  return sum < a ? std::numeric_limits<std::uint64_t>::max() : sum;
}

/// The same in place; true when the sum would have been larger than 64 bits.
inline bool add_saturated(std::uint64_t& sum, std::uint64_t value) noexcept {
  const bool is_full = value > std::numeric_limits<std::uint64_t>::max() - sum;
  sum = saturating_add(sum, value);
  return is_full;
}

}  // namespace jfrtree::internal
