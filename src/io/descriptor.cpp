#include "io/descriptor.hpp"

#include <cerrno>
#include <limits>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/types.h>
#include <unistd.h>

#include <jfrtree/error.hpp>
#include <jfrtree/output.hpp>

namespace jfrtree::internal {
namespace {

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

std::size_t read_some(const Descriptor& descriptor, std::span<std::byte> buffer,
                      std::string_view file) {
  for (;;) {
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

void write_all(const Descriptor& descriptor, std::string_view bytes, std::string_view file) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor.number(), bytes.data(), bytes.size());
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
