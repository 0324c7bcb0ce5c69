#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <iterator>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <jfrtree/error.hpp>

#include "clickhouse/folder_follower.hpp"

namespace jfrtree::internal {

/// What a thread that looks at folders hands to the one that loads. Thread-safe.
class PartQueue {
 public:
  using Clock = std::chrono::steady_clock;

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
  /// A file is to be looked at again, not before `time`.
  void ask_again(const std::string& path, Clock::time_point time) {
    const std::lock_guard lock(mutex_);
    if (again_.size() < most_asked_again) again_.emplace(path, time);
  }
  /// The files that are to be looked at again now.
  [[nodiscard]] std::vector<std::string> take_asked_again() {
    const std::lock_guard lock(mutex_);
    std::vector<std::string> paths;
    for (auto entry = again_.begin(); entry != again_.end();) {
      const bool is_due = entry->second <= Clock::now();
      if (is_due) paths.push_back(entry->first);
      entry = is_due ? again_.erase(entry) : std::next(entry);
    }
    return paths;
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
  static constexpr std::size_t most_asked_again = 10'000;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  Contents contents_;
  std::map<std::string, Clock::time_point> again_;
  std::exception_ptr failure_;
  bool is_at_rest_ = false;
};

}  // namespace jfrtree::internal
