#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <utility>
#include <vector>

#include <jfrtree/error.hpp>

#include "clickhouse/folder_follower.hpp"

namespace jfrtree::internal {

/// What a thread that looks at folders hands to the one that loads. Thread-safe.
class PartQueue {
 public:
  /// Parts that wait to be loaded; each keeps a file open.
  static constexpr std::size_t most_parts = 128;

  struct Contents {
    std::vector<ReadyPart> parts;
    std::vector<Problem> problems;
  };

  /// False, and nothing is taken, when there is no room.
  [[nodiscard]] bool add(ReadyPart&& part) {
    const std::lock_guard lock(mutex_);
    if (contents_.parts.size() >= most_parts) return false;
    contents_.parts.push_back(std::move(part));
    is_at_rest_ = false;
    changed_.notify_all();
    return true;
  }
  void add(const Problem& problem) {
    const std::lock_guard lock(mutex_);
    if (contents_.problems.size() < most_problems) contents_.problems.push_back(problem);
    changed_.notify_all();
  }
  /// Looking has failed: `take` throws this.
  void fail(std::exception_ptr failure) {
    const std::lock_guard lock(mutex_);
    failure_ = std::move(failure);
    changed_.notify_all();
  }
  /// The end of a look that left nothing behind.
  void rest() {
    const std::lock_guard lock(mutex_);
    is_at_rest_ = contents_.parts.empty();
    changed_.notify_all();
  }

  /// All there is; waits for something at most so long.
  [[nodiscard]] Contents take(std::chrono::milliseconds time) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, time, [this] {
      return !contents_.parts.empty() || !contents_.problems.empty() || failure_;
    });
    if (failure_) std::rethrow_exception(failure_);
    return std::exchange(contents_, {});
  }
  /// Nothing is there, and the last look at the folders, which began after the last `take`, found
  /// nothing.
  [[nodiscard]] bool is_at_rest() const {
    const std::lock_guard lock(mutex_);
    return is_at_rest_ && contents_.parts.empty();
  }
  [[nodiscard]] bool has_parts() const {
    const std::lock_guard lock(mutex_);
    return !contents_.parts.empty();
  }

 private:
  static constexpr std::size_t most_problems = 10'000;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  Contents contents_;
  std::exception_ptr failure_;
  bool is_at_rest_ = false;
};

}  // namespace jfrtree::internal
