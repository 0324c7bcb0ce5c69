#include "support/byte_writer.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <stdexcept>

namespace jfrtree::test {

TEST_CASE("varints of the format's table") {
  CHECK(varint(0) == from_hex("00"));
  CHECK(varint(127) == from_hex("7f"));
  CHECK(varint(128) == from_hex("80 01"));
  CHECK(varint(300) == from_hex("ac 02"));
  CHECK(varint(25674) == from_hex("ca c8 01"));
  CHECK(varint(0x7fffffff) == from_hex("ff ff ff ff 07"));
  CHECK(varint((std::uint64_t{1} << 56) - 1) == from_hex("ff ff ff ff ff ff ff 7f"));
  CHECK(varint(std::uint64_t{1} << 56) == from_hex("80 80 80 80 80 80 80 80 01"));
  CHECK(varint(INT64_MAX) == from_hex("ff ff ff ff ff ff ff ff 7f"));
  CHECK(varint(UINT64_MAX) == from_hex("ff ff ff ff ff ff ff ff ff"));
  CHECK(varint(UINT64_MAX - 1) == from_hex("fe ff ff ff ff ff ff ff ff"));
  CHECK(varint(std::uint64_t{1} << 63) == from_hex("80 80 80 80 80 80 80 80 80"));
}

TEST_CASE("varints are padded to a width") {
  CHECK(padded_varint(5, 1) == from_hex("05"));
  CHECK(padded_varint(5, 4) == from_hex("85 80 80 00"));
  CHECK(padded_varint(5, 5) == from_hex("85 80 80 80 00"));
  CHECK(padded_varint(207, 8) == from_hex("cf 81 80 80 80 80 80 00"));
  CHECK(padded_varint(5, 9) == from_hex("85 80 80 80 80 80 80 80 00"));
  CHECK_THROWS_AS(padded_varint(128, 1), std::invalid_argument);
  CHECK_THROWS_AS(padded_varint(1, 10), std::invalid_argument);
  CHECK_THROWS_AS(padded_varint(1, 0), std::invalid_argument);
}

TEST_CASE("strings in all encodings") {
  CHECK(ByteWriter().null_string().bytes() == from_hex("00"));
  CHECK(ByteWriter().string("", StringEncoding::empty).bytes() == from_hex("01"));
  CHECK(ByteWriter().string("").bytes() == from_hex("03 00"));
  CHECK(ByteWriter().pooled_string(11).bytes() == from_hex("02 0b"));
  CHECK(ByteWriter().string("h\xc3\xa9llo").bytes() == from_hex("03 06 68 c3 a9 6c 6c 6f"));
  CHECK(ByteWriter().string("h\xc3\xa9llo", StringEncoding::utf16).bytes() ==
        from_hex("04 05 68 e9 01 6c 6c 6f"));
  CHECK(ByteWriter().string("h\xc3\xa9llo", StringEncoding::latin1).bytes() ==
        from_hex("05 05 68 e9 6c 6c 6f"));
  CHECK_THROWS_AS(ByteWriter().string("\xe2\x82\xac", StringEncoding::latin1),
                  std::invalid_argument);
  CHECK_THROWS_AS(ByteWriter().string("text", StringEncoding::pool), std::invalid_argument);
}

TEST_CASE("UTF-16 has surrogate pairs, and U+FFFD for broken bytes") {
  CHECK(to_utf16("\xf0\x9f\x98\x80") == u"\xd83d\xde00");
  CHECK(to_utf16("\xe2\x82\xac") == u"\x20ac");
  CHECK(to_utf16("a\xff\x62") == u"a\xfffd\x62");
  CHECK(to_utf16("\xe2\x82") == u"\xfffd\xfffd");
}

TEST_CASE("a claimed length need not be true") {
  CHECK(ByteWriter().claimed_string(200, "hi").bytes() == from_hex("03 c8 01 68 69"));
}

TEST_CASE("hexadecimal digits are read strictly") {
  CHECK(from_hex("0a ff") == Bytes{std::byte{10}, std::byte{255}});
  CHECK_THROWS_AS(from_hex("0a f"), std::invalid_argument);
  CHECK_THROWS_AS(from_hex("0x"), std::invalid_argument);
}

}  // namespace jfrtree::test
