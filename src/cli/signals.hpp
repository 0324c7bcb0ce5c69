#pragma once

#include <signal.h>
#include <atomic>

namespace jfrtree::cli {

/// True once SIGINT, SIGTERM or SIGHUP has arrived while a `ScopedSignals` lives.
[[nodiscard]] const std::atomic<bool>& stop_requested() noexcept;

/// 128 plus the number of the signal that asked for the stop, as shells count.
[[nodiscard]] int stop_exit_code() noexcept;

/// Turns SIGINT, SIGTERM and SIGHUP (the terminal was closed) into a request to stop, which leaves
/// time to remove temporary files, and ignores SIGPIPE, so that a closed pipe is seen where it is
/// written to. System calls that wait are not begun again after a signal. A second signal of the
/// same kind ends the process at once. The destructor puts back what was there before.
class ScopedSignals {
 public:
  ScopedSignals();
  ~ScopedSignals();
  ScopedSignals(const ScopedSignals&) = delete;
  ScopedSignals& operator=(const ScopedSignals&) = delete;

 private:
  struct sigaction interrupt_ {};
  struct sigaction terminate_ {};
  struct sigaction hang_up_ {};
  struct sigaction pipe_ {};
};

/// Opens `/dev/null` for each of the descriptors 0 to 2 that is closed, so that no recording gets
/// the number of standard output.
void occupy_standard_descriptors() noexcept;

}  // namespace jfrtree::cli
