#include "clickhouse/connection/retries.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

namespace jfrtree::internal {

using clickhouse::DatabaseError;

namespace {

/// How often a wait looks for the wish to stop.
constexpr std::chrono::milliseconds look_interval(50);
/// Waits of tries without end do not grow beyond this.
constexpr std::chrono::milliseconds longest_wait(30'000);

void wait(std::chrono::milliseconds time, const std::atomic<bool>* stop) {
  const auto end = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < end) {
    if (stop != nullptr && stop->load()) throw Interrupted();
    std::this_thread::sleep_for(std::min(time, look_interval));
  }
}

}  // namespace

void try_often(const std::function<void()>& work, const RetryRule& rule) {
  const bool is_endless = rule.retries == clickhouse::LoadOptions::endless;
  const auto tell = [&rule](const std::string& text) {
    if (rule.message) rule.message(text);
  };
  const auto start = std::chrono::steady_clock::now();
  std::chrono::milliseconds time = rule.first_wait;
  unsigned retry = 0;
  for (;; ++retry, time *= 2) {
    try {
      work();
      break;
    } catch (const DatabaseError& error) {
      if (!error.is_temporary() || retry >= rule.retries) throw;
      if (!is_endless) {
        tell(std::string(error.what()) + "; trying again in " + std::to_string(time.count()) +
             " ms");
      } else if (retry == 0) {
        tell(std::string(error.what()) + "; trying again until it works");
      }
    }
    if (is_endless) time = std::min(time, longest_wait);
    wait(time, rule.stop);
  }
  if (!is_endless || retry == 0) return;
  const auto waited = std::chrono::steady_clock::now() - start;
  tell("the database works again after " +
       std::to_string(std::chrono::duration_cast<std::chrono::seconds>(waited).count()) + " s");
}

void Retries::try_often(const std::function<void()>& work) {
  internal::try_often(work, {options_.retries, options_.first_wait, options_.message, stop_});
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
