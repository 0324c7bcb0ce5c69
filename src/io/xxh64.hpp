#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace jfrtree::internal {

/// The hash XXH64 with seed 0, of bytes that come in pieces. It is the same on every machine, so it
/// may be written to files and databases. It is no guard against prepared input: maps use
/// `hash.hpp`.
class Xxh64 {
 public:
  void add(std::span<const std::byte> bytes) noexcept;
  void add(std::string_view text) noexcept { add(std::as_bytes(std::span(text))); }
  /// The hash of all that was added so far.
  [[nodiscard]] std::uint64_t finish() const noexcept;

 private:
  static constexpr std::size_t stripe_bytes = 32;

  void add_stripe(const std::byte* stripe) noexcept;

  std::array<std::uint64_t, 4> lanes_ = first_lanes;
  std::array<std::byte, stripe_bytes> rest_{};
  std::size_t rest_size_ = 0;
  std::uint64_t size_ = 0;

  static const std::array<std::uint64_t, 4> first_lanes;
};

}  // namespace jfrtree::internal
