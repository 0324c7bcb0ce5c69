#pragma once

#include <thread>
#include <utility>

namespace jfrtree::internal {

/// A thread beside the one that owns it, for work that hands its results over piece by piece.
class BackgroundThread {
 public:
  BackgroundThread() = default;
  BackgroundThread(const BackgroundThread&) = delete;
  BackgroundThread& operator=(const BackgroundThread&) = delete;
  /// Waits for the end of the work; whoever owns the thread tells it to come to one before.
  ~BackgroundThread() { join(); }

  [[nodiscard]] bool is_started() const noexcept { return thread_.joinable(); }
  /// Called once. Throws std::system_error where the system refuses a thread.
  template <typename Work>
  void start(Work work) {
    thread_ = std::thread(std::move(work));
  }
  void join() {
    if (thread_.joinable()) thread_.join();
  }

 private:
  std::thread thread_;
};

}  // namespace jfrtree::internal
