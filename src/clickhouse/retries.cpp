#include "clickhouse/retries.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

namespace jfrtree::internal {

using clickhouse::DatabaseError;

namespace {

/// How often a wait looks for the wish to stop.
constexpr std::chrono::milliseconds look_interval(50);

void wait(std::chrono::milliseconds time, const std::atomic<bool>* stop) {
  const auto end = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < end) {
    if (stop != nullptr && stop->load()) throw Interrupted();
    std::this_thread::sleep_for(std::min(time, look_interval));
  }
}

}  // namespace

void Retries::try_often(const std::function<void()>& work) {
  std::chrono::milliseconds time = options_.first_wait;
  for (unsigned retry = 0;; ++retry, time *= 2) {
    try {
      work();
      return;
    } catch (const DatabaseError& error) {
      if (!error.is_temporary() || retry >= options_.retries) throw;
      tell(std::string(error.what()) + "; trying again in " + std::to_string(time.count()) + " ms");
    }
    wait(time, stop_);
  }
}

std::string Retries::query(std::string_view sql) {
  std::string result;
  try_often([&] { result = database_.query(sql); });
  return result;
}

void Retries::insert(std::string_view target, std::string_view native) {
  try_often([&] { database_.insert(target, native); });
}

}  // namespace jfrtree::internal
