#include "cli/standard_input.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <system_error>
#include <utility>

#include <jfrtree/error.hpp>
#include <jfrtree/input.hpp>

#include "cli/signals.hpp"

namespace jfrtree::cli {
namespace {

// A signal may be delivered to another thread than the one that waits, so the wait has an end.
constexpr int wait_milliseconds = 100;

[[noreturn]] void throw_unreadable(const std::string& reason) {
  Problem problem;
  problem.code = ErrorCode::io_error;
  problem.file = "-";
  problem.message = "cannot read: " + reason;
  throw IoError(std::move(problem));
}

void check_open() {
  const int flags = fcntl(STDIN_FILENO, F_GETFL);  // NOLINT(*-vararg)
  if (flags == -1 || (flags & O_ACCMODE) == O_WRONLY) {
    throw_unreadable("standard input is closed");
  }
}

void wait_for_bytes() {
  pollfd descriptor{STDIN_FILENO, POLLIN, 0};
  while (true) {
    if (stop_requested().load()) {
      throw Interrupted();
    }
    // Errors are left to read(), which names them.
    if (poll(&descriptor, 1, wait_milliseconds) > 0) {
      return;
    }
  }
}

std::size_t read_standard_input(std::span<std::byte> buffer) {
  while (true) {
    wait_for_bytes();
    const ssize_t count = read(STDIN_FILENO, buffer.data(), buffer.size());
    if (count >= 0) {
      return static_cast<std::size_t>(count);
    }
    if (errno != EINTR && errno != EAGAIN) {
      throw_unreadable(std::generic_category().message(errno));
    }
  }
}

// Files can be read at any position, which the library does by itself.
bool is_stream() {
  struct stat status {};
  return fstat(STDIN_FILENO, &status) == 0 && !S_ISREG(status.st_mode);
}

}  // namespace

std::vector<Source> sources_for(const std::vector<std::string>& files, const Limits& limits,
                                std::vector<Problem>& found) {
  std::vector<Source> sources = open_sources(files, &found);
  for (Source& source : sources) {
    if (source.path != "-" || source.input) {
      continue;
    }
    check_open();
    if (is_stream()) {
      source.input = stream_input(read_standard_input, "-", limits);
    }
  }
  return sources;
}

}  // namespace jfrtree::cli
