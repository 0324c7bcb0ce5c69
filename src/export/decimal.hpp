#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace jfrtree::internal {

/// The digits of the largest number.
inline constexpr std::size_t most_digits = 20;

namespace decimal_details {

/// `000102…99`: two digits at a time.
inline constexpr auto pairs = [] {
  std::array<char, 200> digits{};
  for (std::size_t number = 0; number < 100; ++number) {
    digits[2 * number] = static_cast<char>('0' + number / 10);
    digits[2 * number + 1] = static_cast<char>('0' + number % 10);
  }
  return digits;
}();

inline constexpr auto powers_of_ten = [] {
  std::array<std::uint64_t, most_digits> powers{1};
  for (std::size_t index = 1; index < powers.size(); ++index) {
    powers[index] = powers[index - 1] * 10;
  }
  return powers;
}();

}  // namespace decimal_details

/// How many digits a number has.
[[nodiscard]] constexpr std::size_t count_digits(std::uint64_t number) noexcept {
  // 1233 / 4096 is log10(2) from above, close enough for 64 bits.
  const auto bits = static_cast<std::size_t>(std::bit_width(number | 1U));
  const std::size_t digits = bits * 1233 / 4096;
  return digits + (number >= decimal_details::powers_of_ten[digits] || digits == 0 ? 1 : 0);
}

/// Writes a number and returns the end of its digits; `target` has room for `most_digits`.
inline char* write_decimal(char* target, std::uint64_t number) noexcept {
  if (number < 10) {
    *target = static_cast<char>('0' + number);
    return target + 1;
  }
  char* const end = target + count_digits(number);
  char* begin = end;
  const auto put_pair = [&](std::uint64_t pair) {
    begin -= 2;
    std::memcpy(begin, decimal_details::pairs.data() + 2 * pair, 2);
  };
  for (; number >= 100; number /= 100) {
    put_pair(number % 100);
  }
  if (number >= 10) {
    put_pair(number);
  } else {
    *--begin = static_cast<char>('0' + number);
  }
  return end;
}

}  // namespace jfrtree::internal
