#include <utility>

#include <jfrtree/profile.hpp>

namespace jfrtree {

FrameTable::FrameTable(std::vector<std::string_view> texts, std::shared_ptr<const void> owner)
    : texts_(std::move(texts)), owner_(std::move(owner)) {}

std::string_view FrameTable::text(FrameId frame) const noexcept {
  if (raw(frame) < texts_.size()) {
    return texts_[raw(frame)];
  }
  if (frame == root_frame) {
    return "total";
  }
  return frame == other_frame ? std::string_view("(other)") : std::string_view();
}

}  // namespace jfrtree
