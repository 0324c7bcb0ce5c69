#include "format/text.hpp"

#include <algorithm>

namespace jfrtree::internal {

namespace {

constexpr std::uint32_t replacement_character = 0xFFFD;

[[nodiscard]] bool is_continuation(std::uint8_t byte) noexcept { return (byte & 0xC0) == 0x80; }

/// Length of the valid UTF-8 sequence at `p`, or 0.
[[nodiscard]] std::size_t sequence_length(const std::uint8_t* p, std::size_t left) noexcept {
  const std::uint8_t lead = p[0];
  if (lead < 0x80) return 1;
  if (lead < 0xC2 || lead > 0xF4) return 0;
  const std::size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (left < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if (!is_continuation(p[i])) return 0;
  }
  if (lead == 0xE0 && p[1] < 0xA0) return 0;
  if (lead == 0xED && p[1] >= 0xA0) return 0;
  if (lead == 0xF0 && p[1] < 0x90) return 0;
  if (lead == 0xF4 && p[1] >= 0x90) return 0;
  return length;
}

/// The surrogate encoded in three bytes at `p`, or 0.
[[nodiscard]] std::uint32_t three_byte_surrogate(const std::uint8_t* p, std::size_t left) noexcept {
  if (left < 3 || p[0] != 0xED || p[1] < 0xA0 || p[1] > 0xBF || !is_continuation(p[2])) return 0;
  return 0xD000U | (p[1] & 0x3FU) << 6 | (p[2] & 0x3FU);
}

[[nodiscard]] bool is_ascii(std::string_view bytes) noexcept {
  const auto* p = reinterpret_cast<const std::uint8_t*>(bytes.data());
  std::size_t left = bytes.size();
  for (; left >= 8; p += 8, left -= 8) {
    if (load_little_endian(p) & 0x8080'8080'8080'8080U) return false;
  }
  for (; left > 0; ++p, --left) {
    if (*p >= 0x80) return false;
  }
  return true;
}

}  // namespace

bool is_valid_utf8(std::string_view bytes) noexcept {
  if (is_ascii(bytes)) return true;
  const auto* p = reinterpret_cast<const std::uint8_t*>(bytes.data());
  for (std::size_t left = bytes.size(); left > 0;) {
    const std::size_t length = sequence_length(p, left);
    if (length == 0) return false;
    p += length;
    left -= length;
  }
  return true;
}

void append_code_point(std::string& text, std::uint32_t code_point) {
  if ((code_point >= 0xD800 && code_point < 0xE000) || code_point > 0x10FFFF) {
    code_point = replacement_character;
  }
  const auto put = [&text](std::uint32_t byte) { text.push_back(static_cast<char>(byte)); };
  if (code_point < 0x80) {
    put(code_point);
  } else if (code_point < 0x800) {
    put(0xC0 | code_point >> 6);
    put(0x80 | (code_point & 0x3F));
  } else if (code_point < 0x10000) {
    put(0xE0 | code_point >> 12);
    put(0x80 | (code_point >> 6 & 0x3F));
    put(0x80 | (code_point & 0x3F));
  } else {
    put(0xF0 | code_point >> 18);
    put(0x80 | (code_point >> 12 & 0x3F));
    put(0x80 | (code_point >> 6 & 0x3F));
    put(0x80 | (code_point & 0x3F));
  }
}

bool append_utf8(std::string& text, std::string_view bytes) {
  if (is_valid_utf8(bytes)) {
    text.append(bytes);
    return true;
  }
  bool is_clean = true;
  const auto* p = reinterpret_cast<const std::uint8_t*>(bytes.data());
  for (std::size_t left = bytes.size(); left > 0;) {
    std::size_t used = sequence_length(p, left);
    if (used > 0) {
      text.append(reinterpret_cast<const char*>(p), used);
    } else if (left >= 2 && p[0] == 0xC0 && p[1] == 0x80) {
      text.push_back('\0');
      used = 2;
    } else if (const std::uint32_t first = three_byte_surrogate(p, left); first != 0) {
      const std::uint32_t second = three_byte_surrogate(p + 3, left - 3);
      const bool is_pair = first < 0xDC00 && second >= 0xDC00;
      append_code_point(text, is_pair ? 0x10000 + ((first & 0x3FF) << 10 | (second & 0x3FF))
                                      : replacement_character);
      used = is_pair ? 6 : 3;
      is_clean = is_clean && is_pair;
    } else {
      append_code_point(text, replacement_character);
      used = 1;
      is_clean = false;
    }
    p += used;
    left -= used;
  }
  return is_clean;
}

void Utf16Decoder::append(std::uint16_t unit) {
  if (unit >= 0xDC00 && unit < 0xE000 && high_ != 0) {
    append_code_point(text_, 0x10000 + ((high_ & 0x3FF) << 10 | (unit & 0x3FFU)));
    high_ = 0;
    return;
  }
  finish();
  if (unit >= 0xD800 && unit < 0xDC00) {
    high_ = unit;
    return;
  }
  if (unit >= 0xDC00 && unit < 0xE000) bad_ = true;
  append_code_point(text_, unit);
}

void Utf16Decoder::finish() {
  if (high_ == 0) return;
  append_code_point(text_, replacement_character);
  high_ = 0;
  bad_ = true;
}

StringValue read_string(ByteReader& reader) noexcept {
  StringValue string;
  const std::uint8_t encoding = reader.byte();
  string.encoding = static_cast<StringEncoding>(encoding);
  switch (string.encoding) {
    case StringEncoding::null:
    case StringEncoding::empty:
      break;
    case StringEncoding::constant:
      string.key = reader.key();
      break;
    case StringEncoding::utf8:
    case StringEncoding::latin1: {
      const std::uint64_t length = reader.count();
      if (length > reader.remaining()) {
        reader.fail();
        break;
      }
      string.bytes = reader.rest().first(length);
      reader.skip_bytes(length);
      break;
    }
    case StringEncoding::utf16: {
      string.units = reader.count();
      const std::span<const std::byte> rest = reader.rest();
      reader.skip_integers(string.units, 2);
      string.bytes = rest.first(rest.size() - reader.remaining());
      break;
    }
    default:
      reader.fail();
  }
  if (reader.failed()) return {};
  return string;
}

void skip_string(ByteReader& reader) noexcept { (void)read_string(reader); }

bool append_string(std::string& text, const StringValue& string, bool has_compressed_integers,
                   std::uint64_t max_bytes) {
  const std::size_t before = text.size();
  const auto* data = reinterpret_cast<const char*>(string.bytes.data());
  const std::size_t size = std::min<std::uint64_t>(string.bytes.size(), max_bytes);
  bool is_clean = size == string.bytes.size();
  if (string.encoding == StringEncoding::utf8) {
    return append_utf8(text, {data, size}) && is_clean;
  }
  if (string.encoding == StringEncoding::latin1) {
    for (std::size_t i = 0; i < size; ++i)
      append_code_point(text, static_cast<std::uint8_t>(data[i]));
    return is_clean;
  }
  if (string.encoding == StringEncoding::utf16) {
    ByteReader units(string.bytes, has_compressed_integers);
    Utf16Decoder decoder(text);
    for (std::uint64_t i = 0; i < string.units; ++i) {
      if (text.size() - before >= max_bytes) return false;
      decoder.append(static_cast<std::uint16_t>(units.integer(2)));
    }
    decoder.finish();
    return !decoder.had_bad_text();
  }
  return true;
}

}  // namespace jfrtree::internal
