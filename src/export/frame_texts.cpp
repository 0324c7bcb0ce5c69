#include "export/frame_texts.hpp"

#include <cstring>

#include "export/json_text.hpp"

namespace jfrtree::internal {

bool escape_json(std::string& escaped, std::string_view text) {
  append_json_string(escaped, text);
  return true;
}

FrameTexts::FrameTexts(const FrameTable& table, EscapeText escape, std::string_view before,
                       std::string_view after)
    : table_(table),
      escape_(escape),
      before_(before),
      after_(after),
      frame_count_(table.size()),
      texts_(table.size() + 2) {}

PaddedText FrameTexts::make(FrameId frame) {
  const std::string_view text = table_.text(frame);
  std::string made = before_;
  if (!escape_(made, text)) {
    made += text;
  }
  made += after_;
  char* const copy = allocate(made.size());
  std::memcpy(copy, made.data(), made.size());
  return {copy, made.size()};
}

char* FrameTexts::allocate(std::size_t size) {
  constexpr std::size_t block_bytes = std::size_t{1} << 16;
  const std::size_t padded = size / PaddedText::block * PaddedText::block + PaddedText::block;
  if (padded > free_size_) {
    free_size_ = std::max(padded, block_bytes);
    blocks_.push_back(std::make_unique<char[]>(free_size_));
    free_ = blocks_.back().get();
  }
  char* const allocated = free_;
  free_ += padded;
  free_size_ -= padded;
  return allocated;
}

}  // namespace jfrtree::internal
