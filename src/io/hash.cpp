#include "io/hash.hpp"

#include <chrono>
#include <cstring>
#include <exception>
#include <random>

namespace jfrtree::internal {
namespace {

__extension__ using Uint128 = unsigned __int128;

// High and low half of the product, folded: every bit of both factors reaches most of the result.
std::uint64_t multiply_fold(std::uint64_t left, std::uint64_t right) noexcept {
  const Uint128 product = static_cast<Uint128>(left) * right;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

std::uint64_t load(const char* bytes, std::size_t count) noexcept {
  std::uint64_t value = 0;
  std::memcpy(&value, bytes, count);
  return value;
}

std::uint64_t random_seed() noexcept {
  // The clock and an address of this run: not secret, but better than a constant where the system
  // gives no random numbers.
  static const char anchor = 0;
  const auto ticks = std::chrono::steady_clock::now().time_since_epoch().count();
  std::uint64_t seed = mix64(static_cast<std::uint64_t>(ticks),
                             static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(&anchor)));
  try {
    std::random_device device;
    seed ^= (static_cast<std::uint64_t>(device()) << 32) | device();
  } catch (const std::exception&) {
    // The fallback above stands.
  }
  return seed;
}

}  // namespace

std::uint64_t process_seed() noexcept {
  static const std::uint64_t seed = random_seed();
  return seed;
}

std::uint64_t hash_bytes(std::string_view text, std::uint64_t seed) noexcept {
  constexpr std::uint64_t first_key = 0x8F1D'9E6B'27C5'A3D5U;
  constexpr std::uint64_t second_key = 0xC4A7'3B59'E10F'6D2BU;
  const char* bytes = text.data();
  std::size_t left = text.size();
  std::uint64_t state = mix64(left, seed);
  while (left > 16) {
    state = multiply_fold(load(bytes, 8) ^ first_key ^ seed, load(bytes + 8, 8) ^ state);
    bytes += 16;
    left -= 16;
  }
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  if (left > 8) {
    low = load(bytes, 8);
    high = load(bytes + 8, left - 8);
  } else if (left > 0) {
    low = load(bytes, left);
  }
  state ^= multiply_fold(low ^ second_key ^ seed, high ^ state);
  return mix64(state, seed);
}

}  // namespace jfrtree::internal
