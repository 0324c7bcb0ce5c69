#include "cli/signals.hpp"

#include <fcntl.h>
#include <unistd.h>
#include <cerrno>

namespace jfrtree::cli {
namespace {

// A signal handler can reach nothing but objects of static lifetime.
std::atomic<bool> stop{false};
std::atomic<int> stop_signal{0};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

extern "C" void request_stop(int signal_number) {
  stop_signal.store(signal_number);
  stop.store(true);
}

// A signal that is ignored on entry (as under nohup) stays ignored.
void install(int signal_number, void (*handler)(int), struct sigaction& before) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigemptyset(&action.sa_mask);
  sigaction(signal_number, nullptr, &before);
  if (before.sa_handler != SIG_IGN) {
    sigaction(signal_number, &action, nullptr);
  }
}

}  // namespace

const std::atomic<bool>& stop_requested() noexcept { return stop; }

int stop_exit_code() noexcept {
  const int number = stop_signal.load();
  return 128 + (number != 0 ? number : SIGINT);
}

ScopedSignals::ScopedSignals() {
  stop.store(false);
  stop_signal.store(0);
  install(SIGINT, request_stop, interrupt_);
  install(SIGTERM, request_stop, terminate_);
  install(SIGHUP, request_stop, hang_up_);
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  sigemptyset(&ignore.sa_mask);
  sigaction(SIGPIPE, &ignore, &pipe_);
}

ScopedSignals::~ScopedSignals() {
  sigaction(SIGINT, &interrupt_, nullptr);
  sigaction(SIGTERM, &terminate_, nullptr);
  sigaction(SIGHUP, &hang_up_, nullptr);
  sigaction(SIGPIPE, &pipe_, nullptr);
}

void occupy_standard_descriptors() noexcept {
  for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; ++descriptor) {
    if (fcntl(descriptor, F_GETFD) == -1 && errno == EBADF) {
      // The lowest free number is the one that is missing.
      // It is opened the wrong way round, so that its use fails as that of a closed one.
      const int flags = descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY;
      static_cast<void>(open("/dev/null", flags));  // NOLINT(*-vararg)
    }
  }
}

}  // namespace jfrtree::cli
