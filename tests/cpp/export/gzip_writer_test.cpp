#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "export/gzip_writer.hpp"
#include "export/html_page.hpp"

namespace {

std::string compress(std::string_view bytes, std::size_t piece) {
  std::string compressed;
  jfrtree::internal::GzipWriter gzip([&](std::string_view part) { compressed += part; });
  for (; !bytes.empty(); bytes.remove_prefix(std::min(piece, bytes.size()))) {
    gzip.append(bytes.substr(0, piece));
  }
  gzip.finish();
  return compressed;
}

/// Bytes that hardly compress: a linear congruential generator.
std::string noise(std::size_t size) {
  std::string bytes;
  std::uint32_t state = 1;
  while (bytes.size() < size) {
    state = state * 1664525U + 1013904223U;
    bytes += static_cast<char>(state >> 24U);
  }
  return bytes;
}

}  // namespace

TEST_CASE("gzip gives back what was put in, whatever the pieces") {
  for (const std::string& bytes :
       {std::string(), std::string("a"), std::string(1'000'000, 'x'), noise(300'000)}) {
    for (const std::size_t piece : {std::size_t{1'000'000}, std::size_t{4096}, std::size_t{7}}) {
      CHECK(jfrtree::test::decode_gzip(compress(bytes, piece)) == bytes);
    }
  }
}

TEST_CASE("what is looked for again may change between bytes") {
  using Repeats = jfrtree::internal::GzipWriter::Repeats;
  // Each part is more than the writer puts out at a time.
  const std::string text = noise(90'000) + std::string(500'000, 'x') + noise(90'000);
  std::string compressed;
  jfrtree::internal::GzipWriter gzip([&](std::string_view part) { compressed += part; });
  std::string all;
  for (const Repeats repeats : {Repeats::runs, Repeats::any, Repeats::any, Repeats::runs}) {
    gzip.set_repeats(repeats);
    gzip.append(text);
    all += text;
  }
  gzip.set_repeats(Repeats::any);
  gzip.finish();
  CHECK(jfrtree::test::decode_gzip(compressed) == all);
}

TEST_CASE("runs of a byte become small") {
  std::string compressed;
  jfrtree::internal::GzipWriter gzip([&](std::string_view part) { compressed += part; });
  gzip.set_repeats(jfrtree::internal::GzipWriter::Repeats::runs);
  gzip.append(std::string(1'000'000, '\0'));
  gzip.finish();
  CHECK(compressed.size() < 2000);
}

TEST_CASE("gzip has no time and no name in its header") {
  const std::string compressed = compress("abc", 3);
  REQUIRE(compressed.size() > 10);
  CHECK(compressed.substr(0, 8) == std::string("\x1F\x8B\x08\0\0\0\0\0", 8));
}
