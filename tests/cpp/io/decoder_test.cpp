#include "io/decoder.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "io/compressed.hpp"

namespace jfrtree::internal {
namespace {

Container detect(std::string_view start) { return detect_container(as_bytes(start)); }

}  // namespace

TEST_CASE("detect_container knows what the libraries write") {
  CHECK(detect(test::gzip("text")) == Container::gzip);
  CHECK(detect(test::zstd("text")) == Container::zstd);
  CHECK(detect(test::lz4("text")) == Container::lz4);
  CHECK(detect(test::zip({{"name", "text"}})) == Container::zip);
  CHECK(detect(test::skippable_frame("text")) == Container::skippable);
  CHECK(detect("\x02\x21\x4c\x18") == Container::lz4_legacy);
  CHECK(detect("\x50\x2a\x4d\x18") == Container::skippable);
  CHECK(detect("\x5f\x2a\x4d\x18") == Container::skippable);
}

TEST_CASE("detect_container takes everything else as it is") {
  CHECK(detect(std::string_view("FLR\0", 4)) == Container::plain);
  CHECK(detect("") == Container::plain);
  CHECK(detect("\x1f") == Container::plain);
  CHECK(detect("\x28\xb5\x2f") == Container::plain);
  CHECK(detect("\x60\x2a\x4d\x18") == Container::plain);
  CHECK(detect("PK\5\6") == Container::plain);
}

TEST_CASE("foreign_compression knows what is not read here") {
  using namespace std::string_view_literals;
  const auto name = [](std::string_view start) {
    return foreign_compression(as_bytes(start)).name;
  };
  CHECK(name("\xFD\x37\x7A\x58\x5A\0\0\4"sv) == "xz");
  CHECK(name("\x42\x5A\x68\x39\x31\x41\x59\x26\x53\x59") == "bzip2");
  CHECK(name("\x42\x5A\x68\x39\x17\x72\x45\x38\x50\x90") == "bzip2");
  CHECK(name("LZIP\1") == "lzip");
  CHECK(name("\x37\x7A\xBC\xAF\x27\x1C\0\4"sv) == "7-Zip");
  CHECK(name("BZh9;main 12") == "");
  CHECK(name("BZh") == "");
  CHECK(name("FLR\0"sv) == "");
  CHECK(name("") == "");
}

TEST_CASE("container_name is the name that Input::container gives") {
  CHECK(container_name(Container::plain) == "plain");
  CHECK(container_name(Container::gzip) == "gzip");
  CHECK(container_name(Container::zstd) == "zstd");
  CHECK(container_name(Container::lz4) == "lz4");
  CHECK(container_name(Container::zip) == "zip");
}

TEST_CASE("make_decoder: every decoder takes single bytes and gives single bytes") {
  const std::string text = test::sample_text(20);
  struct Case {
    Container container;
    std::string stream;
  };
  for (const Case& item :
       {Case{Container::gzip, test::gzip(text)}, Case{Container::zstd, test::zstd(text)},
        Case{Container::lz4, test::lz4(text)}}) {
    CAPTURE(container_name(item.container));
    const auto decoder = make_decoder(item.container);
    for (int round = 0; round < 2; ++round) {
      std::string result;
      std::size_t position = 0;
      bool ended = false;
      while (!ended) {
        std::byte output{};
        const Decoder::Step step = decoder->decode(
            as_bytes(item.stream).subspan(position).first(position < item.stream.size() ? 1 : 0),
            {&output, 1});
        REQUIRE(step.error.empty());
        REQUIRE((step.consumed + step.produced > 0 || step.frame_end));
        position += step.consumed;
        result += as_text({&output, step.produced});
        ended = step.frame_end;
      }
      CHECK(position == item.stream.size());
      CHECK(result == text);
      decoder->reset();
    }
  }
}

}  // namespace jfrtree::internal
