#pragma once

#include <cstdint>
#include <vector>

#include "io/seeded_map.hpp"

namespace jfrtree::internal {

/// Where the constants of one type lie: key → ordinal → byte offset in the chunk.
///
/// Ordinals count the entries in the order they were added. Keys are looked up in a table indexed
/// by key − lowest key when their span is at most 16 times the entries or what the caller grants,
/// else in a hash map. A key that is added again means its latest entry from then on.
class PoolIndex {
 public:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  void add(std::uint64_t key, std::uint64_t offset) {
    keys_.push_back(key);
    offsets_.push_back(offset);
  }
  /// Builds the look-up; call once after the last `add`. A table of four bytes a key may be as long
  /// as `granted_span` however few the entries are: a long chunk looks them up often.
  void build(std::uint64_t granted_span = 0);

  /// The look-up as a table, for loops that hold it in registers; empty when it is a hash map.
  struct Table {
    const std::uint32_t* ordinals = nullptr;
    std::uint64_t size = 0;
    std::uint64_t lowest = 0;

    [[nodiscard]] std::uint32_t find(std::uint64_t key) const noexcept {
      const std::uint64_t slot = key - lowest;
      return slot < size ? ordinals[slot] : none;
    }
  };
  [[nodiscard]] Table table() const noexcept { return {table_.data(), table_.size(), lowest_}; }

  /// Ordinal of a key, or `none`.
  [[nodiscard]] std::uint32_t find(std::uint64_t key) const noexcept {
    if (!table_.empty()) return table().find(key);
    const auto found = map_.find(key);
    return found == map_.end() ? none : found->second;
  }

  /// Number of entries, repeated keys included.
  [[nodiscard]] std::size_t size() const noexcept { return offsets_.size(); }
  /// Offset of an entry's value from the chunk's start.
  [[nodiscard]] std::uint64_t offset(std::uint32_t ordinal) const noexcept {
    return offsets_[ordinal];
  }

 private:
  std::vector<std::uint64_t> keys_;     // freed by `build`
  std::vector<std::uint64_t> offsets_;  // by ordinal
  std::vector<std::uint32_t> table_;
  std::uint64_t lowest_ = 0;
  SeededMap<std::uint64_t, std::uint32_t> map_;
};

}  // namespace jfrtree::internal
