#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>

#include <jfrtree/output.hpp>

namespace jfrtree::internal {

namespace text_writer_details {
/// `000102…99`: two digits at a time.
inline constexpr auto digit_pairs = [] {
  std::array<char, 200> pairs{};
  for (std::size_t number = 0; number < 100; ++number) {
    pairs[2 * number] = static_cast<char>('0' + number / 10);
    pairs[2 * number + 1] = static_cast<char>('0' + number % 10);
  }
  return pairs;
}();
}  // namespace text_writer_details

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

  /// In decimal digits.
  void append(std::uint64_t number) {
    std::array<char, 20> digits{};  // as many as the largest number has
    std::size_t begin = digits.size();
    const auto put_pair = [&](std::uint64_t pair) {
      begin -= 2;
      std::memcpy(digits.data() + begin, text_writer_details::digit_pairs.data() + 2 * pair, 2);
    };
    while (number >= 100) {
      put_pair(number % 100);
      number /= 100;
    }
    if (number >= 10) {
      put_pair(number);
    } else {
      digits[--begin] = static_cast<char>('0' + number);
    }
    append(std::string_view(digits.data() + begin, digits.size() - begin));
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
