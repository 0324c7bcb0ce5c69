#include "io/xxh64.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace jfrtree::internal {

namespace {

// The constants of the published algorithm.
constexpr std::uint64_t prime_1 = 0x9E37'79B1'85EB'CA87U;
constexpr std::uint64_t prime_2 = 0xC2B2'AE3D'27D4'EB4FU;
constexpr std::uint64_t prime_3 = 0x1656'67B1'9E37'79F9U;
constexpr std::uint64_t prime_4 = 0x85EB'CA77'C2B2'AE63U;
constexpr std::uint64_t prime_5 = 0x27D4'EB2F'1656'67C5U;

/// Numbers are read as little endian, whatever the machine.
template <typename Number>
[[nodiscard]] Number read_number(const std::byte* bytes) noexcept {
  Number number = 0;
  if constexpr (std::endian::native == std::endian::little) {
    std::memcpy(&number, bytes, sizeof number);
  } else {
    for (std::size_t i = sizeof number; i-- > 0;) {
      number = static_cast<Number>(number << 8 | std::to_integer<Number>(bytes[i]));
    }
  }
  return number;
}

[[nodiscard]] constexpr std::uint64_t round(std::uint64_t lane, std::uint64_t word) noexcept {
  return std::rotl(lane + word * prime_2, 31) * prime_1;
}

[[nodiscard]] constexpr std::uint64_t merge(std::uint64_t hash, std::uint64_t lane) noexcept {
  return (hash ^ round(0, lane)) * prime_1 + prime_4;
}

}  // namespace

const std::array<std::uint64_t, 4> Xxh64::first_lanes = {prime_1 + prime_2, prime_2, 0,
                                                         std::uint64_t{0} - prime_1};

void Xxh64::add_stripe(const std::byte* stripe) noexcept {
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    lanes_[i] = round(lanes_[i], read_number<std::uint64_t>(stripe + i * sizeof(std::uint64_t)));
  }
}

void Xxh64::add(std::span<const std::byte> bytes) noexcept {
  size_ += bytes.size();
  if (rest_size_ > 0) {
    const auto part = bytes.first(std::min(bytes.size(), stripe_bytes - rest_size_));
    std::copy(part.begin(), part.end(), rest_.begin() + static_cast<std::ptrdiff_t>(rest_size_));
    rest_size_ += part.size();
    bytes = bytes.subspan(part.size());
    if (rest_size_ < stripe_bytes) return;
    add_stripe(rest_.data());
    rest_size_ = 0;
  }
  for (; bytes.size() >= stripe_bytes; bytes = bytes.subspan(stripe_bytes)) {
    add_stripe(bytes.data());
  }
  std::copy(bytes.begin(), bytes.end(), rest_.begin());
  rest_size_ = bytes.size();
}

std::uint64_t Xxh64::finish() const noexcept {
  std::uint64_t hash = prime_5;
  if (size_ >= stripe_bytes) {
    hash = std::rotl(lanes_[0], 1) + std::rotl(lanes_[1], 7) + std::rotl(lanes_[2], 12) +
           std::rotl(lanes_[3], 18);
    for (const std::uint64_t lane : lanes_) hash = merge(hash, lane);
  }
  hash += size_;
  const std::byte* position = rest_.data();
  const std::byte* const end = position + rest_size_;
  for (; end - position >= 8; position += 8) {
    hash = std::rotl(hash ^ round(0, read_number<std::uint64_t>(position)), 27) * prime_1 + prime_4;
  }
  if (end - position >= 4) {
    const std::uint64_t word = read_number<std::uint32_t>(position);
    hash = std::rotl(hash ^ word * prime_1, 23) * prime_2 + prime_3;
    position += 4;
  }
  for (; position < end; ++position) {
    hash = std::rotl(hash ^ std::to_integer<std::uint64_t>(*position) * prime_5, 11) * prime_1;
  }
  hash = (hash ^ hash >> 33) * prime_2;
  hash = (hash ^ hash >> 29) * prime_3;
  return hash ^ hash >> 32;
}

}  // namespace jfrtree::internal
