#include "format/byte_reader.hpp"

#include <doctest/doctest.h>

#include "support/byte_writer.hpp"

namespace jfrtree::internal {

namespace {

using test::Bytes;
using test::from_hex;

constexpr bool compressed = true;
constexpr bool fixed_width = false;

}  // namespace

TEST_CASE("integers are varints whatever their width in compressed mode") {
  const Bytes bytes = from_hex("ac 02 fc ff ff ff 0f ff ff ff ff ff ff ff ff ff 07");
  ByteReader reader(bytes, compressed);
  CHECK(reader.integer(2) == 300);
  CHECK(reader.integer(4) == 0xffff'fffc);
  CHECK(reader.integer(8) == ~std::uint64_t{0});
  CHECK(reader.count() == 7);
  CHECK(reader.at_end());
  CHECK_FALSE(reader.failed());
}

TEST_CASE("integers have their declared width in fixed-width mode") {
  const Bytes bytes = from_hex("01 2c ff ff ff fc 80 00 00 00 00 00 00 01 00 00 00 07");
  ByteReader reader(bytes, fixed_width);
  CHECK(reader.integer(2) == 300);
  CHECK(reader.integer(4) == 0xffff'fffc);
  CHECK(reader.key() == 0x8000'0000'0000'0001);
  CHECK(reader.count() == 7);
  CHECK(reader.at_end());
  CHECK_FALSE(reader.failed());
}

TEST_CASE("a read past the end gives 0, and so does every read after it") {
  const Bytes bytes = from_hex("00 00 01");
  ByteReader reader(bytes, fixed_width);
  CHECK(reader.integer(4) == 0);
  CHECK(reader.failed());
  CHECK(reader.at_end());
  CHECK(reader.byte() == 0);
  CHECK(reader.integer(1) == 0);
  CHECK(reader.failed());
}

TEST_CASE("a varint that is cut fails the reader") {
  const Bytes bytes = from_hex("05 80");
  ByteReader reader(bytes, compressed);
  CHECK(reader.integer(4) == 5);
  CHECK_FALSE(reader.failed());
  CHECK(reader.integer(4) == 0);
  CHECK(reader.failed());
  CHECK(reader.remaining() == 0);
}

TEST_CASE("an empty reader is at its end and not failed") {
  ByteReader reader;
  CHECK(reader.at_end());
  CHECK_FALSE(reader.failed());
  CHECK(reader.rest().empty());
  reader.skip_bytes(0);
  reader.skip_integers(0, 8);
  CHECK_FALSE(reader.failed());
  CHECK(reader.byte() == 0);
  CHECK(reader.failed());
}

TEST_CASE("raw bytes are big-endian in both modes") {
  const Bytes bytes = from_hex("3f c0 00 00 c0 04 00 00 00 00 00 00 fe");
  for (const bool mode : {compressed, fixed_width}) {
    ByteReader reader(bytes, mode);
    CHECK(reader.raw(4) == 0x3fc0'0000);
    CHECK(reader.raw(8) == 0xc004'0000'0000'0000);
    CHECK(reader.byte() == 0xfe);
    CHECK(reader.raw(4) == 0);
    CHECK(reader.failed());
  }
}

TEST_CASE("skipping stops exactly behind what was skipped") {
  const Bytes bytes = from_hex("80 01 05 ff ff ff ff ff ff ff ff ff 0a 0b");
  ByteReader reader(bytes, compressed);
  reader.skip_integers(3, 8);
  CHECK(reader.byte() == 0x0a);
  reader.skip_bytes(1);
  CHECK(reader.at_end());
  CHECK_FALSE(reader.failed());

  ByteReader fixed(bytes, fixed_width);
  fixed.skip_integers(3, 4);
  CHECK(fixed.byte() == 0x0a);
  CHECK(fixed.rest().size() == 1);
}

TEST_CASE("counts that cannot be true fail instead of wrapping around") {
  const Bytes bytes(16, std::byte{1});
  for (const std::uint64_t count :
       {std::uint64_t{17}, std::uint64_t{1} << 61, std::uint64_t{1} << 63, ~std::uint64_t{0}}) {
    CAPTURE(count);
    for (const bool mode : {compressed, fixed_width}) {
      ByteReader integers(bytes, mode);
      integers.skip_integers(count, 8);
      CHECK(integers.failed());
    }
    ByteReader raw(bytes, compressed);
    raw.skip_bytes(count);
    CHECK(raw.failed());
  }
  ByteReader fits(bytes, fixed_width);
  fits.skip_integers(2, 8);
  CHECK_FALSE(fits.failed());
  CHECK(fits.at_end());
}

}  // namespace jfrtree::internal
