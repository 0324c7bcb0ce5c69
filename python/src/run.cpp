#include "run.hpp"

#include <chrono>
#include <condition_variable>
#include <csignal>
#include <exception>
#include <mutex>
#include <thread>

namespace jfrtree::python {
namespace {

// How long a signal may have to wait, at most, before Python's handler sees it.
constexpr std::chrono::milliseconds poll_interval{20};

/// A thread that runs a function and can be waited for.
class Worker {
 public:
  explicit Worker(std::function<void()> function) {
    // Signals are for the threads of Python; a new thread starts with the mask of its parent.
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    try {
      thread_ = std::thread([this, function = std::move(function)] { run(function); });
    } catch (...) {
      pthread_sigmask(SIG_SETMASK, &before, nullptr);
      throw;
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  ~Worker() {
    if (thread_.joinable()) {
      thread_.join();
    }
  }

  /// Whether it ended within the time.
  bool wait(std::chrono::milliseconds time) {
    std::unique_lock lock(mutex_);
    return condition_.wait_for(lock, time, [this] { return is_done_; });
  }
  /// Waits for the end; what the function threw.
  std::exception_ptr join() {
    thread_.join();
    return exception_;
  }

 private:
  void run(const std::function<void()>& function) {
    try {
      function();
    } catch (...) {
      exception_ = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    is_done_ = true;
    condition_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable condition_;
  bool is_done_ = false;
  std::exception_ptr exception_;
  std::thread thread_;
};

/// Tells Python how far work is, when that has changed.
class Reporter {
 public:
  explicit Reporter(const py::object& progress) : progress_(progress) {}

  void report(std::uint64_t done, std::uint64_t total) {
    if (!progress_.is_none() && (done != done_ || total != total_)) {
      done_ = done;
      total_ = total;
      progress_(done, total);
    }
  }

 private:
  const py::object& progress_;
  std::uint64_t done_ = 0;
  std::uint64_t total_ = 0;
};

const std::thread::id importing_thread = std::this_thread::get_id();

}  // namespace

bool is_main_thread() noexcept { return std::this_thread::get_id() == importing_thread; }

void Work::check() const {
  if (stop_.load(std::memory_order_relaxed)) {
    throw Interrupted();
  }
}

void Work::on_stop(std::function<void()> call) {
  {
    const std::lock_guard lock(mutex_);
    on_stop_ = std::move(call);
  }
  check();
}

void Work::ignore_stop() noexcept {
  const std::lock_guard lock(mutex_);
  on_stop_ = nullptr;
}

void Work::request_stop() {
  const std::lock_guard lock(mutex_);
  stop_.store(true);
  if (on_stop_) {
    on_stop_();
  }
}

ReadOptions Work::options(ReadOptions given) {
  given.stop = &stop_;
  given.progress = [this](std::uint64_t done, std::uint64_t total) {
    done_.store(done, std::memory_order_relaxed);
    total_.store(total, std::memory_order_relaxed);
  };
  return given;
}

void run_work(const py::object& progress, Work& work, const std::function<void()>& function) {
  Reporter reporter(progress);
  std::optional<py::error_already_set> raised;
  std::exception_ptr thrown;
  const auto ask_python = [&] {
    try {
      if (PyErr_CheckSignals() != 0) {
        throw py::error_already_set();
      }
      reporter.report(work.done_.load(std::memory_order_relaxed),
                      work.total_.load(std::memory_order_relaxed));
    } catch (py::error_already_set& error) {
      raised.emplace(error);
      work.request_stop();
    }
  };
  {
    const py::gil_scoped_release release;
    Worker worker(function);
    while (!raised && !worker.wait(poll_interval)) {
      const py::gil_scoped_acquire acquire;
      ask_python();
    }
    thrown = worker.join();
  }
  if (!raised && !thrown) {
    ask_python();
  }
  if (raised) {
    throw std::move(*raised);
  }
  if (thrown) {
    std::rethrow_exception(thrown);
  }
}

}  // namespace jfrtree::python
