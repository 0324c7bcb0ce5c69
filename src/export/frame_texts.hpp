#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <jfrtree/profile.hpp>

#include "export/padded_text.hpp"

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
  /// Every text gets `before` and `after` around it, which are not escaped.
  FrameTexts(const FrameTable& table, EscapeText escape, std::string_view before = {},
             std::string_view after = {});

  /// The texts stay valid as long as this object. Not thread-safe.
  [[nodiscard]] const PaddedText& operator[](FrameId frame) {
    const std::size_t index = raw(frame) < frame_count_ ? raw(frame)
                              : frame == root_frame     ? frame_count_
                                                        : frame_count_ + 1;
    if (texts_[index].data == nullptr) {
      texts_[index] = make(frame);
    }
    return texts_[index];
  }

 private:
  PaddedText make(FrameId frame);
  [[nodiscard]] char* allocate(std::size_t size);

  const FrameTable& table_;
  EscapeText escape_;
  std::string before_;
  std::string after_;
  std::size_t frame_count_;
  std::vector<PaddedText> texts_;  // with a null pointer: not made yet
  std::vector<std::unique_ptr<char[]>> blocks_;
  char* free_ = nullptr;  // in the last block
  std::size_t free_size_ = 0;
};

}  // namespace jfrtree::internal
