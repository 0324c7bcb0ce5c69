#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "io/descriptor.hpp"
#include "io/stop_flag.hpp"

namespace jfrtree::internal {

/// Bytes of a descriptor in one large buffer.
class StreamBuffer {
 public:
  /// `name` is for messages. `most_bytes`: what is not taken may be so large at most.
  StreamBuffer(int descriptor, const char* name, std::uint64_t most_bytes, StopFlag stop);

  /// What was read and not yet taken. Moved by `read`.
  [[nodiscard]] std::string_view bytes() const noexcept {
    return {memory_.get() + begin_, end_ - begin_};
  }
  void take(std::size_t count) noexcept { begin_ += count; }

  /// Reads what there is, and waits for the first byte. False at the end of the input. Throws
  /// LimitError when what is not taken has become too large.
  bool read();
  /// Reads and forgets what there is.
  void drop();
  /// The same up to the end.
  void drain();

  [[nodiscard]] bool is_at_end() const noexcept { return is_at_end_; }
  [[nodiscard]] int descriptor() const noexcept { return descriptor_.number(); }
  [[nodiscard]] const char* name() const noexcept { return name_; }

 private:
  void make_room();

  Descriptor descriptor_;
  const char* name_;
  std::uint64_t most_bytes_;
  StopFlag stop_;
  std::unique_ptr<char[]> memory_;
  std::size_t capacity_ = 0;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  bool is_at_end_ = false;
};

/// Asks for a larger buffer where the descriptor is a pipe: it holds 64 KiB otherwise, and both
/// sides wait more often for each other.
void widen_pipe(int descriptor) noexcept;

/// Waits until one of two descriptors can be read, or has ended. Returns 1, 2, or 3 for both.
[[nodiscard]] unsigned wait_for_either(int first, int second, StopFlag stop);

}  // namespace jfrtree::internal
