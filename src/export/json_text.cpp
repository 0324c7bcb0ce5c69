#include "export/json_text.hpp"

#include <array>
#include <cstddef>

namespace jfrtree::internal {
namespace {

/// First byte of the UTF-8 of U+2028 and U+2029, and of many other characters.
constexpr unsigned char separator_lead = 0xE2;
constexpr std::string_view line_separator = "\xE2\x80\xA8";
constexpr std::string_view paragraph_separator = "\xE2\x80\xA9";

constexpr auto needs_look = [] {
  std::array<bool, 256> table{};
  for (std::size_t byte = 0; byte < 0x20; ++byte) {
    table[byte] = true;
  }
  table['"'] = true;
  table['\\'] = true;
  table[separator_lead] = true;
  return table;
}();

void append_escaped(std::string& json, char character) {
  constexpr std::string_view named = "\"\\\b\f\n\r\t";
  constexpr std::string_view names = "\"\\bfnrt";
  constexpr std::string_view digits = "0123456789abcdef";
  json += '\\';
  if (const std::size_t index = named.find(character); index != std::string_view::npos) {
    json += names[index];
    return;
  }
  const auto byte = static_cast<unsigned char>(character);
  json += "u00";
  json += digits[byte >> 4];
  json += digits[byte & 0xFU];
}

/// Appends what stands at the front of `text`, whose first byte needs a look; returns its length.
std::size_t append_special(std::string& json, std::string_view text) {
  if (static_cast<unsigned char>(text.front()) != separator_lead) {
    append_escaped(json, text.front());
    return 1;
  }
  if (text.starts_with(line_separator)) {
    json += "\\u2028";
    return line_separator.size();
  }
  if (text.starts_with(paragraph_separator)) {
    json += "\\u2029";
    return paragraph_separator.size();
  }
  json += text.front();
  return 1;
}

/// How much of a text, from its beginning, can stand as it is.
std::size_t clean_length(std::string_view text) noexcept {
  std::size_t length = 0;
  while (length < text.size() && !needs_look[static_cast<unsigned char>(text[length])]) {
    ++length;
  }
  return length;
}

}  // namespace

void append_json_string(std::string& json, std::string_view text) {
  json += '"';
  while (!text.empty()) {
    const std::size_t clean = clean_length(text);
    json += text.substr(0, clean);
    text.remove_prefix(clean);
    if (!text.empty()) {
      text.remove_prefix(append_special(json, text));
    }
  }
  json += '"';
}

}  // namespace jfrtree::internal
