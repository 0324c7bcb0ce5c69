#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <utility>

namespace jfrtree::internal {

/// Lets threads that finish in any order go on in the order in which they began. Thread-safe.
class Turns {
 public:
  using Key = std::pair<std::size_t, std::uint64_t>;

  /// A piece of work begins.
  void begin(Key key) {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(key);
  }
  /// Waits until all that began before has ended. False when some of it failed: it never will.
  [[nodiscard]] bool wait(Key key) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return has_failed_ || waiting_.front() == key; });
    return !has_failed_;
  }
  /// Ends the work whose turn it is.
  void end() {
    {
      const std::lock_guard lock(mutex_);
      waiting_.pop_front();
    }
    changed_.notify_all();
  }
  void fail() noexcept {
    {
      const std::lock_guard lock(mutex_);
      has_failed_ = true;
    }
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Key> waiting_;
  bool has_failed_ = false;
};

}  // namespace jfrtree::internal
