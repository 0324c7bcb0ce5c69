#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace jfrtree::test {

using Bytes = std::vector<std::byte>;

/// How integers of records are written. Header integers are always fixed width, big-endian.
///   compressed: base-128 varints of 1 to 9 bytes, the normal case
///   fixed_width: big-endian; short and char 2 bytes, int 4, long 8. Sizes, counts, string lengths
///     and string indexes are ints; type ids, keys, ticks and deltas are longs.
enum class IntegerEncoding { compressed, fixed_width };

/// The first byte of an encoded string.
enum class StringEncoding : std::uint8_t {
  null = 0,
  empty = 1,
  pool = 2,
  utf8 = 3,
  utf16 = 4,
  latin1 = 5
};

/// The smallest varint of `value`: 1 to 9 bytes.
Bytes varint(std::uint64_t value);

/// A varint of exactly `width` bytes (1 to 9), padded with continuation bytes. Throws
/// std::invalid_argument when the value needs more.
Bytes padded_varint(std::uint64_t value, std::size_t width);

Bytes to_bytes(std::string_view text);

/// Two hexadecimal digits a byte; spaces and line ends are skipped.
Bytes from_hex(std::string_view digits);

void append(Bytes& target, const Bytes& more);

/// Writes field values one after the other; every call returns the writer, so that a payload
/// reads as one expression:
///
///   ByteWriter().long_value(2000).string("hi").int_value(-5).key(1)
class ByteWriter {
 public:
  explicit ByteWriter(IntegerEncoding integers = IntegerEncoding::compressed);

  // Values by the primitive types' names.
  ByteWriter& boolean_value(bool value);
  ByteWriter& byte_value(std::int8_t value);
  ByteWriter& short_value(std::int16_t value);
  ByteWriter& char_value(char16_t value);
  ByteWriter& int_value(std::int32_t value);
  ByteWriter& long_value(std::int64_t value);
  ByteWriter& float_value(float value);
  ByteWriter& double_value(double value);

  // Parts of the format that are not field values.
  ByteWriter& key(std::uint64_t value);
  ByteWriter& count(std::uint64_t value);

  /// Padded to `width` bytes; in fixed-width mode `width` is without effect.
  ByteWriter& padded_count(std::uint64_t value, std::size_t width);

  /// `text` is UTF-8. `null` and `empty` ignore it; `pool` is not for text, see pooled_string.
  ByteWriter& string(std::string_view text, StringEncoding encoding = StringEncoding::utf8);
  ByteWriter& utf16_string(std::u16string_view code_units);
  ByteWriter& null_string();
  ByteWriter& pooled_string(std::uint64_t key);

  /// The encoding byte and a length, without data or with other data than the length says.
  ByteWriter& claimed_string(std::uint64_t length, std::string_view data,
                             StringEncoding encoding = StringEncoding::utf8);

  // Bytes as they are.
  ByteWriter& raw(const Bytes& bytes);
  ByteWriter& u8(std::uint8_t value);
  ByteWriter& big_endian(std::uint64_t value, std::size_t width);
  ByteWriter& padded(std::uint64_t value, std::size_t width);
  ByteWriter& zeros(std::size_t count);

  [[nodiscard]] const Bytes& bytes() const { return bytes_; }
  [[nodiscard]] std::size_t size() const { return bytes_.size(); }
  [[nodiscard]] IntegerEncoding integers() const { return integers_; }

 private:
  ByteWriter& integer(std::uint64_t value, std::size_t fixed_width);

  IntegerEncoding integers_;
  Bytes bytes_;
};

/// UTF-8 to UTF-16 code units; invalid bytes become U+FFFD. For text written by tests.
std::u16string to_utf16(std::string_view text);

}  // namespace jfrtree::test
