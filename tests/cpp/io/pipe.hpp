#pragma once

#include <csignal>
#include <stdexcept>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/descriptor.hpp"

namespace jfrtree::test {

/// A pipe of the system.
struct Pipe {
  /// `flags` as for pipe2(2), e.g. O_NONBLOCK.
  explicit Pipe(int flags = 0) {
    int ends[2];
    if (::pipe2(ends, flags) != 0) {
      throw std::runtime_error("cannot create a pipe");
    }
    reader = internal::Descriptor(ends[0]);
    writer = internal::Descriptor(ends[1]);
  }

  internal::Descriptor reader;
  internal::Descriptor writer;
};

/// Whether the process has a descriptor of this number.
inline bool is_open(int number) {
  struct stat status {};
  return ::fstat(number, &status) == 0;
}

/// Handles a signal in another way as long as it lives. Calls in progress are interrupted.
class SignalHandling {
 public:
  SignalHandling(int signal, void (*handler)(int)) : signal_(signal) {
    struct sigaction action {};
    action.sa_handler = handler;
    ::sigaction(signal, &action, &before_);
  }
  SignalHandling(const SignalHandling&) = delete;
  SignalHandling& operator=(const SignalHandling&) = delete;
  ~SignalHandling() { ::sigaction(signal_, &before_, nullptr); }

 private:
  int signal_;
  struct sigaction before_ {};
};

/// Puts `descriptor` in the place of the standard descriptor `number` as long as it lives.
class Redirection {
 public:
  Redirection(int number, const internal::Descriptor& descriptor)
      : number_(number), saved_(::dup(number)) {
    ::dup2(descriptor.number(), number);
  }
  Redirection(const Redirection&) = delete;
  Redirection& operator=(const Redirection&) = delete;
  ~Redirection() {
    if (saved_.is_open()) {
      ::dup2(saved_.number(), number_);
    } else {
      ::close(number_);
    }
  }

 private:
  int number_;
  internal::Descriptor saved_;
};

}  // namespace jfrtree::test
