#include "support/recording_writer.hpp"

#include "support/scenarios.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

namespace jfrtree::test {

namespace {

/// The smallest recording that the `jfr` tools of JDK 17 and 25 accept, written down by hand.
/// SHA-256 615c370fd9ec9c6049a3b506ae6360ba196fdf4d350f6c7959346c0ad053fb2b.
constexpr const char* minimal_recording =
    "46 4c 52 00 00 02 00 01 00 00 00 00 00 00 02 0d"
    "00 00 00 00 00 00 00 52 00 00 00 00 00 00 00 62"
    "17 97 9c fe 36 2a 00 00 00 00 00 00 00 4c 4b 40"
    "00 00 00 00 00 00 03 e8 00 00 00 00 3b 9a ca 00"
    "00 00 00 03"
    "0e 64 d0 0f 03 02 68 69 fb ff ff ff 0f 01"
    "10 01 e8 07 00 00 01 01 06 01 01 03 03 6f 6e 65"
    "ab 03 00 e8 07 00 01 25"
    "03 04 72 6f 6f 74 03 08 6d 65 74 61 64 61 74 61"
    "03 05 63 6c 61 73 73 03 04 6e 61 6d 65 03 04 6c 6f 6e 67 03 02 69 64 03 01 32"
    "03 03 69 6e 74 03 01 33 03 10 6a 61 76 61 2e 6c 61 6e 67 2e 53 74 72 69 6e 67"
    "03 01 34 03 11 6a 64 6b 2e 6a 66 72 2e 54 69 6d 65 73 74 61 6d 70"
    "03 09 73 75 70 65 72 54 79 70 65"
    "03 1f 6a 61 76 61 2e 6c 61 6e 67 2e 61 6e 6e 6f 74 61 74 69 6f 6e 2e 41 6e 6e 6f 74"
    "61 74 69 6f 6e"
    "03 01 35 03 05 66 69 65 6c 64 03 05 76 61 6c 75 65 03 06 6d 79 2e 53 79 6d"
    "03 0a 73 69 6d 70 6c 65 54 79 70 65 03 04 74 72 75 65 03 01 36 03 06 73 74 72 69 6e"
    "67"
    "03 05 6d 79 2e 45 76 03 0d 6a 64 6b 2e 6a 66 72 2e 45 76 65 6e 74 03 03 31 30 30"
    "03 09 73 74 61 72 74 54 69 6d 65 03 0a 61 6e 6e 6f 74 61 74 69 6f 6e 03 05 54 49 43"
    "4b 53"
    "03 01 73 03 01 6e 03 03 73 79 6d 03 0c 63 6f 6e 73 74 61 6e 74 50 6f 6f 6c"
    "03 06 72 65 67 69 6f 6e 03 06 6c 6f 63 61 6c 65 03 05 65 6e 5f 55 53"
    "03 09 67 6d 74 4f 66 66 73 65 74 03 01 30"
    "00 00 02"
    "01 00 06"
    "02 02 03 04 05 06 00"
    "02 02 03 07 05 08 00"
    "02 02 03 09 05 0a 00"
    "02 03 03 0b 0c 0d 05 0e 01"
    "0f 02 03 10 02 0a 00"
    "02 03 03 11 12 13 05 14 01"
    "0f 02 03 15 02 0a 00"
    "02 03 03 16 0c 17 05 18 04"
    "0f 02 03 19 02 06 01"
    "1a 02 02 0e 10 1b 00"
    "0f 02 03 1c 02 0a 00"
    "0f 02 03 1d 02 08 00"
    "0f 03 03 1e 02 14 1f 13 00"
    "20 02 21 22 23 24 00";

}  // namespace

TEST_CASE("the writer reproduces the minimal recording byte for byte") {
  const Bytes expected = from_hex(minimal_recording);
  REQUIRE(expected.size() == 525);
  CHECK(minimal_chunk().bytes() == expected);
}

TEST_CASE("a checkpoint of threads is written as JDK 25 wrote it") {
  // Bytes of a real recording: one thread, two thread groups with a count padded to 4 bytes.
  const Bytes real = from_hex(
      "45 01 f6 89 e0 8f 0b df 14 bf ff ff ff ff ff ff ff ff 08 02"
      "bc 01 01 1c 03 06 63 6c 69 65 6e 74 81 60 03 06 63 6c 69 65 6e 74 1c 03 00"
      "bd 01 82 80 80 00 03 02 03 04 6d 61 69 6e 02 00 03 06 73 79 73 74 65 6d");
  REQUIRE(real.size() == 69);

  Pool threads{188};
  threads.entry(28, ByteWriter()
                        .string("client")
                        .long_value(12289)
                        .string("client")
                        .long_value(28)
                        .key(3)
                        .boolean_value(false));
  Pool groups{189};
  groups.entry(3, ByteWriter().key(2).string("main"));
  groups.entry(2, ByteWriter().key(0).string("system"));
  groups.count_width = 4;
  ChunkWriter chunk;
  chunk.checkpoint({.pools = {threads, groups},
                    .start_ticks = 2985821430,
                    .duration_ticks = 2655,
                    .delta = -65,
                    .flags = 8});
  const Bytes bytes = chunk.bytes();
  CHECK(Bytes(bytes.begin() + chunk_header_size, bytes.end()) == real);
}

TEST_CASE("event fields are written as JDK 17 wrote them") {
  // The first fields of a real event: see the comments for the values.
  const Bytes real = from_hex(
      "8f ad c5 e2 03"                 // long 1011963535
      "f7 e9 02"                       // long 46327
      "01 14 01 fe"                    // keys 1 and 20, boolean true, byte -2
      "fd ff 03 ac 41"                 // short -3, char U+20AC
      "fc ff ff ff 0f"                 // int -4
      "80 80 80 80 80 80 80 80 80"     // long -2^63
      "3f c0 00 00"                    // float 1.5
      "c0 04 00 00 00 00 00 00"        // double -2.5
      "04 05 68 e9 01 6c 6c 6f a7 0e"  // string, key 1831
  );
  ByteWriter writer;
  writer.long_value(1011963535).long_value(46327).key(1).key(20).boolean_value(true);
  writer.byte_value(-2).short_value(-3).char_value(u'\x20ac').int_value(-4);
  writer.long_value(INT64_MIN).float_value(1.5F).double_value(-2.5);
  writer.string("h\xc3\xa9llo", StringEncoding::utf16).key(1831);
  CHECK(writer.bytes() == real);
}

TEST_CASE("a size counts its own bytes, whatever its width") {
  const auto record = [](std::size_t payload, RecordSize size) {
    ChunkWriter chunk;
    chunk.event(7, ByteWriter().zeros(payload), size);
    const Bytes bytes = chunk.bytes();
    return Bytes(bytes.begin() + chunk_header_size, bytes.end());
  };
  CHECK(record(1, {}) == from_hex("03 07 00"));
  CHECK(record(1, {.width = 4}) == from_hex("86 80 80 00 07 00"));
  CHECK(record(1, {.width = 8}) == from_hex("8a 80 80 80 80 80 80 00 07 00"));
  CHECK(record(1, {.width = 9}) == from_hex("8b 80 80 80 80 80 80 80 00 07 00"));
  CHECK(record(1, {.claimed = 100}) == from_hex("64 07 00"));
  // 127 bytes are the last that fit one byte of size.
  CHECK(record(125, {}).size() == 127);
  CHECK(record(126, {}).size() == 129);
}

TEST_CASE("checkpoints of a chunk form a chain, newest first") {
  ChunkWriter chunk;
  const std::size_t first = chunk.checkpoint({});
  const std::size_t second = chunk.checkpoint({});
  CHECK(first == 68);
  CHECK(second == 76);
  const Bytes bytes = chunk.bytes();
  CHECK(Bytes(bytes.begin() + 68, bytes.begin() + 76) == from_hex("08 01 e8 07 00 00 01 00"));
  CHECK(Bytes(bytes.begin() + 76, bytes.end()) ==
        from_hex("10 01 e8 07 00 f8 ff ff ff ff ff ff ff ff 01 00"));
  CHECK(Bytes(bytes.begin() + 16, bytes.begin() + 24) == from_hex("00 00 00 00 00 00 00 4c"));
}

TEST_CASE("header fields that a test sets are not computed") {
  ChunkWriter chunk;
  chunk.metadata(Element{"root"});
  chunk.header().chunk_size = -1;
  chunk.header().metadata_offset = 0;
  const Bytes bytes = chunk.bytes();
  CHECK(Bytes(bytes.begin() + 8, bytes.begin() + 16) == from_hex("ff ff ff ff ff ff ff ff"));
  CHECK(Bytes(bytes.begin() + 24, bytes.begin() + 32) == from_hex("00 00 00 00 00 00 00 00"));
}

TEST_CASE("integers are big-endian and of fixed width when the header says so") {
  HeaderFields header;
  header.flags = 2;
  ChunkWriter chunk(header);
  chunk.event(7, chunk.payload().long_value(1).int_value(-1).short_value(2).count(3).key(4));
  const Bytes bytes = chunk.bytes();
  CHECK(Bytes(bytes.begin() + chunk_header_size, bytes.end()) ==
        from_hex("00 00 00 26 00 00 00 00 00 00 00 07"
                 "00 00 00 00 00 00 00 01 ff ff ff ff 00 02 00 00 00 03 00 00 00 00 00 00 00 04"));
}

TEST_CASE("patch overwrites bytes of records only") {
  ChunkWriter chunk;
  const std::size_t at = chunk.raw(from_hex("01 02 03"));
  chunk.patch(at + 1, from_hex("ff"));
  const Bytes bytes = chunk.bytes();
  CHECK(Bytes(bytes.begin() + chunk_header_size, bytes.end()) == from_hex("01 ff 03"));
  CHECK_THROWS_AS(chunk.patch(at + 3, from_hex("ff")), std::out_of_range);
  CHECK_THROWS_AS(chunk.patch(0, from_hex("ff")), std::out_of_range);
}

}  // namespace jfrtree::test
