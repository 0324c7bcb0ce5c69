#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>

#include <jfrtree/output.hpp>

#include "export/decimal.hpp"
#include "export/padded_text.hpp"

namespace jfrtree::internal {

/// Gathers text in one large buffer and hands it to an output in large pieces. What was not flushed
/// is lost: call `flush` at the end, never from a destructor, so that errors are seen.
class TextWriter {
 public:
  static constexpr std::size_t capacity = std::size_t{1} << 18;

  /// The output must outlive the writer.
  explicit TextWriter(Output& output) : output_(output), buffer_(new char[capacity]) {}

  void append(char character) {
    if (used_ == capacity) {
      flush();
    }
    buffer_[used_++] = character;
  }

  void append(std::string_view text) {
    if (text.size() > capacity - used_) {
      flush();
      if (text.size() > capacity) {
        output_.write(text);
        return;
      }
    }
    // An empty view may hold a null pointer, which memcpy must not see.
    if (!text.empty()) {
      std::memcpy(buffer_.get() + used_, text.data(), text.size());
      used_ += text.size();
    }
  }

  void append(const PaddedText& text) {
    if (text.room() > capacity - used_) {
      append(text.view());
      return;
    }
    text.copy_to(buffer_.get() + used_);
    used_ += text.size;
  }

  /// In decimal digits.
  void append(std::uint64_t number) {
    if (capacity - used_ < most_digits) {
      flush();
    }
    char* const target = buffer_.get() + used_;
    used_ += static_cast<std::size_t>(write_decimal(target, number) - target);
  }

  /// A number and a character behind it.
  void append(std::uint64_t number, char behind) {
    if (capacity - used_ <= most_digits) {
      flush();
    }
    char* const target = buffer_.get() + used_;
    char* const end = write_decimal(target, number);
    *end = behind;
    used_ += static_cast<std::size_t>(end - target) + 1;
  }

  /// Hands over what is in the buffer.
  void flush() {
    if (used_ > 0) {
      output_.write({buffer_.get(), used_});
      used_ = 0;
    }
  }

 private:
  Output& output_;
  std::unique_ptr<char[]> buffer_;
  std::size_t used_ = 0;
};

}  // namespace jfrtree::internal
