#include "profile/collapsed_text.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace jfrtree::internal {
namespace {

struct Replacement {
  char original;
  std::string_view written;  // UTF-8
  bool only_first;           // only as the first character of a frame
};

constexpr std::array<Replacement, 4> replacements{{
    {';', "\xCD\xBE", false},
    {'\n', "\xE2\x90\xA4", false},
    {'\r', "\xE2\x90\x8D", false},
    {'#', "\xEF\xBC\x83", true},
}};

constexpr std::string_view marker = "\xEF\xB8\x8E";

/// A replacement where one side of it begins in a text.
struct Match {
  const Replacement* replacement = nullptr;
  bool is_original = false;

  [[nodiscard]] std::size_t size() const noexcept {
    return is_original ? 1 : replacement->written.size();
  }
};

/// What stands at `position`: something that is replaced, a replacement, or neither.
Match match(std::string_view text, std::size_t position) noexcept {
  for (const Replacement& replacement : replacements) {
    if (replacement.only_first && position != 0) {
      continue;
    }
    if (text[position] == replacement.original) {
      return {&replacement, true};
    }
    if (text.substr(position).starts_with(replacement.written)) {
      return {&replacement, false};
    }
  }
  return {};
}

std::size_t count_markers(std::string_view text) noexcept {
  std::size_t count = 0;
  while (text.starts_with(marker)) {
    text.remove_prefix(marker.size());
    ++count;
  }
  return count;
}

void append_markers(std::string& text, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    text += marker;
  }
}

}  // namespace

bool append_collapsed_frame(std::string& line, std::string_view frame) {
  if (frame.find_first_of(";\n\r#") == std::string_view::npos && !may_hold_replacements(frame)) {
    return false;
  }
  for (std::size_t position = 0; position < frame.size();) {
    const Match found = match(frame, position);
    if (found.replacement == nullptr) {
      line += frame[position++];
      continue;
    }
    position += found.size();
    const std::size_t markers = count_markers(frame.substr(position));
    position += markers * marker.size();
    line += found.replacement->written;
    append_markers(line, 2 * markers + (found.is_original ? 0 : 1));
  }
  return true;
}

bool may_hold_replacements(std::string_view text) noexcept {
  return std::any_of(replacements.begin(), replacements.end(), [&](const Replacement& replacement) {
    return text.find(replacement.written.front()) != std::string_view::npos;
  });
}

void append_frame_of_collapsed(std::string& frame, std::string_view text) {
  for (std::size_t position = 0; position < text.size();) {
    const Match found = match(text, position);
    if (found.replacement == nullptr || found.is_original) {
      frame += text[position++];
      continue;
    }
    position += found.size();
    const std::size_t markers = count_markers(text.substr(position));
    position += markers * marker.size();
    if (markers % 2 == 0) {
      frame += found.replacement->original;
    } else {
      frame += found.replacement->written;
    }
    append_markers(frame, markers / 2);
  }
}

}  // namespace jfrtree::internal
