#include <doctest/doctest.h>

#include <string>

#include "io/compressed.hpp"

namespace jfrtree::test {
namespace {

// Largest block of zstd.
constexpr std::size_t block = std::size_t{128} << 10;

}  // namespace

TEST_CASE("zstd: cut at every byte, what came before is kept") {
  const std::string text = sample_text(60);
  const std::string stream = zstd(text);
  check_every_cut(stream, text, [&](std::size_t cut) {
    // Only the checksum of 4 bytes is missing then.
    return cut + 4 >= stream.size() ? text.size() : 0;
  });
}

TEST_CASE("zstd: every damaged byte") {
  const std::string text = sample_text(30);
  check_every_damaged_byte(zstd(text), text);
}

TEST_CASE("zstd: the blocks before a damaged one are kept, whatever the size of the reads") {
  // Noise is stored, in blocks of 128 KiB, each behind a header of 3 bytes.
  const std::string text = noise(3 * block + 1000);
  std::string stream = zstd(text);
  // Type 3 of a block is reserved; the frame's header has at most 18 bytes.
  const std::size_t header = stream.size() - text.size() - std::size_t{4} * 3 - 4;
  REQUIRE(header <= 18);
  stream[header + 2 * (block + 3)] |= 6;
  for (const std::size_t piece : {std::size_t{1000}, block, 10 * block}) {
    const Contents contents = read_bytes(stream, {}, piece);
    CHECK(contents.error == ErrorCode::bad_compression);
    CHECK(contents.text == text.substr(0, 2 * block));
  }
}

TEST_CASE("zstd: a window of any size up to 128 MiB") {
  // A frame by hand (RFC 8878): magic, descriptor 0, window 2^(10 + x / 8), one last raw block.
  const auto frame = [](int window) {
    return std::string("\x28\xb5\x2f\xfd\0", 5) + static_cast<char>(window) +
           std::string("\x21\0\0text", 7);
  };
  CHECK(read_bytes(frame(17 * 8)).text == "text");
  const Contents contents = read_bytes(frame(18 * 8));
  CHECK(contents.error == ErrorCode::bad_compression);
  CHECK(contents.message.find("zstd -d --long=31") != std::string::npos);
}

TEST_CASE("zstd: a wrong checksum is told after the contents") {
  const std::string text = sample_text(10);
  std::string stream = zstd(text);
  stream.back() ^= 1;
  const Contents contents = read_bytes(stream);
  CHECK(contents.text == text);
  CHECK(contents.error == ErrorCode::bad_compression);
}

}  // namespace jfrtree::test
