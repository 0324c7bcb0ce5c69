#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

namespace jfrtree::internal {

/// A number chosen at random once per process. Keys of every hash map that come from a file are
/// mixed with it: nobody can prepare a file whose keys collide, and results cannot come to depend
/// on the order of a map unnoticed. Thread-safe.
[[nodiscard]] std::uint64_t process_seed() noexcept;

/// Mixes all bits of `value` and `seed` into all bits of the result; for one seed no two values
/// have the same result.
[[nodiscard]] constexpr std::uint64_t mix64(std::uint64_t value, std::uint64_t seed) noexcept {
  // Two rounds of shift and multiply by odd constants, with the seed before and between, so that
  // no difference of two values is known to cancel out.
  value ^= seed;
  value = (value ^ (value >> 32)) * 0x9FB2'1C65'1E98'DF25U;
  value ^= (seed >> 29) | (seed << 35);
  value = (value ^ (value >> 29)) * 0xD6E8'FEB8'6659'FD93U;
  return value ^ (value >> 32);
}

/// The same with the seed of the process.
[[nodiscard]] inline std::uint64_t mix64(std::uint64_t value) noexcept {
  return mix64(value, process_seed());
}

/// Hash of the bytes of `text` and `seed`; all 64 bits are usable. Differs between processes of
/// different byte order, so it is never written anywhere.
[[nodiscard]] std::uint64_t hash_bytes(std::string_view text, std::uint64_t seed) noexcept;

/// The same with the seed of the process.
[[nodiscard]] inline std::uint64_t hash_bytes(std::string_view text) noexcept {
  return hash_bytes(text, process_seed());
}

/// Hash for maps whose keys come from a file: integers, id enums, strings, and pairs of these.
struct SeededHash {
  using is_transparent = void;

  /// Held in the map, so that hashing a key costs no call.
  std::uint64_t seed = process_seed();

  template <typename Key>
  requires(std::is_integral_v<Key> || std::is_enum_v<Key>) [[nodiscard]] std::size_t operator()(
      Key key) const noexcept {
    return static_cast<std::size_t>(mix64(static_cast<std::uint64_t>(key), seed));
  }

  [[nodiscard]] std::size_t operator()(std::string_view key) const noexcept {
    return static_cast<std::size_t>(hash_bytes(key, seed));
  }

  template <typename First, typename Second>
  [[nodiscard]] std::size_t operator()(const std::pair<First, Second>& key) const noexcept {
    const std::uint64_t first = (*this)(key.first);
    return SeededHash{first}(key.second);
  }
};

}  // namespace jfrtree::internal
