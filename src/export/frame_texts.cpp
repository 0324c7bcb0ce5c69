#include "export/frame_texts.hpp"

#include <utility>

#include "export/json_text.hpp"

namespace jfrtree::internal {

bool escape_json(std::string& escaped, std::string_view text) {
  append_json_string(escaped, text);
  return true;
}

FrameTexts::FrameTexts(const FrameTable& table, EscapeText escape)
    : table_(table), escape_(escape), texts_(table.size() + 2) {}

std::string_view FrameTexts::make(FrameId frame) {
  const std::string_view text = table_.text(frame);
  std::string escaped;
  if (escape_(escaped, text)) {
    return escaped_.emplace_back(std::move(escaped));
  }
  return text.data() == nullptr ? std::string_view("") : text;
}

}  // namespace jfrtree::internal
