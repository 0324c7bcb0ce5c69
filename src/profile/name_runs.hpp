#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace jfrtree::internal {

// A shorter run of decimal digits counts as part of the name: a version, a size, a serial number.
// Identity hashes have up to 10 digits, numbers of temporary files up to 20; a random one below
// this length is one in ten thousand.
inline constexpr std::size_t min_random_digits = 6;

constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

constexpr bool is_hex_digit(char c) noexcept { return is_digit(c) || (c >= 'a' && c <= 'f'); }

/// Length of the characters at the start, or at the end, for which `predicate` holds.
template <typename Predicate>
[[nodiscard]] std::size_t run_at_start(std::string_view text, Predicate predicate) noexcept {
  const auto end = std::find_if_not(text.begin(), text.end(), predicate);
  return static_cast<std::size_t>(end - text.begin());
}

template <typename Predicate>
[[nodiscard]] std::size_t run_at_end(std::string_view text, Predicate predicate) noexcept {
  const auto end = std::find_if_not(text.rbegin(), text.rend(), predicate);
  return static_cast<std::size_t>(end - text.rbegin());
}

template <std::size_t Size>
[[nodiscard]] bool ends_with_any(std::string_view text,
                                 const std::array<std::string_view, Size>& endings) noexcept {
  return std::any_of(endings.begin(), endings.end(),
                     [text](std::string_view ending) { return text.ends_with(ending); });
}

/// A name after as many rounds of `normalize` as change it. Names of generators are done after one
/// or two; one that is not done after a few is none of theirs and stays as it is, so that the
/// result is always one that a further round would not change.
template <typename Normalize>
[[nodiscard]] std::string settled(std::string_view name, Normalize normalize) {
  constexpr int max_rounds = 6;
  std::string text(name);
  for (int round = 0; round < max_rounds; ++round) {
    std::string next = normalize(text);
    if (next == text) return text;
    text = std::move(next);
  }
  return std::string(name);
}

}  // namespace jfrtree::internal
