#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>

namespace jfrtree::cli {

/// Shows on standard error how far reading is. On a terminal one line is rewritten and removed at
/// the end; elsewhere a line is printed each second and one at the end.
///
/// `wanted`: shown from the start, or never; absent: shown on a terminal after a second.
class Progress {
 public:
  Progress(std::optional<bool> wanted, bool is_quiet);
  ~Progress() { finish(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// For `ReadOptions::progress`; empty when nothing is to be shown. Calls must not overlap.
  [[nodiscard]] std::function<void(std::uint64_t, std::uint64_t)> callback();

  /// Removes the line from the terminal. Call it before other messages.
  void finish();

 private:
  using Clock = std::chrono::steady_clock;

  void update(std::uint64_t done, std::uint64_t total);
  void show();

  bool is_on_;
  bool is_terminal_;
  bool is_line_shown_ = false;
  bool is_finished_ = false;
  std::uint64_t done_ = 0;
  std::uint64_t total_ = 0;
  Clock::duration interval_;
  Clock::time_point next_;
};

}  // namespace jfrtree::cli
