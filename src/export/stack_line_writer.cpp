#include "export/stack_line_writer.hpp"

#include <algorithm>
#include <cstring>

#include "export/decimal.hpp"

namespace jfrtree::internal {

namespace {
constexpr std::size_t first_capacity = std::size_t{1} << 18;
}

StackLineWriter::StackLineWriter(Output& output, FrameTexts& texts, std::string_view line_begin)
    : output_(output), texts_(texts), line_begin_(line_begin), buffer_(first_capacity) {}

void StackLineWriter::begin_line(std::span<const FrameId> frames) {
  if (kept_ == 0) {
    line_ = used_;
    append(line_begin_);
  } else {
    repeat(ends_[kept_ - 1]);
  }
  if (ends_.size() < frames.size()) {
    ends_.resize(frames.size());
  }
  for (std::size_t depth = kept_; depth < frames.size(); ++depth) {
    PaddedText text = texts_[frames[depth]];
    reserve(text.room());
    if (depth == 0) {
      append(text.view().substr(1));
    } else {
      text.copy_to(buffer_.data() + used_);
      used_ += text.size;
    }
    ends_[depth] = used_ - line_;
  }
  kept_ = frames.size();
}

void StackLineWriter::append(std::string_view text) {
  reserve(text.size());
  std::copy(text.begin(), text.end(), buffer_.data() + used_);
  used_ += text.size();
}

void StackLineWriter::append(std::uint64_t number) {
  reserve(most_digits);
  char* const target = buffer_.data() + used_;
  used_ += static_cast<std::size_t>(write_decimal(target, number) - target);
}

void StackLineWriter::repeat(std::size_t size) {
  if (buffer_.size() - used_ < size) {
    // The begin of the line before is the begin of this one: it moves to the front.
    output_.write({buffer_.data(), used_});
    std::memmove(buffer_.data(), buffer_.data() + line_, size);
    line_ = 0;
    used_ = size;
    return;
  }
  std::memcpy(buffer_.data() + used_, buffer_.data() + line_, size);
  line_ = used_;
  used_ += size;
}

void StackLineWriter::make_room(std::size_t size) {
  if (line_ > 0) {
    output_.write({buffer_.data(), line_});
    used_ -= line_;
    std::memmove(buffer_.data(), buffer_.data() + line_, used_);
    line_ = 0;
  }
  if (buffer_.size() - used_ < size) {
    buffer_.resize(std::max(2 * buffer_.size(), used_ + size));
  }
}

void StackLineWriter::flush() {
  if (used_ > 0) {
    output_.write({buffer_.data(), used_});
  }
  line_ = 0;
  used_ = 0;
  kept_ = 0;
}

}  // namespace jfrtree::internal
