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

#include "clickhouse/follow/folder_follower.hpp"

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
  /// A look at the folders begins.
  void begin_look() {
    const std::lock_guard lock(mutex_);
    is_looking_ = true;
  }
  /// It ends; `is_at_rest`: it left nothing behind.
  void end_look(bool is_at_rest) {
    const std::lock_guard lock(mutex_);
    is_looking_ = false;
    is_at_rest_ = is_at_rest;
    changed_.notify_all();
  }

  /// All there is. Waits at most so long, for what a look finds or as much as there is room for.
  [[nodiscard]] Contents take(std::chrono::milliseconds time) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, time, [this] {
      const bool has_any = !contents_.parts.empty() || !contents_.problems.empty();
      return failure_ || (has_any && !is_looking_) || contents_.parts.size() >= most_parts;
    });
    if (failure_) std::rethrow_exception(failure_);
    changed_.notify_all();
    return std::exchange(contents_, {});
  }
  /// Waits until there is room for a part, at most so long.
  void wait_for_room(std::chrono::milliseconds time) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, time, [this] { return contents_.parts.size() < most_parts; });
  }
  /// Nothing is there, and the last look at the folders left nothing behind.
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
  bool is_looking_ = false;
  bool is_at_rest_ = false;
};

}  // namespace jfrtree::internal
