#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>

#include <pybind11/pybind11.h>

#include <jfrtree/profile.hpp>

namespace jfrtree::python {

namespace py = pybind11;

/// What work shares with the thread that waits for it. May outlive one wait.
class Work {
 public:
  /// Becomes true when the work is to end early, by an `Interrupted` exception.
  [[nodiscard]] const std::atomic<bool>& stop() const noexcept { return stop_; }
  /// Throws Interrupted when it is to end.
  void check() const;
  /// From now on, until `ignore_stop`, `call` is what happens at once when the work is to end
  /// early, beside the flag: in the thread that waits, with the GIL. Throws Interrupted when it is
  /// to end already.
  void on_stop(std::function<void()> call);
  void ignore_stop() noexcept;
  /// Adds the stop flag, and the counter behind the progress that Python sees.
  [[nodiscard]] ReadOptions options(ReadOptions given);

 private:
  friend void run_work(const py::object& progress, Work& work,
                       const std::function<void()>& function);

  void request_stop();

  std::atomic<bool> stop_{false};
  std::mutex mutex_;  // nobody waits for the GIL while holding it
  std::function<void()> on_stop_;
  std::atomic<std::uint64_t> done_{0};
  std::atomic<std::uint64_t> total_{0};
};

/// Runs a function in a thread of its own, without the GIL, and waits for it. Meanwhile signal
/// handlers of Python run (in the main thread), and `progress` (None, or called with the bytes done
/// and the bytes in all). An exception that one of them raises stops the work and goes on from here
/// at its end, else what the function throws does. To be called with the GIL held.
void run_work(const py::object& progress, Work& work, const std::function<void()>& function);

/// The same with a result, for work that ends with it.
template <typename Function>
auto run(const py::object& progress, Function function) {
  Work work;
  std::optional<decltype(function(work))> result;
  run_work(progress, work, [&] { result.emplace(function(work)); });
  return std::move(*result);
}

/// Whether this is the thread in which Python handles signals.
[[nodiscard]] bool is_main_thread() noexcept;

}  // namespace jfrtree::python
