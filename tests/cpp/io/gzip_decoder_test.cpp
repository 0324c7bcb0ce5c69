#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "io/compressed.hpp"

namespace jfrtree::test {

TEST_CASE("gzip: cut at every byte, what came before is kept") {
  const std::string text = sample_text(60);
  const std::string stream = gzip(text);
  check_every_cut(stream, text, [&](std::size_t cut) {
    // Only the trailer of 8 bytes is missing then.
    return cut + 8 >= stream.size() ? text.size() : 0;
  });
}

TEST_CASE("gzip: stored blocks come out up to the cut") {
  const std::string text = noise(2000);
  // Noise is stored: 10 bytes of header, 5 of the block's header, then the bytes themselves.
  check_every_cut(gzip(text), text,
                  [&](std::size_t cut) { return cut < 15 ? 0 : std::min(cut - 15, text.size()); });
}

TEST_CASE("gzip: every damaged byte") {
  const std::string text = sample_text(30);
  check_every_damaged_byte(gzip(text), text);
}

TEST_CASE("gzip: a wrong checksum is told after the contents") {
  const std::string text = sample_text(10);
  std::string stream = gzip(text);
  stream[stream.size() - 5] ^= 1;
  const Contents contents = read_bytes(stream);
  CHECK(contents.text == text);
  CHECK(contents.error == ErrorCode::bad_compression);
  CHECK(contents.message == "test: at " + std::to_string(text.size()) +
                                ": cannot decompress the gzip stream: incorrect data check");
}

}  // namespace jfrtree::test
