#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "io/stop_flag.hpp"

namespace jfrtree::internal {

/// Hands out the numbers below `count` in pieces, in order. Thread-safe.
class RangeQueue {
 public:
  struct Range {
    std::size_t begin;
    std::size_t end;
  };

  RangeQueue(std::size_t count, std::size_t step) noexcept : count_(count), step_(step) {}

  /// The next piece; nothing at the end.
  [[nodiscard]] std::optional<Range> next() noexcept {
    const std::size_t begin = next_.fetch_add(step_, std::memory_order_relaxed);
    if (begin >= count_) return std::nullopt;
    return Range{begin, count_ - begin < step_ ? count_ : begin + step_};
  }
  /// Hands out nothing more.
  void close() noexcept { next_.store(count_, std::memory_order_relaxed); }

  [[nodiscard]] std::size_t pieces() const noexcept { return (count_ + step_ - 1) / step_; }

 private:
  std::size_t count_;
  std::size_t step_;
  std::atomic<std::size_t> next_{0};
};

/// Threads that work on one thing together. Threads are started here and by `BackgroundThread`
/// alone.
class ThreadTeam {
 public:
  using Work = std::function<void()>;
  using RangeWork = std::function<void(std::size_t begin, std::size_t end)>;

  /// `threads` with the calling one, at least 1. They are started when they are first needed; where
  /// the system refuses some, the others do the work.
  explicit ThreadTeam(unsigned threads, StopFlag stop = {}) noexcept
      : most_threads_(threads == 0 ? 1 : threads), stop_(stop) {}
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;
  ~ThreadTeam();

  [[nodiscard]] unsigned size() const noexcept { return most_threads_; }

  /// Calls `work` on the calling thread and, at the same time, on others as far as they have
  /// nothing to do or run out of it: on `most_threads` in all at most. `work` returns when nothing
  /// is left to be begun. Returns when all have ended; throws what one of them threw.
  ///
  /// May be called inside of work, but never while a lock is held: who waits for the others helps
  /// with what was begun since.
  void run(std::size_t most_threads, const Work& work);

  /// The same for work that takes pieces from a queue, which is closed when one of them throws.
  void run(RangeQueue& queue, const Work& work);

  /// Calls `work(begin, end)` for all numbers below `count`, in pieces of at most `step`. Throws
  /// Interrupted.
  void for_ranges(std::size_t count, std::size_t step, const RangeWork& work);

 private:
  struct Job {
    const Work& work;
    std::uint64_t number;     // younger jobs have higher ones
    std::size_t free_places;  // for threads that want to join
    std::size_t workers = 0;  // threads at work
    std::exception_ptr error{};
  };

  void start_threads(std::size_t most_threads);
  void wait_for_jobs();
  void join(Job& job, std::unique_lock<std::mutex>& lock);
  void close(const Job& job);

  const unsigned most_threads_;
  const StopFlag stop_;
  std::mutex mutex_;  // everything below
  std::condition_variable changed_;
  std::vector<std::thread> threads_;
  std::vector<Job*> open_jobs_;  // that can be joined, the oldest first
  std::uint64_t last_number_ = 0;
  bool is_over_ = false;
};

}  // namespace jfrtree::internal
