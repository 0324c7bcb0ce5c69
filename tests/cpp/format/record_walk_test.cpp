#include "format/record_walk.hpp"

#include <doctest/doctest.h>

#include <string>

#include "format/small_chunk.hpp"

namespace jfrtree::internal {

namespace {

using test::Bytes;
using test::ByteWriter;
using test::ChunkWriter;
using test::from_hex;

/// "TYPE@OFFSET+SIZE/PAYLOAD" of every record, then where the walk stopped.
std::string walked(const Bytes& bytes, bool compressed = true) {
  std::string text;
  const std::uint64_t end = walk_records(bytes, compressed, [&](const Record& record) {
    text += std::to_string(record.type) + "@" + std::to_string(record.offset) + "+" +
            std::to_string(record.size) + "/" + std::to_string(record.payload.size()) + " ";
  });
  return text + "end " + std::to_string(end);
}

/// A header's room, then the bytes given in hexadecimal digits.
Bytes records(const char* hex) {
  Bytes bytes(chunk_header_bytes);
  test::append(bytes, from_hex(hex));
  return bytes;
}

}  // namespace

TEST_CASE("records follow each other by their sizes") {
  CHECK(walked(records("03 64 07  02 65  04 ac 02 00")) ==
        "100@68+3/1 101@71+2/0 300@73+4/1 end 77");
}

TEST_CASE("metadata and checkpoints are visited like events") {
  CHECK(walked(records("03 00 07  03 01 07")) == "0@68+3/1 1@71+3/1 end 74");
}

TEST_CASE("sizes may be padded to any width") {
  CHECK(walked(records("87 80 80 00 64 00 00")) == "100@68+7/2 end 75");
  CHECK(walked(records("8a 80 80 80 80 80 80 00 64 00")) == "100@68+10/1 end 78");
  for (std::size_t width = 1; width <= 9; ++width) {
    ChunkWriter writer;
    writer.event(100, ByteWriter().zeros(5), {.width = width});
    const std::size_t size = width + 6;
    CHECK(walked(writer.bytes()) ==
          "100@68+" + std::to_string(size) + "/5 end " + std::to_string(68 + size));
  }
}

TEST_CASE("sizes and type ids have four and eight bytes in fixed-width mode") {
  CHECK(walked(records("00 00 00 0d 00 00 00 01 00 00 00 02 ff"), false) ==
        "4294967298@68+13/1 end 81");
  CHECK(walked(records("00 00 00 0b 00 00 00 00 00 00 00 02 ff"), false) == "end 68");
}

TEST_CASE("a record whose size cannot be right stops the walk where it begins") {
  const std::string first = "100@68+3/1 end 71";
  CHECK(walked(records("03 64 07  00 64 07")) == first);           // size 0
  CHECK(walked(records("03 64 07  01 64 07")) == first);           // no room for a type id
  CHECK(walked(records("03 64 07  04 64 07")) == first);           // past the end
  CHECK(walked(records("03 64 07  02 ac 02")) == first);           // the type id needs more
  CHECK(walked(records("03 64 07  ff ff ff ff 0f 64")) == first);  // 2^32-1
  CHECK(walked(records("03 64 07  f6 ff ff ff ff ff ff ff ff 64")) == first);  // -10
  CHECK(walked(records("03 64 07  85")) == first);     // the size itself is cut
  CHECK(walked(records("03 64 07  05 80")) == first);  // the type id is cut
}

TEST_CASE("a chunk without records, and less than a chunk, end at once") {
  CHECK(walked(Bytes(chunk_header_bytes)) == "end 68");
  CHECK(walked(Bytes(10)) == "end 10");
  CHECK(walked({}) == "end 0");
}

TEST_CASE("a record at or behind the end is none") {
  const Bytes bytes = records("03 64 07");
  Record record;
  CHECK(read_record(bytes, 68, true, record));
  CHECK(record.type == 100);
  CHECK(record.payload.size() == 1);
  CHECK_FALSE(read_record(bytes, 71, true, record));
  CHECK_FALSE(read_record(bytes, ~std::uint64_t{0}, true, record));
}

}  // namespace jfrtree::internal
