#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "io/compressed.hpp"

namespace jfrtree::test {

TEST_CASE("zip with one entry is that entry, however it was written") {
  const std::string text = sample_text(2000);
  for (const bool deflated : {true, false}) {
    for (const bool streamed : {false, true}) {
      if (!deflated && streamed) {
        continue;
      }
      CAPTURE(deflated);
      CAPTURE(streamed);
      const std::string stream = zip({{.name = "folder/name.jfr",
                                       .contents = text,
                                       .deflated = deflated,
                                       .streamed = streamed}});
      for (const std::size_t piece : std::initializer_list<std::size_t>{1, 1000, 1 << 20}) {
        const Contents contents = read_bytes(stream, {}, piece);
        CHECK_FALSE(contents.error.has_value());
        CHECK(contents.text == text);
      }
    }
  }
}

TEST_CASE("zip: an entry without contents, a comment behind the directory") {
  CHECK(read_bytes(zip({{.name = "x", .contents = "", .deflated = false}})).text.empty());
  CHECK_FALSE(read_bytes(zip({{.name = "x", .contents = "", .deflated = false}})).error);
  CHECK_FALSE(read_bytes(zip({{.name = "x", .contents = ""}})).error);
  const Contents contents = read_bytes(zip({{.name = "x", .contents = "text"}}) + "a comment");
  CHECK(contents.text == "text");
  CHECK_FALSE(contents.error);
}

TEST_CASE("zip: cut at every byte, what came before is kept") {
  const std::string text = noise(500);
  const std::string stream = zip({{.name = "n", .contents = text, .deflated = false}});
  check_every_cut(stream, text, [&](std::size_t cut) {
    // The local header has 30 bytes and the name.
    return cut < 31 ? 0 : std::min(cut - 31, text.size());
  });
  const std::string lines = sample_text(40);
  check_every_cut(zip({{.name = "n", .contents = lines}}), lines,
                  [](std::size_t) { return std::size_t{0}; });
}

TEST_CASE("zip: the checksum of the directory is compared") {
  const std::string text = sample_text(40);
  std::string stream = zip({{.name = "n", .contents = text, .deflated = false}});
  stream[100] ^= 1;
  const Contents contents = read_bytes(stream);
  CHECK(contents.text.size() == text.size());
  CHECK(contents.error == ErrorCode::bad_compression);
}

TEST_CASE("zip: of several entries the first is read, and the others are told") {
  const Contents two = read_bytes(zip({{"a", "first"}, {"b", "second"}}));
  CHECK(two.text == "first");
  CHECK(two.error == ErrorCode::bad_compression);
  CHECK(two.message.find("several entries") != std::string::npos);

  const std::string large = noise(2'000'000);
  const Contents long_tail = read_bytes(zip({{"a", "first"}, {"b", large}}));
  CHECK(long_tail.text == "first");
  CHECK(long_tail.message.find("several entries") != std::string::npos);
}

TEST_CASE("zip: folders and empty entries beside the only entry with contents are passed over") {
  const std::string text = sample_text(200);
  const ZipEntry entry{.name = "d/name.jfr", .contents = text};
  const ZipEntry folder{.name = "d/", .contents = "", .deflated = false};
  for (const bool deflated : {true, false}) {
    for (const bool streamed : {false, true}) {
      if (!deflated && streamed) {
        continue;
      }
      const ZipEntry empty{
          .name = "d/e", .contents = "", .deflated = deflated, .streamed = streamed};
      for (const std::string& stream :
           {zip({folder, entry}), zip({empty, entry}), zip({folder, empty, folder, entry}),
            zip({folder, entry, empty, folder})}) {
        for (const std::size_t piece : std::initializer_list<std::size_t>{1, 1000, 1 << 20}) {
          const Contents contents = read_bytes(stream, {}, piece);
          CHECK(contents.message.empty());
          CHECK(contents.text == text);
        }
      }
    }
  }
}

TEST_CASE("zip: behind a folder, cuts, a wrong checksum and another entry are told") {
  const std::string text = noise(500);
  const ZipEntry folder{.name = "d/", .contents = "", .deflated = false};
  const ZipEntry entry{.name = "d/n", .contents = text, .deflated = false};
  std::string stream = zip({folder, entry});
  check_every_cut(stream, text, [&](std::size_t cut) {
    // Two local headers of 30 bytes, with names of two and of three.
    return cut < 65 ? 0 : std::min(cut - 65, text.size());
  });
  stream[200] ^= 1;
  CHECK(read_bytes(stream).message.find("checksum") != std::string::npos);
  const Contents two = read_bytes(zip({folder, entry, {"b", "second"}}));
  CHECK(two.text == text);
  CHECK(two.message.find("several entries") != std::string::npos);
}

TEST_CASE("zip: what cannot be read says so") {
  const Contents encrypted =
      read_bytes(zip({{.name = "a", .contents = "text", .encrypted = true}}));
  CHECK(encrypted.error == ErrorCode::bad_compression);
  CHECK(encrypted.message.find("encrypted") != std::string::npos);

  const Contents unknown_end =
      read_bytes(zip({{.name = "a", .contents = "text", .deflated = false, .streamed = true}}));
  CHECK(unknown_end.error == ErrorCode::bad_compression);
  CHECK(unknown_end.message.find("unpack it") != std::string::npos);

  std::string other_method = zip({{.name = "a", .contents = "text"}});
  other_method[8] = 12;
  CHECK(read_bytes(other_method).message.find("unpack it") != std::string::npos);
}

}  // namespace jfrtree::test
