#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include <pybind11/pybind11.h>

#include <jfrtree/profile.hpp>

namespace jfrtree::python {

namespace py = pybind11;

/// What work shares with the thread that waits for it.
class Work {
 public:
  /// Becomes true when the work is to end early, by an `Interrupted` exception.
  [[nodiscard]] const std::atomic<bool>& stop() const noexcept { return stop_; }
  /// Throws Interrupted when it is to end.
  void check() const;
  /// Adds the stop flag, and the counter behind the progress that Python sees.
  [[nodiscard]] ReadOptions options(ReadOptions given);

 private:
  friend void run_work(const py::object& progress, const std::function<void(Work&)>& work);

  std::atomic<bool> stop_{false};
  std::atomic<std::uint64_t> done_{0};
  std::atomic<std::uint64_t> total_{0};
};

/// Runs `work` in a thread of its own, without the GIL, and waits for it. Meanwhile signal handlers
/// of Python run (in the main thread), and `progress` (None, or called with the bytes done and the
/// bytes in all). An exception that one of them raises ends the work early and goes on from here,
/// else that of the work does. To be called with the GIL held.
void run_work(const py::object& progress, const std::function<void(Work&)>& work);

/// The same with a result.
template <typename Function>
auto run(const py::object& progress, Function function) {
  std::optional<decltype(function(std::declval<Work&>()))> result;
  run_work(progress, [&](Work& work) { result.emplace(function(work)); });
  return std::move(*result);
}

}  // namespace jfrtree::python
