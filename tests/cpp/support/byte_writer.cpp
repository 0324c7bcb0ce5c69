#include "support/byte_writer.hpp"

#include <cstring>
#include <stdexcept>

namespace jfrtree::test {

namespace {

constexpr std::size_t longest_varint = 9;

std::byte to_byte(std::uint64_t value) { return static_cast<std::byte>(value & 0xff); }

template <typename To, typename From>
To bit_copy(From value) {
  static_assert(sizeof(To) == sizeof(From));
  To result;
  std::memcpy(&result, &value, sizeof result);
  return result;
}

/// Appends without a temporary: some recordings of tests have millions of varints.
void append_varint(Bytes& target, std::uint64_t value, std::size_t width) {
  for (std::size_t i = 0; i + 1 < width; ++i) {
    target.push_back(to_byte(((value >> (7 * i)) & 0x7f) | 0x80));
  }
  // The ninth byte carries eight bits and no continuation bit.
  target.push_back(to_byte(value >> (7 * (width - 1))));
}

std::size_t varint_width(std::uint64_t value) {
  std::size_t width = 1;
  while (width < longest_varint && (value >> (7 * width)) != 0) ++width;
  return width;
}

std::size_t utf8_sequence_length(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead < 0xe0) return 2;
  if (lead >= 0xe0 && lead < 0xf0) return 3;
  if (lead >= 0xf0 && lead < 0xf5) return 4;
  return 0;
}

}  // namespace

Bytes varint(std::uint64_t value) {
  Bytes bytes;
  append_varint(bytes, value, varint_width(value));
  return bytes;
}

Bytes padded_varint(std::uint64_t value, std::size_t width) {
  if (width < 1 || width > longest_varint) throw std::invalid_argument("varint width");
  if (varint_width(value) > width) {
    throw std::invalid_argument("value does not fit the varint width");
  }
  Bytes bytes;
  append_varint(bytes, value, width);
  return bytes;
}

