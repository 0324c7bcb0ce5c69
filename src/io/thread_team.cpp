#include "io/thread_team.hpp"

#include <algorithm>
#include <system_error>

namespace jfrtree::internal {

ThreadTeam::~ThreadTeam() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void ThreadTeam::run(std::size_t most_threads, const Work& work) {
  const std::size_t most = std::min<std::size_t>(most_threads, most_threads_);
  if (most <= 1) {
    work();
    return;
  }
  start_threads(most);
  std::unique_lock lock(mutex_);
  Job job{.work = work, .number = ++last_number_, .free_places = most};
  open_jobs_.push_back(&job);
  changed_.notify_all();
  join(job, lock);
  while (job.workers > 0) {
    // Older jobs are larger: one that this thread works on already must not be begun anew.
    const bool has_younger = !open_jobs_.empty() && open_jobs_.back()->number > job.number;
    if (has_younger) {
      join(*open_jobs_.back(), lock);
    } else {
      changed_.wait(lock);
    }
  }
  if (job.error) std::rethrow_exception(job.error);
}

void ThreadTeam::run(RangeQueue& queue, const Work& work) {
  run(queue.pieces(), [&queue, &work] {
    try {
      work();
    } catch (...) {
      queue.close();
      throw;
    }
  });
}

void ThreadTeam::for_ranges(std::size_t count, std::size_t step, const RangeWork& work) {
  RangeQueue queue(count, step);
  run(queue, [&] {
    while (const auto range = queue.next()) {
      stop_.check();
      work(range->begin, range->end);
    }
  });
}

void ThreadTeam::start_threads(std::size_t most_threads) {
  const std::lock_guard lock(mutex_);
  try {
    while (threads_.size() + 1 < most_threads) threads_.emplace_back([this] { wait_for_jobs(); });
  } catch (const std::system_error&) {
    return;  // the system has no more: fewer do the work
  }
}

/// What a thread of the team does in its life.
void ThreadTeam::wait_for_jobs() {
  std::unique_lock lock(mutex_);
  while (!is_over_) {
    if (open_jobs_.empty()) {
      changed_.wait(lock);
    } else {
      join(*open_jobs_.front(), lock);
    }
  }
}

void ThreadTeam::join(Job& job, std::unique_lock<std::mutex>& lock) {
  ++job.workers;
  if (--job.free_places == 0) close(job);
  lock.unlock();
  std::exception_ptr error;
  try {
    job.work();
  } catch (...) {
    error = std::current_exception();
  }
  lock.lock();
  if (error && !job.error) job.error = error;
  close(job);  // nothing is left to be begun
  if (--job.workers == 0) changed_.notify_all();
}

void ThreadTeam::close(const Job& job) {
  open_jobs_.erase(std::remove(open_jobs_.begin(), open_jobs_.end(), &job), open_jobs_.end());
}

}  // namespace jfrtree::internal
