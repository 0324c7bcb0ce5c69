#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "export/arrow/table.hpp"

namespace jfrtree::internal::arrow {

/// A dictionary that grows from batch to batch: what a number means never changes, so that all
/// batches of a stream can be read by the last dictionary. Batches share its memory.
class TextDictionary {
 public:
  /// Throws LimitError from `add` on, when all texts have more bytes than `most_bytes`.
  explicit TextDictionary(std::uint64_t most_bytes);

  /// The number of a text, which is copied when it is new.
  [[nodiscard]] std::int32_t add(std::string_view text);

  /// What is there so far.
  [[nodiscard]] ColumnPointer snapshot();

 private:
  /// A text that was added lately, by its address: constants lie where they are for a chunk.
  struct Recent {
    const char* address = nullptr;
    std::size_t size = 0;
    std::int32_t number = 0;
  };
  static constexpr std::size_t recent_count = 256;

  [[nodiscard]] std::string_view text(std::int32_t number) const noexcept;
  [[nodiscard]] std::int32_t find_or_append(std::string_view text);
  void grow_slots();

  std::uint64_t most_bytes_;
  BufferBuilder<std::int32_t> offsets_;
  BufferBuilder<char> characters_;
  std::vector<std::uint64_t> hashes_;  // by number
  std::vector<std::int32_t> slots_;    // a hash table of numbers, -1: free; a power of two
  std::array<Recent, recent_count> recent_{};
  ColumnPointer last_;
};

}  // namespace jfrtree::internal::arrow
