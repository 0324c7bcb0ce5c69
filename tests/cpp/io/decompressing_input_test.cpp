#include "io/decompressing_input.hpp"

#include <doctest/doctest.h>

#include <jfrtree/error.hpp>

#include <array>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "io/compressed.hpp"

namespace jfrtree::test {
namespace {

struct Format {
  std::string_view name;
  std::string (*compress)(std::string_view);
};
constexpr std::array<Format, 3> formats = {{{"gzip", gzip}, {"zstd", zstd}, {"lz4", lz4}}};

}  // namespace

TEST_CASE("decompressing: the input says what it is") {
  for (const Format& format : formats) {
    const std::string stream = format.compress("text");
    const auto input = memory_input(internal::as_bytes(stream), "name");
    CHECK(input->container() == format.name);
    CHECK(input->name() == "name");
    CHECK_FALSE(input->size().has_value());
    CHECK(input->bytes().empty());
    std::array<std::byte, 4> buffer{};
    CHECK_THROWS_AS(input->read_at(0, buffer), IoError);
    CHECK(input->read({}) == 0);
    CHECK(read_contents(*input).text == "text");
    CHECK(input->read(buffer) == 0);
  }
}

TEST_CASE("decompressing: pieces of any size are the same bytes") {
  const std::string text = sample_text(20'000) + noise(100'000);
  for (const Format& format : formats) {
    CAPTURE(format.name);
    const std::string stream = format.compress(text);
    for (const std::size_t source_piece : std::initializer_list<std::size_t>{1, 4099, 1 << 20}) {
      for (const std::size_t piece : std::initializer_list<std::size_t>{613, 1 << 20}) {
        const auto input = stream_input(pieces_of(stream, source_piece));
        const Contents contents = read_contents(*input, piece);
        CHECK_FALSE(contents.error);
        CHECK(contents.text == text);
      }
    }
  }
}

TEST_CASE("decompressing: several parts are one stream") {
  const std::string text = sample_text(50);
  for (const Format& format : formats) {
    CAPTURE(format.name);
    const std::string parts = format.compress(text) + format.compress("") + format.compress("end");
    CHECK(read_bytes(parts).text == text + "end");
    CHECK_FALSE(read_bytes(parts).error);
    // Cut inside the last part: all before it is there.
    const Contents cut = read_bytes(std::string_view(parts).substr(0, parts.size() - 1));
    CHECK(cut.text.starts_with(text));
    CHECK(cut.error == ErrorCode::bad_compression);
    CHECK(cut.message.find("cut short") != std::string::npos);
  }
}

TEST_CASE("decompressing: zero bytes behind the end are padding, others are damage") {
  for (const Format& format : formats) {
    CAPTURE(format.name);
    const std::string stream = format.compress("text");
    for (const std::size_t count : std::initializer_list<std::size_t>{1, 3, 512, 300'000}) {
      const Contents padded = read_bytes(stream + std::string(count, '\0'));
      CHECK(padded.text == "text");
      CHECK_FALSE(padded.error);
    }
    for (const std::string& tail : {std::string("x"), std::string("garbage"),
                                    std::string(600, '\0') + "x", stream.substr(0, 1)}) {
      const Contents damaged = read_bytes(stream + tail);
      CHECK(damaged.text == "text");
      CHECK(damaged.error == ErrorCode::bad_compression);
    }
  }
  const Contents mixed = read_bytes(gzip("first") + zstd("second"));
  CHECK(mixed.text == "first");
  CHECK(mixed.error == ErrorCode::bad_compression);
}

TEST_CASE("decompressing: skippable frames are passed over") {
  for (const Format& format : {formats[1], formats[2]}) {
    CAPTURE(format.name);
    const std::string stream = skippable_frame(noise(400'000)) + format.compress("one") +
                               skippable_frame("") + format.compress("two") + skippable_frame("x");
    const auto input = memory_input(internal::as_bytes(stream));
    const Contents contents = read_contents(*input);
    CHECK(contents.text == "onetwo");
    CHECK_FALSE(contents.error);
    CHECK(input->container() == format.name);
    CHECK(read_bytes(stream.substr(0, stream.size() - 1)).error == ErrorCode::bad_compression);
    CHECK(read_bytes(stream.substr(0, 1000)).error == ErrorCode::bad_compression);
    CHECK(read_bytes(stream.substr(0, 6)).error == ErrorCode::bad_compression);
  }
  CHECK(read_bytes(skippable_frame("x") + "FLR").error == ErrorCode::bad_compression);
}

TEST_CASE("decompressing: an error is thrown again by every later read") {
  const std::string stream = gzip(sample_text(50)).substr(0, 60);
  const auto input = memory_input(internal::as_bytes(stream));
  CHECK(read_contents(*input).error == ErrorCode::bad_compression);
  std::array<std::byte, 4> buffer{};
  CHECK_THROWS_AS(input->read(buffer), FormatError);
  CHECK_THROWS_AS(input->read(buffer), FormatError);
}

TEST_CASE("decompressing: a source that fails, what came before is kept") {
  const std::string text = noise(100'000);
  for (const Format& format : formats) {
    CAPTURE(format.name);
    const std::string stream = format.compress(text);
    CHECK_THROWS_AS(static_cast<void>(stream_input(pieces_of(stream, 90'000, 1))),
                    std::runtime_error);
    for (const std::size_t failing_read : std::initializer_list<std::size_t>{2, 3}) {
      // The first read is that of the magic.
      const auto input = stream_input(pieces_of(stream, 90'000, failing_read));
      std::vector<std::byte> buffer(1 << 20);
      std::string result;
      const auto read_all = [&] {
        for (;;) {
          result += internal::as_text({buffer.data(), input->read(buffer)});
        }
      };
      CHECK_THROWS_WITH_AS(read_all(), "the source failed", std::runtime_error);
      CHECK(text.starts_with(result));
      CHECK(result.empty() == (failing_read == 2));
    }
  }
}

TEST_CASE("decompressing: decompressed_bytes is a limit to the byte") {
  const std::string text = sample_text(100);
  for (const Format& format : formats) {
    CAPTURE(format.name);
    const std::string stream = format.compress(text);
    Limits limits;
    limits.decompressed_bytes = text.size();
    CHECK(read_bytes(stream, limits).text == text);
    CHECK_FALSE(read_bytes(stream, limits).error);
    CHECK_FALSE(read_bytes(stream + format.compress(""), limits).error);
    CHECK(read_bytes(stream + format.compress("x"), limits).error == ErrorCode::limit_exceeded);

    limits.decompressed_bytes = text.size() - 1;
    const Contents contents = read_bytes(stream, limits);
    CHECK(contents.text == text.substr(0, text.size() - 1));
    CHECK(contents.error == ErrorCode::limit_exceeded);
    CHECK(contents.message.find("--limit decompressed_bytes=") != std::string::npos);
  }
}

TEST_CASE("decompressing: a bomb ends at the limit of the ratio") {
  // 80 MiB of zeros: gzip about 1,000 to 1, zstd about 30,000 to 1.
  const std::string zeros(std::size_t{80} << 20, '\0');
  const std::string stream = zstd(zeros);
  const Contents bomb = read_bytes(stream, {}, std::size_t{1} << 20);
  CHECK(bomb.error == ErrorCode::limit_exceeded);
  CHECK(bomb.text.size() >= std::size_t{64} << 20);
  CHECK(bomb.text.size() < std::size_t{66} << 20);
  CHECK(bomb.message.find("--limit compression_ratio=") != std::string::npos);

  Limits limits;
  limits.compression_ratio = 100'000;
  CHECK(read_bytes(stream, limits, std::size_t{1} << 20).text.size() == zeros.size());

  const std::string slower = gzip(zeros);
  CHECK(read_bytes(slower, {}, std::size_t{1} << 20).error == ErrorCode::limit_exceeded);
  limits.compression_ratio = 2000;
  CHECK_FALSE(read_bytes(slower, limits, std::size_t{1} << 20).error);
  limits.compression_ratio = 500;
  CHECK(read_bytes(slower, limits, std::size_t{1} << 20).error == ErrorCode::limit_exceeded);
  limits.compression_ratio = 0;
  CHECK(read_bytes(slower, limits, std::size_t{1} << 20).error == ErrorCode::limit_exceeded);
}

TEST_CASE("decompressing: less than 64 MiB may have any ratio") {
  const std::string zeros(std::size_t{60} << 20, '\0');
  CHECK_FALSE(read_bytes(zstd(zeros), {}, std::size_t{1} << 20).error);
}

}  // namespace jfrtree::test
