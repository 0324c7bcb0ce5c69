#include "io/descriptor.hpp"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <limits>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include <jfrtree/error.hpp>
#include <jfrtree/output.hpp>

namespace jfrtree::internal {
namespace {

// The wish to stop may come from another thread, so every wait has an end.
constexpr int wait_milliseconds = 50;

// Returns when the descriptor is ready, or in an error that the next call will name.
void wait_until_ready(int descriptor, short events, StopFlag stop) {
  if (!stop.is_watched()) {
    return;
  }
  pollfd wait{descriptor, events, 0};
  int count = 0;
  do {
    stop.check();
    count = ::poll(&wait, 1, wait_milliseconds);
  } while (count == 0 || (count < 0 && errno == EINTR));
}

// Whether another program, or a person, decides when a write goes on. Files and devices such as
// /dev/null take what they get.
bool may_wait_for_reader(const Descriptor& descriptor) noexcept {
  struct stat status {};
  if (::fstat(descriptor.number(), &status) != 0 || S_ISREG(status.st_mode)) {
    return false;
  }
  return !S_ISCHR(status.st_mode) || ::isatty(descriptor.number()) == 1;
}

bool is_named_pipe(const std::string& path) noexcept {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISFIFO(status.st_mode);
}

// Whether a call that failed with `number` is worth another try.
bool may_retry(int number, int descriptor, short events) noexcept {
  if (number == EINTR) {
    return true;
  }
  if (number != EAGAIN && number != EWOULDBLOCK) {
    return false;
  }
  // Another program left the descriptor non-blocking, as shells and servers do with pipes.
  pollfd wait{descriptor, events, 0};
  return ::poll(&wait, 1, -1) >= 0 || errno == EINTR;
}

}  // namespace

Descriptor::Descriptor(Descriptor&& other) noexcept
    : number_(std::exchange(other.number_, -1)), owned_(std::exchange(other.owned_, false)) {}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  if (this != &other) {
    close();
    number_ = std::exchange(other.number_, -1);
    owned_ = std::exchange(other.owned_, false);
  }
  return *this;
}

Descriptor::~Descriptor() { close(); }

int Descriptor::close() noexcept {
  const int number = std::exchange(number_, -1);
  if (!std::exchange(owned_, false) || number < 0) {
    return 0;
  }
  // Never closed twice: after EINTR the descriptor is gone, and another thread may have its number.
  return ::close(number) == 0 || errno == EINTR ? 0 : errno;
}

void throw_io_error(std::string_view file, std::string_view action, int number) {
  throw_io_error(file, std::string(action) + ": " + std::generic_category().message(number));
}

void throw_io_error(std::string_view file, std::string message) {
  throw IoError(Problem{
      .code = ErrorCode::io_error, .file = std::string(file), .message = std::move(message)});
}

Descriptor open_descriptor(const std::string& path, int flags, unsigned mode) noexcept {
  int number = -1;
  do {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg): that is how POSIX declares it
    number = ::open(path.c_str(), flags | O_CLOEXEC, mode);
  } while (number < 0 && errno == EINTR);
  return Descriptor(number);
}

Descriptor open_stream_descriptor(const std::string& path, int flags, StopFlag stop) {
  if (!stop.is_watched()) {
    return open_descriptor(path, flags);
  }
  for (;;) {
    stop.check();
    Descriptor descriptor = open_descriptor(path, flags | O_NONBLOCK);
    const int number = errno;
    // A named pipe that nobody reads yet.
    if (descriptor.is_open() || number != ENXIO || !is_named_pipe(path)) {
      errno = number;
      return descriptor;
    }
    static_cast<void>(::poll(nullptr, 0, wait_milliseconds));
  }
}

std::size_t read_some(const Descriptor& descriptor, std::span<std::byte> buffer,
                      std::string_view file, StopFlag stop) {
  for (;;) {
    wait_until_ready(descriptor.number(), POLLIN, stop);
    const ssize_t count = ::read(descriptor.number(), buffer.data(), buffer.size());
    if (count >= 0) {
      return static_cast<std::size_t>(count);
    }
    if (!may_retry(errno, descriptor.number(), POLLIN)) {
      throw_io_error(file, "cannot read", errno);
    }
  }
}

std::size_t read_all_at(const Descriptor& descriptor, std::uint64_t offset,
                        std::span<std::byte> buffer, std::string_view file) {
  constexpr auto last = static_cast<std::uint64_t>(std::numeric_limits<off_t>::max());
  // The system refuses ranges that reach beyond the last possible position.
  const std::uint64_t possible = offset < last ? last - offset : 0;
  if (buffer.size() > possible) {
    buffer = buffer.first(static_cast<std::size_t>(possible));
  }
  std::size_t done = 0;
  while (done < buffer.size()) {
    const ssize_t count = ::pread(descriptor.number(), buffer.data() + done, buffer.size() - done,
                                  static_cast<off_t>(offset + done));
    if (count == 0) {
      break;
    }
    if (count > 0) {
      done += static_cast<std::size_t>(count);
    } else if (errno != EINTR) {
      throw_io_error(file, "cannot read", errno);
    }
  }
  return done;
}

void write_all(const Descriptor& descriptor, std::string_view bytes, std::string_view file,
               StopFlag stop) {
  // A pipe that is ready has room for so much: more would be waited for, whoever asks for a stop.
  const bool may_wait = stop.is_watched() && may_wait_for_reader(descriptor);
  const std::size_t most = may_wait ? std::size_t{PIPE_BUF} : bytes.size();
  while (!bytes.empty()) {
    if (may_wait) {
      wait_until_ready(descriptor.number(), POLLOUT, stop);
    }
    const ssize_t count = ::write(descriptor.number(), bytes.data(), std::min(bytes.size(), most));
    if (count >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno == EPIPE) {
      throw ClosedPipe();
    } else if (!may_retry(errno, descriptor.number(), POLLOUT)) {
      throw_io_error(file, "cannot write", errno);
    }
  }
}

}  // namespace jfrtree::internal
