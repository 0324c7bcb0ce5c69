#include "database.hpp"

#include <chrono>

#include <jfrtree/error.hpp>

namespace jfrtree::python {
namespace {

constexpr std::chrono::milliseconds look_interval{20};

}  // namespace

DatabaseHandle::Turn::Turn(DatabaseHandle& handle, Work& work, std::thread::id caller)
    : handle_(handle), work_(work), lock_(handle.mutex_, std::defer_lock) {
  while (!lock_.try_lock_for(look_interval)) {
    work_.check();
  }
  handle_.stop_.store(false);
  try {
    work_.on_stop([this] { handle_.interrupt(); });
    if (!handle_.database_) {
      throw UsageError("the connection was closed");
    }
    handle_.caller_.store(caller);
  } catch (...) {
    work_.ignore_stop();
    throw;
  }
}

DatabaseHandle::Turn::~Turn() {
  handle_.caller_.store(std::thread::id());
  work_.ignore_stop();
  handle_.stop_.store(false);
}

DatabaseHandle::DatabaseHandle(clickhouse::DatabaseOptions options, const py::object& engine) {
  options.stop = &stop_;
  options.engine = engine_factory(engine);
  if (options.engine) {
    engine_ = share(engine);
  }
  database_ = run(py::none(), [&](Work& work) {
    // What is opened for nothing is given back by this thread.
    work.on_stop([this] { interrupt(); });
    try {
      auto database = clickhouse::open_database(options);
      work.ignore_stop();
      return database;
    } catch (...) {
      work.ignore_stop();
      throw;
    }
  });
  name_ = database_->name();
  is_embedded_ = database_->is_embedded();
}

std::thread::id DatabaseHandle::check_caller() const {
  const std::thread::id caller = std::this_thread::get_id();
  if (caller_.load() == caller) {
    throw UsageError("the connection is in the middle of another call: open another one");
  }
  return caller;
}

void DatabaseHandle::interrupt() {
  stop_.store(true);
  if (!engine_) {
    return;
  }
  try {
    engine_->attr("interrupt")();
  } catch (const py::error_already_set&) {
    // The statement then ends by itself.
  }
}

void DatabaseHandle::forget_interrupt() {
  if (engine_) {
    engine_->attr("stopped").attr("clear")();
  }
}

void DatabaseHandle::close() {
  static_cast<void>(check_caller());
  static_cast<void>(run(py::none(), [&](Work& work) {
    std::unique_lock lock(mutex_, std::defer_lock);
    while (!lock.try_lock_for(look_interval)) {
      work.check();
    }
    database_.reset();
    return true;
  }));
}

}  // namespace jfrtree::python
