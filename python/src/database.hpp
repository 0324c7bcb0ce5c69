#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include <pybind11/pybind11.h>

#include <jfrtree/clickhouse_database.hpp>

#include "engine.hpp"
#include "run.hpp"

namespace jfrtree::python {

namespace py = pybind11;

/// A database as Python holds it: any thread may use it, one after the other.
class DatabaseHandle {
 public:
  /// Opens it. `engine` is None or a `jfrtree._engine.Engine`.
  DatabaseHandle(clickhouse::DatabaseOptions options, const py::object& engine);

  /// Runs a function of the database and the work in a thread of its own, as `run` does. Waiting
  /// for other threads ends with a signal as well.
  template <typename Function>
  auto use(const py::object& progress, Function function) {
    const std::thread::id caller = check_caller();
    forget_interrupt();
    return run(progress, [&](Work& work) {
      const Turn turn(*this, work, caller);
      return function(*database_, work);
    });
  }
  /// Gives the database back. Nothing else may be called then.
  void close();

  /// Ends what the database is doing once it is true; of the function that `use` runs.
  [[nodiscard]] std::atomic<bool>& stop() noexcept { return stop_; }
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] bool is_embedded() const noexcept { return is_embedded_; }

 private:
  /// The right to use the database, for one thread at a time.
  class Turn {
   public:
    Turn(DatabaseHandle& handle, Work& work, std::thread::id caller);
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    ~Turn();

   private:
    DatabaseHandle& handle_;
    Work& work_;
    std::unique_lock<std::timed_mutex> lock_;
  };

  /// The thread that calls. Throws UsageError where it would wait for the call that it is made
  /// from, as in a function that is told of progress.
  [[nodiscard]] std::thread::id check_caller() const;
  void interrupt();
  void forget_interrupt();

  std::timed_mutex mutex_;
  std::atomic<bool> stop_{false};
  SharedObject engine_;  // null: none was given
  std::unique_ptr<clickhouse::Database> database_;
  std::string name_;
  bool is_embedded_ = false;
  std::atomic<std::thread::id> caller_{};  // whose turn it is
};

}  // namespace jfrtree::python
