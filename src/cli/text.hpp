#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace jfrtree::cli {

/// One character of a text.
struct Character {
  std::uint32_t code_point = 0;  ///< U+FFFD for a byte that is no UTF-8
  std::size_t bytes = 1;         ///< how many bytes of the text it took
  bool is_valid = true;
};

/// The first character of `text`, which must not be empty. Surrogates, overlong forms and values
/// above U+10FFFF are not valid; one byte is taken for them.
[[nodiscard]] Character first_character(std::string_view text) noexcept;

/// `text` with every byte that is no UTF-8 replaced by U+FFFD.
[[nodiscard]] std::string valid_utf8(std::string_view text);

/// `text` as it may stand on one line of a terminal: valid UTF-8, control characters written as
/// `\x1b`, so that names in a recording cannot move the cursor or change colours.
[[nodiscard]] std::string printable(std::string_view text);

/// Characters of a text, which is about its width on a terminal.
[[nodiscard]] std::size_t text_width(std::string_view text) noexcept;

/// `one` or `several` behind a number with separators: `1 chunk`, `1,234 chunks`.
[[nodiscard]] std::string counted(std::uint64_t number, std::string_view one,
                                  std::string_view several);

/// The texts with `separator` between them.
template <typename Range>
[[nodiscard]] std::string join(const Range& texts, std::string_view separator) {
  std::string joined;
  bool is_first = true;
  for (const auto& text : texts) {
    if (!is_first) {
      joined += separator;
    }
    joined += text;
    is_first = false;
  }
  return joined;
}

}  // namespace jfrtree::cli
