#include "format/text.hpp"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "support/byte_writer.hpp"

namespace jfrtree::internal {

namespace {

using test::Bytes;
using test::ByteWriter;
using test::from_hex;

std::string text_of(const Bytes& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string hex_text(const char* hex) { return text_of(from_hex(hex)); }

/// The text of an encoded string that fills its bytes.
std::string decode(const Bytes& bytes, bool compressed = true, std::uint64_t max_bytes = 1 << 20) {
  ByteReader reader(bytes, compressed);
  const StringValue string = read_string(reader);
  REQUIRE_FALSE(reader.failed());
  REQUIRE(reader.at_end());
  std::string text;
  append_string(text, string, compressed, max_bytes);
  return text;
}

/// The text after repair, and whether there was nothing to repair.
std::pair<std::string, bool> repaired(const char* hex) {
  std::string text;
  const bool is_clean = append_utf8(text, hex_text(hex));
  CHECK(is_valid_utf8(text));
  return {text, is_clean};
}

std::pair<std::string, bool> from_units(const std::vector<std::uint16_t>& units) {
  std::string text;
  Utf16Decoder decoder(text);
  for (const std::uint16_t unit : units) decoder.append(unit);
  decoder.finish();
  return {text, !decoder.had_bad_text()};
}

}  // namespace

TEST_CASE("valid UTF-8 is told from everything else at the limits of each length") {
  for (const char* hex :
       {"", "00", "7f", "c2 80", "df bf", "e0 a0 80", "ed 9f bf", "ee 80 80", "ef bf bf",
        "f0 90 80 80", "f4 8f bf bf", "61 62 63 64 65 66 67 68 c3 a9"}) {
    CAPTURE(hex);
    CHECK(is_valid_utf8(hex_text(hex)));
  }
  for (const char* hex : {"80", "bf", "c0 80", "c1 bf", "c2", "c2 00", "c2 c2", "e0 9f bf", "e0 a0",
                          "e1 80 c0", "ed a0 80", "ed bf bf", "f0 8f bf bf", "f0 90 80",
                          "f4 90 80 80", "f5 80 80 80", "ff", "61 62 63 64 65 66 67 68 e9"}) {
    CAPTURE(hex);
    CHECK_FALSE(is_valid_utf8(hex_text(hex)));
  }
}

TEST_CASE("modified UTF-8 is read as the JVM meant it") {
  // The class U$𝒳é as HotSpot writes it: U+1D4B3 is two surrogates of three bytes each.
  CHECK(repaired("55 24 ed a0 b5 ed b2 b3 c3 a9") == std::pair(std::string("U$\U0001D4B3é"), true));
  CHECK(repaired("61 c0 80 62") == std::pair(std::string("a\0b", 3), true));
  CHECK(repaired("ed af bf ed bf bf") == std::pair(std::string("\U0010FFFF"), true));
  CHECK(repaired("ed a0 80 ed b0 80") == std::pair(std::string("\U00010000"), true));
}

TEST_CASE("a surrogate without its partner becomes one replacement character") {
  const std::string bad = "\uFFFD";
  CHECK(repaired("61 ed a0 b5 62") == std::pair("a" + bad + "b", false));
  CHECK(repaired("61 ed b2 b3 62") == std::pair("a" + bad + "b", false));
  CHECK(repaired("ed b2 b3 ed a0 b5") == std::pair(bad + bad, false));
  CHECK(repaired("ed a0 b5 ed a0 b5 ed b2 b3") == std::pair(bad + "\U0001D4B3", false));
}

TEST_CASE("bytes of another code page are replaced and the text around them is kept") {
  CHECK(repaired("6d e5 6e") == std::pair(std::string("m\uFFFDn"), false));
  CHECK(repaired("ff") == std::pair(std::string("\uFFFD"), false));
  CHECK(repaired("c3 a9 80 c3 a9") == std::pair(std::string("é\uFFFDé"), false));
  CHECK(repaired("41 c3").first == "A\uFFFD");
  CHECK(repaired("41 ed a0").first.starts_with("A\uFFFD"));
  CHECK(repaired("f0 9f 98 41").first.ends_with("\uFFFDA"));
  CHECK(repaired("41 c0 af 42").first.starts_with("A\uFFFD"));
}

TEST_CASE("every single bad byte in valid text ends in valid text") {
  const std::string whole = "a/Grüße$漢字\U0001F600 and more than sixteen bytes";
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (unsigned byte = 0; byte < 256; ++byte) {
      std::string changed = whole;
      changed[at] = static_cast<char>(byte);
      std::string text;
      const bool is_clean = append_utf8(text, changed);
      REQUIRE(is_valid_utf8(text));
      if (is_valid_utf8(changed)) {
        REQUIRE(is_clean);
        REQUIRE(text == changed);
      }
    }
  }
}

TEST_CASE("code points are written in one to four bytes") {
  const auto encoded = [](std::uint32_t code_point) {
    std::string text;
    append_code_point(text, code_point);
    return text;
  };
  CHECK(encoded(0) == std::string(1, '\0'));
  CHECK(encoded(0x7f) == hex_text("7f"));
  CHECK(encoded(0x80) == hex_text("c2 80"));
  CHECK(encoded(0x7ff) == hex_text("df bf"));
  CHECK(encoded(0x800) == hex_text("e0 a0 80"));
  CHECK(encoded(0x20ac) == "€");
  CHECK(encoded(0xffff) == hex_text("ef bf bf"));
  CHECK(encoded(0x10000) == hex_text("f0 90 80 80"));
  CHECK(encoded(0x10ffff) == hex_text("f4 8f bf bf"));
  for (const std::uint32_t bad : {0xd800U, 0xdbffU, 0xdc00U, 0xdfffU, 0x110000U, 0xffffffffU}) {
    CAPTURE(bad);
    CHECK(encoded(bad) == "\uFFFD");
  }
}

TEST_CASE("UTF-16 code units are joined to code points") {
  CHECK(from_units({'h', 0xe9, 0x6f22}) == std::pair(std::string("hé漢"), true));
  CHECK(from_units({0xd83d, 0xde00}) == std::pair(std::string("\U0001F600"), true));
  CHECK(from_units({}) == std::pair(std::string(), true));
  CHECK(from_units({0xd800, 'x'}) == std::pair(std::string("\uFFFDx"), false));
  CHECK(from_units({'x', 0xd800}) == std::pair(std::string("x\uFFFD"), false));
  CHECK(from_units({0xdc00, 'x'}) == std::pair(std::string("\uFFFDx"), false));
  CHECK(from_units({0xd83d, 0xd83d, 0xde00}) == std::pair(std::string("\uFFFD\U0001F600"), false));
  CHECK(from_units({0xde00, 0xd83d}) == std::pair(std::string("\uFFFD\uFFFD"), false));
}

TEST_CASE("each string encoding has the text that was recorded") {
  // "héllo" of a Java event, as JDK 17 wrote it.
  CHECK(decode(from_hex("04 05 68 e9 01 6c 6c 6f")) == "héllo");
  CHECK(decode(from_hex("03 06 63 6c 69 65 6e 74")) == "client");
  CHECK(decode(from_hex("05 03 61 e5 ff")) == "aåÿ");
  CHECK(decode(from_hex("03 00")).empty());
  CHECK(decode(from_hex("04 00")).empty());
  CHECK(decode(from_hex("05 00")).empty());
  CHECK(decode(from_hex("01")).empty());
  CHECK(decode(from_hex("00")).empty());
}

TEST_CASE("null, empty and pooled strings are different things") {
  const auto read = [](const char* hex) {
    const Bytes bytes = from_hex(hex);
    ByteReader reader(bytes, true);
    const StringValue string = read_string(reader);
    CHECK_FALSE(reader.failed());
    CHECK(reader.at_end());
    return string;
  };
  CHECK(read("00").encoding == StringEncoding::null);
  CHECK(read("01").encoding == StringEncoding::empty);
  CHECK(read("03 00").encoding == StringEncoding::utf8);
  CHECK(read("02 0b").encoding == StringEncoding::constant);
  CHECK(read("02 0b").key == 11);
  CHECK(read("02 ff ff ff ff ff ff ff ff ff").key == ~std::uint64_t{0});
}

TEST_CASE("a code unit above 16 bits keeps its low half") {
  CHECK(decode(ByteWriter().u8(4).count(2).key(0x10041).key(0x42).bytes()) == "AB");
}

TEST_CASE("strings of fixed-width integers have lengths of four bytes and units of two") {
  CHECK(decode(from_hex("04 00 00 00 02 00 e9 20 ac"), false) == "é€");
  CHECK(decode(from_hex("03 00 00 00 02 c3 a9"), false) == "é");
  CHECK(decode(from_hex("05 00 00 00 01 e9"), false) == "é");
  const Bytes pooled = from_hex("02 00 00 00 01 00 00 00 02");
  ByteReader reader(pooled, false);
  CHECK(read_string(reader).key == 0x1'0000'0002);
}

TEST_CASE("skipping a string ends where reading it ends, and fails where it fails") {
  for (const char* hex :
       {"00", "01", "02 8b 01", "03 03 61 62 63", "04 03 61 e9 01 ac 41", "05 02 e5 e6"}) {
    CAPTURE(hex);
    const Bytes whole = from_hex(hex);
    ByteReader reader(whole, true);
    skip_string(reader);
    CHECK(reader.at_end());
    CHECK_FALSE(reader.failed());
    for (std::size_t size = 0; size < whole.size(); ++size) {
      CAPTURE(size);
      const std::span<const std::byte> bytes(whole.data(), size);
      ByteReader cut(bytes, true);
      CHECK(read_string(cut).encoding == StringEncoding::null);
      CHECK(cut.failed());
      ByteReader skipped(bytes, true);
      skip_string(skipped);
      CHECK(skipped.failed());
    }
  }
}

TEST_CASE("an unknown encoding and a length beyond the record fail the reader") {
  const std::vector<Bytes> strings = {
      ByteWriter().u8(6).zeros(8).bytes(),
      ByteWriter().u8(255).zeros(8).bytes(),
      ByteWriter().claimed_string(0x7fffffff, "short").bytes(),
      ByteWriter().claimed_string(std::uint64_t{1} << 31, "short").bytes(),
      ByteWriter().claimed_string(0xffffffff, "short", test::StringEncoding::utf16).bytes(),
      ByteWriter().claimed_string(~std::uint64_t{0}, "short", test::StringEncoding::latin1).bytes(),
      ByteWriter().claimed_string(6, "short").bytes(),
  };
  for (const Bytes& bytes : strings) {
    ByteReader reader(bytes, true);
    read_string(reader);
    CHECK(reader.failed());
  }
}

TEST_CASE("text is appended to what is there and cut at the limit") {
  const Bytes bytes = from_hex("03 05 61 62 63 64 65");
  ByteReader reader(bytes, true);
  const StringValue string = read_string(reader);
  std::string text = "x";
  CHECK(append_string(text, string, true, 5));
  CHECK(text == "xabcde");
  CHECK_FALSE(append_string(text, string, true, 3));
  CHECK(text == "xabcdeabc");

  const Bytes units = ByteWriter().string("abcdef", test::StringEncoding::utf16).bytes();
  CHECK(decode(units, true, 4) == "abcd");
  CHECK(decode(ByteWriter().string("abcdef", test::StringEncoding::latin1).bytes(), true, 4) ==
        "abcd");
}

TEST_CASE("text that is cut inside of a character is still valid") {
  for (std::uint64_t limit = 0; limit < 12; ++limit) {
    for (const auto encoding : {test::StringEncoding::utf8, test::StringEncoding::utf16}) {
      CAPTURE(limit);
      const std::string text =
          decode(ByteWriter().string("é漢\U0001F600xyz", encoding).bytes(), true, limit);
      CHECK(is_valid_utf8(text));
    }
  }
}

TEST_CASE("repaired and cut text is told from clean text") {
  const auto is_clean = [](const Bytes& bytes) {
    ByteReader reader(bytes, true);
    std::string text;
    return append_string(text, read_string(reader), true, 100);
  };
  CHECK(is_clean(from_hex("03 02 c3 a9")));
  CHECK_FALSE(is_clean(from_hex("03 02 c3 c3")));
  CHECK(is_clean(from_hex("05 01 e9")));
  CHECK(is_clean(ByteWriter().utf16_string(u"\xd83d\xde00").bytes()));
  CHECK_FALSE(is_clean(ByteWriter().utf16_string(u"a\xd83d").bytes()));
  CHECK(is_clean(from_hex("00")));
}

}  // namespace jfrtree::internal
