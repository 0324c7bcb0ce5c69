#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "format/byte_reader.hpp"

namespace jfrtree::internal {

/// Whether bytes are valid UTF-8 (no surrogates, no overlong forms, at most U+10FFFF).
[[nodiscard]] bool is_valid_utf8(std::string_view bytes) noexcept;

/// Appends `bytes` as valid UTF-8. Modified UTF-8 is read as the recorder meant it: `c0 80` is NUL,
/// two three-byte surrogates are one code point. Anything else that is no UTF-8 becomes U+FFFD.
/// Returns false when something was repaired.
bool append_utf8(std::string& text, std::string_view bytes);

/// Appends one code point; surrogates and values above U+10FFFF become U+FFFD.
void append_code_point(std::string& text, std::uint32_t code_point);

/// Joins UTF-16 code units to code points and appends them. Call `finish` after the last unit.
class Utf16Decoder {
 public:
  explicit Utf16Decoder(std::string& text) : text_(text) {}
  void append(std::uint16_t unit);
  void finish();
  [[nodiscard]] bool had_bad_text() const noexcept { return bad_; }

 private:
  std::string& text_;
  std::uint32_t high_ = 0;
  bool bad_ = false;
};

/// Encodings of a string in events, pools and metadata (jfr-format §4.3).
enum class StringEncoding : std::uint8_t {
  null = 0,
  empty = 1,
  constant = 2,
  utf8 = 3,
  utf16 = 4,
  latin1 = 5,
};

/// A string as it stands in the bytes.
struct StringValue {
  StringEncoding encoding = StringEncoding::null;
  std::uint64_t key = 0;             ///< of the `java.lang.String` pool, for `constant`
  std::span<const std::byte> bytes;  ///< of `utf8` and `latin1`; of the code units for `utf16`
  std::uint64_t units = 0;           ///< number of code units for `utf16`
};

/// Reads a string; fails the reader for an unknown encoding and for a length beyond the record.
StringValue read_string(ByteReader& reader) noexcept;

/// Skips a string.
void skip_string(ByteReader& reader) noexcept;

/// Appends the text of a string that is no `constant`. `max_bytes` cuts longer text. Returns false
/// when text was repaired or cut.
bool append_string(std::string& text, const StringValue& string, bool has_compressed_integers,
                   std::uint64_t max_bytes);

}  // namespace jfrtree::internal
