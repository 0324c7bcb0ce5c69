#include <doctest/doctest.h>

#include <string>

#include "io/compressed.hpp"

namespace jfrtree::test {
namespace {

// Size of the blocks that lz4() writes.
constexpr std::size_t block = std::size_t{64} << 10;

}  // namespace

TEST_CASE("LZ4: cut at every byte, what came before is kept") {
  const std::string text = sample_text(60);
  const std::string stream = lz4(text);
  check_every_cut(stream, text, [&](std::size_t cut) {
    // Only the end mark and the checksum, 4 bytes each, are missing then.
    return cut + 8 >= stream.size() ? text.size() : 0;
  });
}

TEST_CASE("LZ4: every damaged byte") {
  const std::string text = sample_text(30);
  check_every_damaged_byte(lz4(text), text);
}

TEST_CASE("LZ4: the blocks before a damaged one are kept, whatever the size of the reads") {
  // Noise is stored, each block between a header and a checksum of 4 bytes.
  const std::string text = noise(3 * block + 1000);
  std::string stream = lz4(text);
  constexpr std::size_t header = 7;
  constexpr std::size_t third_block = header + 2 * (block + 8) + 4;
  SUBCASE("its contents") { stream[third_block + 50] ^= 1; }
  SUBCASE("its size") { stream[third_block - 2] |= 0x40; }
  for (const std::size_t piece : {std::size_t{1000}, block, 10 * block}) {
    const Contents contents = read_bytes(stream, {}, piece);
    CHECK(contents.error == ErrorCode::bad_compression);
    // A stored block is given out as it comes, before its checksum is known.
    CHECK(contents.text.size() >= 2 * block);
    CHECK(contents.text.substr(0, 2 * block) == text.substr(0, 2 * block));
  }
}

TEST_CASE("LZ4: a wrong checksum is told after the contents") {
  const std::string text = sample_text(10);
  std::string stream = lz4(text);
  stream.back() ^= 1;
  const Contents contents = read_bytes(stream);
  CHECK(contents.text == text);
  CHECK(contents.error == ErrorCode::bad_compression);
}

TEST_CASE("LZ4: the legacy format is named") {
  const Contents contents = read_bytes(std::string("\x02\x21\x4c\x18\x05\0\0\0hello", 13));
  CHECK(contents.error == ErrorCode::bad_compression);
  CHECK(contents.message.find("lz4 -d") != std::string::npos);
}

}  // namespace jfrtree::test
