#include "clickhouse/tree/tree_input.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <span>
#include <string>

#include <fcntl.h>
#include <poll.h>

#include <jfrtree/error.hpp>

namespace jfrtree::internal {
namespace {

constexpr std::size_t first_capacity = std::size_t{1} << 20;
constexpr int wait_milliseconds = 50;

}  // namespace

void widen_pipe(int descriptor) noexcept {
#ifdef F_SETPIPE_SZ
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg): that is how POSIX declares it
  static_cast<void>(::fcntl(descriptor, F_SETPIPE_SZ, 1 << 20));
#else
  static_cast<void>(descriptor);
#endif
}

StreamBuffer::StreamBuffer(int descriptor, const char* name, std::uint64_t most_bytes,
                           StopFlag stop)
    : descriptor_(descriptor, false), name_(name), most_bytes_(most_bytes), stop_(stop) {
  widen_pipe(descriptor);
}

bool StreamBuffer::read() {
  if (is_at_end_) {
    return false;
  }
  make_room();
  char* const target = memory_.get() + end_;
  const std::size_t room = capacity_ - end_;
  const std::size_t count =
      read_some(descriptor_, std::as_writable_bytes(std::span(target, room)), name_, stop_);
  end_ += count;
  is_at_end_ = count == 0;
  return !is_at_end_;
}

void StreamBuffer::drop() {
  begin_ = end_ = 0;
  read();
}

void StreamBuffer::drain() {
  while (!is_at_end_) {
    drop();
  }
}

void StreamBuffer::make_room() {
  const std::size_t kept = end_ - begin_;
  if (kept > most_bytes_) {
    Problem problem;
    problem.code = ErrorCode::limit_exceeded;
    problem.file = name_;
    problem.message = "a row is longer than the limit frame_bytes of " +
                      std::to_string(most_bytes_) + "; raise it with --limit frame_bytes=N";
    throw LimitError(std::move(problem));
  }
  // What is kept is part of a row; a row that fills half of the buffer gets a larger one.
  if (kept >= capacity_ / 2) {
    const std::size_t capacity = std::max(first_capacity, 2 * capacity_);
    auto memory = std::make_unique_for_overwrite<char[]>(capacity);
    if (kept > 0) {
      std::memcpy(memory.get(), memory_.get() + begin_, kept);
    }
    memory_ = std::move(memory);
    capacity_ = capacity;
  } else if (kept > 0) {
    std::memmove(memory_.get(), memory_.get() + begin_, kept);
  }
  begin_ = 0;
  end_ = kept;
}

unsigned wait_for_either(int first, int second, StopFlag stop) {
  std::array<pollfd, 2> waits{{{first, POLLIN, 0}, {second, POLLIN, 0}}};
  for (;;) {
    stop.check();
    const int count =
        ::poll(waits.data(), waits.size(), stop.is_watched() ? wait_milliseconds : -1);
    if (count < 0 && errno != EINTR) {
      throw_io_error("-", "cannot wait for input", errno);
    }
    if (count > 0) {
      return (waits[0].revents != 0 ? 1U : 0U) | (waits[1].revents != 0 ? 2U : 0U);
    }
  }
}

}  // namespace jfrtree::internal
