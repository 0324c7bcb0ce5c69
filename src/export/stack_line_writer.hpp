#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <jfrtree/ids.hpp>
#include <jfrtree/output.hpp>

#include "export/frame_texts.hpp"

namespace jfrtree::internal {

/// Writes a line per stack. Stacks come sorted, so most of a line is in the line before: it is
/// copied from there, inside the buffer, which always holds the last line whole.
///
/// What was not flushed is lost: call `flush` at the end, so that errors are seen.
class StackLineWriter {
 public:
  /// The texts begin with one character that separates frames; the first frame of a line is written
  /// without it. Every line begins with `line_begin`. Output and texts must outlive the writer.
  StackLineWriter(Output& output, FrameTexts& texts, std::string_view line_begin = {});

  /// Says that a stack differs from the one before behind its first `depth` frames. Call for every
  /// stack, also for those without a line.
  void keep(std::size_t depth) noexcept {
    if (depth < kept_) {
      kept_ = depth;
    }
  }

  /// Begins the line of a stack.
  void begin_line(std::span<const FrameId> frames);

  void append(std::string_view text);
  /// In decimal digits.
  void append(std::uint64_t number);

  /// Hands over what is in the buffer. What follows begins anew, with no line before.
  void flush();

 private:
  /// Begins a line with the first `size` bytes of the line before.
  void repeat(std::size_t size);

  /// Makes room for `size` more bytes.
  void reserve(std::size_t size) {
    if (buffer_.size() - used_ < size) {
      make_room(size);
    }
  }
  void make_room(std::size_t size);

  Output& output_;
  FrameTexts& texts_;
  std::string line_begin_;
  std::vector<char> buffer_;
  std::size_t line_ = 0;           // where the last line begins in the buffer
  std::size_t used_ = 0;           // its end
  std::vector<std::size_t> ends_;  // by depth: the end of a frame, from the begin of its line
  std::size_t kept_ = 0;           // frames of the last line that the next one has, too
};

}  // namespace jfrtree::internal
