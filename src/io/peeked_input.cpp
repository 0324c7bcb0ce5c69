#include "io/peeked_input.hpp"

#include <algorithm>
#include <utility>

#include <jfrtree/error.hpp>

namespace jfrtree::internal {

PeekedInput::PeekedInput(Input& input, StopFlag stop)
    : input_(input), stop_(stop), first_(peek_bytes) {
  stop_.check();
  std::size_t done = 0;
  if (input.size()) {
    // `read` of the other input is not moved: nothing is to be replayed.
    done = input.read_at(0, first_);
    replayed_ = done;
  } else {
    try {
      while (done < first_.size()) {
        const std::size_t got = input.read(std::span(first_).subspan(done));
        if (got == 0) break;
        done += got;
      }
    } catch (const Error&) {
      error_ = std::current_exception();
    }
  }
  first_.resize(done);
}

std::size_t PeekedInput::read(std::span<std::byte> buffer) {
  stop_.check();
  if (replayed_ == first_.size()) {
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
    return input_.read(buffer);
  }
  const std::size_t count = std::min(buffer.size(), first_.size() - replayed_);
  std::copy_n(first_.begin() + static_cast<std::ptrdiff_t>(replayed_), count, buffer.begin());
  replayed_ += count;
  return count;
}

}  // namespace jfrtree::internal
