#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include <jfrtree/profile.hpp>

namespace jfrtree::internal {

/// Appends a text in the form of an output. Returns false, and appends nothing, when the text can
/// stand as it is.
using EscapeText = bool (*)(std::string& escaped, std::string_view text);

/// `append_json_string` as an EscapeText.
bool escape_json(std::string& escaped, std::string_view text);

/// The texts of frames in the form of one output, each made once, when it is first needed.
/// The frame table must outlive it.
class FrameTexts {
 public:
  FrameTexts(const FrameTable& table, EscapeText escape);

  /// The views stay valid as long as this object. Not thread-safe.
  [[nodiscard]] std::string_view operator[](FrameId frame) {
    const std::size_t index = raw(frame) < table_.size() ? raw(frame)
                              : frame == root_frame      ? table_.size()
                                                         : table_.size() + 1;
    std::string_view& text = texts_[index];
    if (text.data() == nullptr) {
      text = make(frame);
    }
    return text;
  }

 private:
  std::string_view make(FrameId frame);

  const FrameTable& table_;
  EscapeText escape_;
  std::vector<std::string_view> texts_;  // with a null pointer: not made yet
  std::deque<std::string> escaped_;
};

}  // namespace jfrtree::internal
