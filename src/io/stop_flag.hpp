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

  /// Throws Interrupted once the flag is true.
  void check() const {
    if (flag_ != nullptr && flag_->load(std::memory_order_relaxed)) throw Interrupted();
  }

 private:
  const std::atomic<bool>* flag_ = nullptr;
};

}  // namespace jfrtree::internal
