#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "io/seeded_map.hpp"

namespace jfrtree::internal {

/// Texts, each stored once and numbered in the order of their first `add`. Views stay valid as long
/// as the table's arena, which can outlive it.
class TextTable {
 public:
  /// Memory of the texts.
  class Arena;

  TextTable();

  /// The number of a text, which is copied when it is new.
  std::uint32_t add(std::string_view text);
  /// The same for several threads at once.
  std::uint32_t add_shared(std::string_view text) {
    const std::lock_guard lock(mutex_);
    return add(text);
  }

  [[nodiscard]] std::string_view operator[](std::uint32_t number) const noexcept {
    return texts_[number];
  }
  /// The same for several threads at once.
  [[nodiscard]] std::string_view shared(std::uint32_t number) const {
    const std::lock_guard lock(mutex_);
    return texts_[number];
  }
  [[nodiscard]] std::size_t size() const noexcept { return texts_.size(); }
  /// Bytes of all texts. May be asked for while other threads add some.
  [[nodiscard]] std::uint64_t bytes() const {
    const std::lock_guard lock(mutex_);
    return bytes_;
  }
  [[nodiscard]] const std::vector<std::string_view>& texts() const noexcept { return texts_; }
  [[nodiscard]] std::shared_ptr<const void> arena() const noexcept;

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<Arena> arena_;
  std::vector<std::string_view> texts_;
  SeededMap<std::string_view, std::uint32_t> numbers_;
  std::uint64_t bytes_ = 0;
};

}  // namespace jfrtree::internal
