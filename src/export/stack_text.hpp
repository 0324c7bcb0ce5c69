#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <jfrtree/ids.hpp>

#include "export/frame_texts.hpp"
#include "profile/common_prefix.hpp"

namespace jfrtree::internal {

/// The text of one stack after the other, frames with a separator between them. Stacks come sorted,
/// so what one has in common with the stack before stays and is not written again.
class StackText {
 public:
  StackText(FrameTexts& texts, char separator) : texts_(texts), separator_(separator) {}

  /// Makes this the text of `frames`, which must stay valid until the next call.
  void set(std::span<const FrameId> frames) {
    resize(common_prefix(frames_, frames));
    for (const FrameId frame : frames.subspan(ends_.size())) {
      push(frame);
    }
    frames_ = frames;
  }

  /// Keeps the first `depth` frames.
  void resize(std::size_t depth) {
    ends_.resize(depth);
    text_.resize(depth == 0 ? 0 : ends_.back());
  }

  void push(FrameId frame) {
    if (!ends_.empty()) {
      text_ += separator_;
    }
    text_ += texts_[frame];
    ends_.push_back(text_.size());
  }

  /// Valid until the next change.
  [[nodiscard]] std::string_view view() const noexcept { return text_; }

 private:
  FrameTexts& texts_;
  char separator_;
  std::string text_;
  std::vector<std::size_t> ends_;  // of each frame in the text
  std::span<const FrameId> frames_;
};

}  // namespace jfrtree::internal