Bytes to_bytes(std::string_view text) {
  Bytes bytes(text.size());
  if (!text.empty()) std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

Bytes from_hex(std::string_view digits) {
  constexpr std::string_view alphabet = "0123456789abcdef";
  Bytes bytes;
  std::size_t half = alphabet.size();
  for (const char c : digits) {
    if (c == ' ' || c == '\n') continue;
    const std::size_t nibble = alphabet.find(c);
    if (nibble == std::string_view::npos) throw std::invalid_argument("not a hexadecimal digit");
    if (half == alphabet.size()) {
      half = nibble;
    } else {
      bytes.push_back(to_byte(half * 16 + nibble));
      half = alphabet.size();
    }
  }
  if (half != alphabet.size()) throw std::invalid_argument("half a byte");
  return bytes;
}

void append(Bytes& target, const Bytes& more) {
  target.insert(target.end(), more.begin(), more.end());
}

ByteWriter::ByteWriter(IntegerEncoding integers) : integers_(integers) {}

ByteWriter& ByteWriter::integer(std::uint64_t value, std::size_t fixed_width) {
  if (integers_ == IntegerEncoding::fixed_width) return big_endian(value, fixed_width);
  append_varint(bytes_, value, varint_width(value));
  return *this;
}

ByteWriter& ByteWriter::boolean_value(bool value) { return u8(value ? 1 : 0); }

ByteWriter& ByteWriter::byte_value(std::int8_t value) {
  return u8(static_cast<std::uint8_t>(value));
}

// Negative numbers are extended with zeros: an int of -5 is 0xfffffffb, not a 64-bit -5.
ByteWriter& ByteWriter::short_value(std::int16_t value) {
  return integer(static_cast<std::uint16_t>(value), 2);
}

ByteWriter& ByteWriter::char_value(char16_t value) {
  return integer(static_cast<std::uint16_t>(value), 2);
}

ByteWriter& ByteWriter::int_value(std::int32_t value) {
  return integer(static_cast<std::uint32_t>(value), 4);
}

ByteWriter& ByteWriter::long_value(std::int64_t value) {
  return integer(static_cast<std::uint64_t>(value), 8);
}

ByteWriter& ByteWriter::float_value(float value) {
  return big_endian(bit_copy<std::uint32_t>(value), 4);
}

ByteWriter& ByteWriter::double_value(double value) {
  return big_endian(bit_copy<std::uint64_t>(value), 8);
}

ByteWriter& ByteWriter::key(std::uint64_t value) { return integer(value, 8); }

ByteWriter& ByteWriter::count(std::uint64_t value) { return integer(value, 4); }

ByteWriter& ByteWriter::padded_count(std::uint64_t value, std::size_t width) {
  if (integers_ == IntegerEncoding::fixed_width) return big_endian(value, 4);
  return raw(padded_varint(value, width));
}

ByteWriter& ByteWriter::string(std::string_view text, StringEncoding encoding) {
  switch (encoding) {
    case StringEncoding::null:
    case StringEncoding::empty:
      return u8(static_cast<std::uint8_t>(encoding));
    case StringEncoding::utf8:
      return claimed_string(text.size(), text, encoding);
    case StringEncoding::utf16:
      return utf16_string(to_utf16(text));
    case StringEncoding::latin1: {
      std::string bytes;
      for (const char16_t unit : to_utf16(text)) {
        if (unit > 0xff) throw std::invalid_argument("text is not Latin-1");
        bytes.push_back(static_cast<char>(unit));
      }
      return claimed_string(bytes.size(), bytes, encoding);
    }
    case StringEncoding::pool:
      break;
  }
  throw std::invalid_argument("no encoding for text");
}

ByteWriter& ByteWriter::utf16_string(std::u16string_view code_units) {
  u8(static_cast<std::uint8_t>(StringEncoding::utf16)).count(code_units.size());
  for (const char16_t unit : code_units) char_value(unit);
  return *this;
}

ByteWriter& ByteWriter::null_string() { return string({}, StringEncoding::null); }

ByteWriter& ByteWriter::pooled_string(std::uint64_t pool_key) {
  return u8(static_cast<std::uint8_t>(StringEncoding::pool)).key(pool_key);
}

ByteWriter& ByteWriter::claimed_string(std::uint64_t length, std::string_view data,
                                       StringEncoding encoding) {
  return u8(static_cast<std::uint8_t>(encoding)).count(length).raw(to_bytes(data));
}

ByteWriter& ByteWriter::raw(const Bytes& bytes) {
  append(bytes_, bytes);
  return *this;
}

ByteWriter& ByteWriter::u8(std::uint8_t value) {
  bytes_.push_back(to_byte(value));
  return *this;
}

ByteWriter& ByteWriter::big_endian(std::uint64_t value, std::size_t width) {
  for (std::size_t i = width; i > 0; --i) bytes_.push_back(to_byte(value >> (8 * (i - 1))));
  return *this;
}

ByteWriter& ByteWriter::padded(std::uint64_t value, std::size_t width) {
  return raw(padded_varint(value, width));
}

ByteWriter& ByteWriter::zeros(std::size_t count) {
  bytes_.resize(bytes_.size() + count);
  return *this;
}

std::u16string to_utf16(std::string_view text) {
  std::u16string units;
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t length = utf8_sequence_length(lead);
    if (length == 0 || length > text.size() - i) {
      units.push_back(u'\xfffd');
      ++i;
      continue;
    }
    std::uint32_t code_point = length == 1 ? lead : lead & (0x7fU >> length);
    for (std::size_t k = 1; k < length; ++k) {
      code_point = (code_point << 6) | (static_cast<unsigned char>(text[i + k]) & 0x3fU);
    }
    if (code_point >= 0x10000) {
      units.push_back(static_cast<char16_t>(0xd800 + ((code_point - 0x10000) >> 10)));
      units.push_back(static_cast<char16_t>(0xdc00 + ((code_point - 0x10000) & 0x3ff)));
    } else {
      units.push_back(static_cast<char16_t>(code_point));
    }
    i += length;
  }
  return units;
}

}  // namespace jfrtree::test
