#pragma once

#include <atomic>

#include <jfrtree/error.hpp>

namespace jfrtree::internal {

/// The caller's wish to stop, which may come from another thread or a signal. Asked wherever work
/// may go on for long without an end in sight. Cheap to copy; the flag must outlive its copies.
class StopFlag {
 public:
  StopFlag() = default;
  /// Null: nobody will ask for a stop.
  explicit StopFlag(const std::atomic<bool>* flag) noexcept : flag_(flag) {}

  /// Whether somebody may ask for a stop.
  [[nodiscard]] bool is_watched() const noexcept { return flag_ != nullptr; }
  [[nodiscard]] bool is_set() const noexcept {
    return flag_ != nullptr && flag_->load(std::memory_order_relaxed);
  }
  /// Throws Interrupted once the flag is true.
  void check() const {
    if (is_set()) throw Interrupted();
  }

 private:
  const std::atomic<bool>* flag_ = nullptr;
};

}  // namespace jfrtree::internal
