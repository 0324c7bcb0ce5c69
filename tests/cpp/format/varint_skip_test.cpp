#include "format/varint_skip.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <random>
#include <vector>

#include "format/varint.hpp"

namespace jfrtree::internal {

namespace {

/// Where `count` varints end, one after the other; 0 when they do not.
std::size_t end_one_by_one(const std::vector<std::uint8_t>& bytes, std::uint64_t count) {
  const std::uint8_t* position = bytes.data();
  const std::uint8_t* const end = position + bytes.size();
  for (std::uint64_t ignored = 0; count > 0; --count) {
    if (!read_varint(position, end, ignored)) return 0;
  }
  return static_cast<std::size_t>(position - bytes.data());
}

template <typename Skip>
std::size_t end_by(Skip skip, const std::vector<std::uint8_t>& bytes, std::uint64_t count) {
  const std::uint8_t* position = bytes.data();
  const bool is_done = skip(position, bytes.data() + bytes.size(), count);
  // A failure must not move the position.
  if (!is_done) CHECK(position == bytes.data());
  return is_done ? static_cast<std::size_t>(position - bytes.data()) : 0;
}

}  // namespace

TEST_CASE("skipping many varints ends where reading them one by one does") {
  std::mt19937_64 random(2);
  for (int round = 0; round < 4000; ++round) {
    CAPTURE(round);
    std::vector<std::uint8_t> bytes(random() % 200);
    // From hardly any continuation bits to almost nothing else: varints of 9 bytes are common then.
    const std::uint64_t share = random() % 101;
    for (std::uint8_t& byte : bytes) {
      byte = static_cast<std::uint8_t>((random() & 0x7F) | (random() % 100 < share ? 0x80 : 0));
    }
    for (const std::uint64_t count : {std::uint64_t{0}, std::uint64_t{1}, random() % 220}) {
      CAPTURE(count);
      const std::size_t expected = end_one_by_one(bytes, count);
      REQUIRE(end_by(skip_many_varints, bytes, count) == expected);
      REQUIRE(end_by(skip_varints, bytes, count) == expected);
    }
  }
}

}  // namespace jfrtree::internal
