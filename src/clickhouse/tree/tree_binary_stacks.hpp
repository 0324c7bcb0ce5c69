#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <jfrtree/clickhouse_tree.hpp>

#include "clickhouse/rows/binary_cursor.hpp"
#include "clickhouse/tree/tree_errors.hpp"
#include "clickhouse/tree/tree_stacks.hpp"

namespace jfrtree::internal {

/// How many bytes two texts have in common from the first on.
[[nodiscard]] inline std::size_t equal_bytes(const char* one, const char* other,
                                             std::size_t most) noexcept {
  std::size_t count = 0;
  for (; most - count >= 8; count += 8) {
    const std::uint64_t difference = load_word(one + count) ^ load_word(other + count);
    if (difference != 0) {
      const int equal_bits = std::endian::native == std::endian::little
                                 ? std::countr_zero(difference)
                                 : std::countl_zero(difference);
      return count + static_cast<std::size_t>(equal_bits) / 8;
    }
  }
  while (count < most && one[count] == other[count]) {
    ++count;
  }
  return count;
}

/// Reads stacks. What a stack has in common with the one before, in bytes, need not be looked up.
class BinaryStackReader {
 public:
  BinaryStackReader(TreeStacks& stacks, const TreeFilterOptions& options)
      : stacks_(stacks), limits_(options.limits), column_(options.frames) {}

  /// The bytes of the stack before may have moved.
  void forget_before() noexcept { before_ = nullptr; }

  /// False when the stack is cut.
  [[nodiscard]] bool read(BinaryCursor& cursor, std::uint64_t row) {
    std::uint64_t count = 0;
    if (!cursor.read_length(count)) {
      return false;
    }
    if (count > limits_.stack_frames) {
      throw_row_limit("-", row, "a stack of " + std::to_string(count) + " frames", "stack_frames",
                      limits_.stack_frames);
    }
    if (count > frames_.size()) {
      frames_.resize(static_cast<std::size_t>(count));
      ends_.resize(frames_.size());
    }
    switch (column_) {
      case FrameColumn::strings:
        return read_texts(cursor, static_cast<std::size_t>(count), row);
      case FrameColumn::ids32:
        return read_ids<std::uint32_t>(cursor, static_cast<std::size_t>(count));
      case FrameColumn::ids64:
        return read_ids<std::uint64_t>(cursor, static_cast<std::size_t>(count));
    }
    return false;
  }

  [[nodiscard]] std::span<const FrameId> frames() const noexcept {
    return std::span(frames_).first(count_);
  }

 private:
  [[nodiscard]] bool read_texts(BinaryCursor& cursor, std::size_t count, std::uint64_t row) {
    const char* const first = cursor.position();
    std::size_t index = 0;
    if (before_ != nullptr && count_ > 0) {
      const std::size_t most = std::min(ends_[count_ - 1], cursor.left());
      const std::size_t same = equal_bytes(before_, first, most);
      const std::size_t shared = std::min(count, count_);
      while (index < shared && ends_[index] <= same) {
        ++index;
      }
      cursor.skip(index == 0 ? 0 : ends_[index - 1]);
    }
    before_ = nullptr;  // of the frames behind the index nothing is right until all are read
    texts_.clear();
    for (std::size_t next = index; next < count; ++next) {
      std::uint64_t length = 0;
      if (!cursor.read_length(length)) {
        return false;
      }
      if (length > limits_.string_bytes) {
        throw_row_limit("-", row, "a frame of " + std::to_string(length) + " bytes", "string_bytes",
                        limits_.string_bytes);
      }
      if (length > cursor.left()) {
        return false;
      }
      texts_.emplace_back(cursor.position(), static_cast<std::size_t>(length));
      cursor.skip(texts_.back().size());
      ends_[next] = static_cast<std::size_t>(cursor.position() - first);
    }
    stacks_.frames_of_texts(texts_, frames_.data() + index);
    count_ = count;
    before_ = first;
    return true;
  }

  template <typename Id>
  [[nodiscard]] bool read_ids(BinaryCursor& cursor, std::size_t count) {
    if (cursor.left() < count * sizeof(Id)) {
      return false;
    }
    const char* const first = cursor.position();
    std::size_t index = 0;
    if (before_ != nullptr) {
      const std::size_t most = std::min(count, count_);
      index = equal_bytes(before_, first, most * sizeof(Id)) / sizeof(Id);
    }
    for (; index < count; ++index) {
      frames_[index] = stacks_.frame_of_id(BinaryCursor::load<Id>(first + index * sizeof(Id)));
    }
    cursor.skip(count * sizeof(Id));
    count_ = count;
    before_ = first;
    return true;
  }

  TreeStacks& stacks_;
  Limits limits_;
  FrameColumn column_;
  std::vector<FrameId> frames_;
  std::vector<std::string_view> texts_;  // of the stack at hand that are to be looked up
  std::vector<std::size_t> ends_;        // by frame, from the first frame on
  std::size_t count_ = 0;
  const char* before_ = nullptr;  // where the frames of the stack before begin
};

}  // namespace jfrtree::internal
