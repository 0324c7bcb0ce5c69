#include "profile/text_table.hpp"

#include <algorithm>
#include <cstring>

namespace jfrtree::internal {

class TextTable::Arena {
 public:
  std::string_view copy(std::string_view text) {
    if (text.size() > left_) {
      const std::size_t size = std::max(text.size(), block_bytes);
      blocks_.push_back(std::make_unique_for_overwrite<char[]>(size));
      next_ = blocks_.back().get();
      left_ = size;
    }
    if (!text.empty()) std::memcpy(next_, text.data(), text.size());
    const std::string_view copied(next_, text.size());
    next_ += text.size();
    left_ -= text.size();
    return copied;
  }

 private:
  static constexpr std::size_t block_bytes = std::size_t{1} << 16;

  std::vector<std::unique_ptr<char[]>> blocks_;
  char* next_ = nullptr;
  std::size_t left_ = 0;
};

TextTable::TextTable() : arena_(std::make_shared<Arena>()) {}

std::uint32_t TextTable::add(std::string_view text) {
  const auto found = numbers_.find(text);
  if (found != numbers_.end()) return found->second;
  const auto number = static_cast<std::uint32_t>(texts_.size());
  const std::string_view stored = arena_->copy(text);
  texts_.push_back(stored);
  bytes_ += stored.size();
  numbers_.emplace(stored, number);
  return number;
}

std::shared_ptr<const void> TextTable::arena() const noexcept { return arena_; }

}  // namespace jfrtree::internal
