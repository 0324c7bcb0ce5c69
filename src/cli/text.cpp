#include "cli/text.hpp"

#include "cli/human.hpp"

namespace jfrtree::cli {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

std::size_t sequence_length(unsigned char lead) noexcept {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return 2;
  if (lead >= 0xE0 && lead <= 0xEF) return 3;
  if (lead >= 0xF0 && lead <= 0xF4) return 4;
  return 0;
}

bool is_allowed(std::uint32_t code_point, std::size_t length) noexcept {
  constexpr std::uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = code_point >= 0xD800 && code_point <= 0xDFFF;
  return code_point >= smallest[length] && code_point <= 0x10FFFF && !is_surrogate;
}

bool is_control(std::uint32_t code_point) noexcept {
  return code_point < 0x20 || (code_point >= 0x7F && code_point <= 0x9F);
}

}  // namespace

Character first_character(std::string_view text) noexcept {
  constexpr Character invalid{0xFFFD, 1, false};
  const auto lead = static_cast<unsigned char>(text[0]);
  const std::size_t length = sequence_length(lead);
  if (length == 1) {
    return {lead, 1, true};
  }
  if (length == 0 || text.size() < length) {
    return invalid;
  }
  std::uint32_t code_point = lead & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte & 0xC0U) != 0x80U) {
      return invalid;
    }
    code_point = code_point << 6U | (byte & 0x3FU);
  }
  return is_allowed(code_point, length) ? Character{code_point, length, true} : invalid;
}

std::string valid_utf8(std::string_view text) {
  std::string valid;
  valid.reserve(text.size());
  while (!text.empty()) {
    const Character character = first_character(text);
    valid += character.is_valid ? text.substr(0, character.bytes) : replacement;
    text.remove_prefix(character.bytes);
  }
  return valid;
}

std::string printable(std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string safe;
  safe.reserve(text.size());
  while (!text.empty()) {
    const Character character = first_character(text);
    if (!character.is_valid) {
      safe += replacement;
    } else if (is_control(character.code_point)) {
      safe += "\\x";
      safe += digits[character.code_point >> 4U];
      safe += digits[character.code_point & 0xFU];
    } else {
      safe += text.substr(0, character.bytes);
    }
    text.remove_prefix(character.bytes);
  }
  return safe;
}

std::size_t text_width(std::string_view text) noexcept {
  std::size_t width = 0;
  for (const char character : text) {
    // Continuation bytes take no column.
    width += (static_cast<unsigned char>(character) & 0xC0U) != 0x80U ? 1U : 0U;
  }
  return width;
}

std::string counted(std::uint64_t number, std::string_view one, std::string_view several) {
  std::string text = count_text(number) + " ";
  text += number == 1 ? one : several;
  return text;
}

}  // namespace jfrtree::cli
