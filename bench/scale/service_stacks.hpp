#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jfrtree::bench {

/// Stacks of one service, each once, root first: those of CPU samples and those of allocations,
/// which end in the class. They have 20 to 80 frames. New stacks branch off from those before, so
/// that first frames are shared as in real recordings.
class ServiceStacks {
 public:
  ServiceStacks(std::uint32_t service, std::uint32_t count, std::mt19937_64& random);
  ServiceStacks(ServiceStacks&&) = default;

  /// Of each kind so many.
  [[nodiscard]] std::uint32_t count() const noexcept { return count_; }
  /// The stack of a kind (0, 1) by its place in the order of how often it is seen.
  [[nodiscard]] std::uint32_t stack(std::uint32_t kind, std::uint32_t place) const noexcept {
    return kind * count_ + place;
  }
  [[nodiscard]] std::size_t size() const noexcept { return hashes_.size(); }
  [[nodiscard]] std::uint64_t hash(std::uint32_t stack) const noexcept { return hashes_[stack]; }
  [[nodiscard]] std::span<const std::uint32_t> frames(std::uint32_t stack) const noexcept {
    return std::span(frames_).subspan(ends_[stack], ends_[stack + 1] - ends_[stack]);
  }
  [[nodiscard]] const std::vector<std::string_view>& texts() const noexcept { return views_; }

 private:
  void add_texts(std::uint32_t service, std::mt19937_64& random);
  void add_stack(std::uint32_t kind, std::mt19937_64& random);

  std::uint32_t count_;
  std::uint32_t methods_ = 0;
  std::vector<std::string> texts_;  // methods, then classes; not changed once views are made
  std::vector<std::string_view> views_;
  std::vector<std::uint32_t> frames_;
  std::vector<std::size_t> ends_ = {0};
  std::vector<std::uint64_t> hashes_;
};

}  // namespace jfrtree::bench
