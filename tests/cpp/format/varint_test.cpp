#include "format/varint.hpp"

#include <doctest/doctest.h>

#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "support/byte_writer.hpp"

namespace jfrtree::internal {

namespace {

using test::Bytes;
using test::from_hex;
using test::padded_varint;

/// A value and how many bytes it took.
using Decoded = std::optional<std::pair<std::uint64_t, std::size_t>>;

const std::uint8_t* begin_of(const Bytes& bytes) {
  return reinterpret_cast<const std::uint8_t*>(bytes.data());
}

/// Reads one varint from bytes that end where `bytes` does.
Decoded decode(const Bytes& bytes) {
  const std::uint8_t* position = begin_of(bytes);
  std::uint64_t value = 0;
  if (!read_varint(position, begin_of(bytes) + bytes.size(), value)) {
    CHECK(position == begin_of(bytes));
    return std::nullopt;
  }
  return std::pair(value, static_cast<std::size_t>(position - begin_of(bytes)));
}

/// The same where many more bytes follow, each of which says that another one follows.
Decoded decode_in_front_of_more(Bytes bytes) {
  const std::size_t size = bytes.size();
  bytes.resize(size + 20, std::byte{0xff});
  const Decoded decoded = decode(bytes);
  const std::uint8_t* position = begin_of(bytes);
  REQUIRE(decoded);
  CHECK(read_varint_unchecked(position) == decoded->first);
  CHECK(static_cast<std::size_t>(position - begin_of(bytes)) == decoded->second);
  return decoded;
}

/// The end of a varint at `at`, by the definition alone; nothing when it does not end.
std::optional<std::size_t> end_of_varint(const Bytes& bytes, std::size_t at) {
  for (std::size_t i = 0; i < 9; ++i) {
    if (at + i >= bytes.size()) return std::nullopt;
    if (i == 8 || (std::to_integer<unsigned>(bytes[at + i]) & 0x80U) == 0) return at + i + 1;
  }
  return std::nullopt;
}

/// Skips every possible number of varints and compares with one after the other.
void check_skipping(const Bytes& bytes) {
  std::size_t expected = 0;
  const std::uint8_t* const end = begin_of(bytes) + bytes.size();
  for (std::uint64_t count = 0; count <= bytes.size() + 1; ++count) {
    const std::uint8_t* position = begin_of(bytes);
    const bool is_skipped = skip_varints(position, end, count);
    if (count > 0) {
      const auto next = end_of_varint(bytes, expected);
      if (!next) {
        CHECK_FALSE(is_skipped);
        CHECK(position == begin_of(bytes));
        return;
      }
      expected = *next;
    }
    REQUIRE(is_skipped);
    REQUIRE(static_cast<std::size_t>(position - begin_of(bytes)) == expected);
  }
}

}  // namespace

TEST_CASE("varints have the values of the format's table") {
  const std::vector<std::pair<const char*, std::uint64_t>> table = {
      {"00", 0},
      {"7f", 127},
      {"80 01", 128},
      {"ac 02", 300},
      {"ca c8 01", 25'674},
      {"ff ff ff ff 07", 2'147'483'647},
      {"ff ff ff ff ff ff ff 7f", 72'057'594'037'927'935},
      {"80 80 80 80 80 80 80 80 01", 72'057'594'037'927'936},
      {"ff ff ff ff ff ff ff ff 7f", 9'223'372'036'854'775'807U},
      {"ff ff ff ff ff ff ff ff ff", 18'446'744'073'709'551'615U},
      {"fe ff ff ff ff ff ff ff ff", 18'446'744'073'709'551'614U},
      {"80 80 80 80 80 80 80 80 80", 9'223'372'036'854'775'808U},
  };
  for (const auto& row : table) {
    CAPTURE(row.first);
    const Bytes bytes = from_hex(row.first);
    const std::uint64_t value = row.second;
    CHECK(decode(bytes) == Decoded(std::pair(value, bytes.size())));
    CHECK(decode_in_front_of_more(bytes) == Decoded(std::pair(value, bytes.size())));
  }
}

TEST_CASE("a varint of nine bytes uses all bits of the last one and ends there") {
  // 0x80 in the ninth byte is bit 63, not a promise of a tenth byte.
  const Bytes bytes = from_hex("81 80 80 80 80 80 80 80 80 05");
  CHECK(decode(bytes) == Decoded(std::pair(0x8000'0000'0000'0001U, 9)));
}

TEST_CASE("a padded varint means the value of its shortest form") {
  CHECK(decode(from_hex("85 80 80 00")) == Decoded(std::pair(5U, 4)));
  CHECK(decode(from_hex("cf 81 80 80 80 80 80 00")) == Decoded(std::pair(207U, 8)));
  for (std::size_t width = 1; width <= 9; ++width) {
    for (const std::uint64_t value : {0U, 1U, 5U, 127U}) {
      CAPTURE(width);
      const Bytes bytes = padded_varint(value, width);
      CHECK(decode(bytes) == Decoded(std::pair(value, width)));
      CHECK(decode_in_front_of_more(bytes) == Decoded(std::pair(value, width)));
    }
  }
}

TEST_CASE("a varint that is cut at any byte is refused and the position stays") {
  for (const char* hex :
       {"80 01", "ff ff ff ff 07", "ff ff ff ff ff ff ff ff ff", "cf 81 80 80 80 80 80 00"}) {
    const Bytes whole = from_hex(hex);
    for (std::size_t size = 0; size < whole.size(); ++size) {
      CAPTURE(hex);
      CAPTURE(size);
      CHECK_FALSE(decode(Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size))));
    }
  }
}

TEST_CASE("every width holds its largest and its smallest value") {
  for (unsigned width = 1; width <= 8; ++width) {
    const std::uint64_t largest = (std::uint64_t{1} << (7 * width)) - 1;
    CHECK(decode(test::varint(largest)) == Decoded(std::pair(largest, width)));
    CHECK(decode(test::varint(largest + 1)) == Decoded(std::pair(largest + 1, width + 1)));
  }
}

TEST_CASE("skipping varints is reading them one by one, for any bytes") {
  // The same numbers every time. NOLINTNEXTLINE(cert-msc32-c,cert-msc51-cpp)
  std::mt19937_64 random(20'240'101);
  for (int round = 0; round < 300; ++round) {
    Bytes bytes(random() % 70);
    // The share of continuation bits differs from round to round: short and long varints.
    const std::uint64_t share = random() % 17;
    for (std::byte& byte : bytes) {
      const bool goes_on = random() % 16 < share;
      byte = static_cast<std::byte>((random() & 0x7f) | (goes_on ? 0x80 : 0));
    }
    check_skipping(bytes);
  }
}

TEST_CASE("skipping varints is reading them one by one, for values of all widths") {
  // The same numbers every time. NOLINTNEXTLINE(cert-msc32-c,cert-msc51-cpp)
  std::mt19937_64 random(42);
  for (int round = 0; round < 100; ++round) {
    Bytes bytes;
    for (int i = 0; i < 30; ++i) {
      const std::uint64_t value = random() >> (random() % 64);
      const Bytes shortest = test::varint(value);
      const std::size_t width = shortest.size() + random() % (10 - shortest.size());
      test::append(bytes, padded_varint(value, width));
    }
    check_skipping(bytes);
  }
}

TEST_CASE("runs of nine-byte varints are skipped at any alignment") {
  for (std::size_t before = 0; before < 10; ++before) {
    Bytes bytes(before, std::byte{1});
    for (int i = 0; i < 5; ++i) test::append(bytes, from_hex("ff ff ff ff ff ff ff ff ff"));
    for (int i = 0; i < 5; ++i) test::append(bytes, from_hex("80 80 80 80 80 80 80 80 00"));
    bytes.resize(bytes.size() + 12, std::byte{2});
    check_skipping(bytes);
  }
}

TEST_CASE("more varints than there are bytes are refused") {
  const Bytes bytes(20, std::byte{1});
  const std::uint8_t* position = begin_of(bytes);
  CHECK_FALSE(skip_varints(position, position + bytes.size(), 21));
  CHECK_FALSE(skip_varints(position, position + bytes.size(), ~std::uint64_t{0}));
  CHECK(position == begin_of(bytes));
}

TEST_CASE("fixed-width integers are big-endian") {
  const Bytes bytes = from_hex("01 23 45 67 89 ab cd ef");
  CHECK(load_big_endian(begin_of(bytes), 1) == 0x01);
  CHECK(load_big_endian(begin_of(bytes), 2) == 0x0123);
  CHECK(load_big_endian(begin_of(bytes), 4) == 0x0123'4567);
  CHECK(load_big_endian(begin_of(bytes), 8) == 0x0123'4567'89ab'cdef);
  CHECK(load_little_endian(begin_of(bytes)) == 0xefcd'ab89'6745'2301);
}

}  // namespace jfrtree::internal
