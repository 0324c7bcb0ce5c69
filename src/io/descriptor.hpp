#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "io/stop_flag.hpp"

namespace jfrtree::internal {

/// A file descriptor that is closed at the end.
class Descriptor {
 public:
  Descriptor() = default;
  /// `owned`: whether to close it.
  explicit Descriptor(int number, bool owned = true) noexcept : number_(number), owned_(owned) {}
  Descriptor(Descriptor&& other) noexcept;
  Descriptor& operator=(Descriptor&& other) noexcept;
  ~Descriptor();

  [[nodiscard]] int number() const noexcept { return number_; }
  [[nodiscard]] bool is_open() const noexcept { return number_ >= 0; }

  /// Closes it now; returns the error of the system, 0 when there was none.
  int close() noexcept;

 private:
  int number_ = -1;
  bool owned_ = false;
};

/// Throws IoError: "`action`: text of the system's error `number`".
[[noreturn]] void throw_io_error(std::string_view file, std::string_view action, int number);
/// Throws IoError with a message of its own.
[[noreturn]] void throw_io_error(std::string_view file, std::string message);

/// open(2), also when a signal arrives. -1 and errno when it fails.
[[nodiscard]] Descriptor open_descriptor(const std::string& path, int flags,
                                         unsigned mode = 0) noexcept;

/// Opens a pipe or device for reading or writing, as `open_descriptor`. Where somebody may ask for
/// a stop the descriptor does not block, and a named pipe is waited for only until then: throws
/// Interrupted. One that is to be read is waited for by `read_some`.
[[nodiscard]] Descriptor open_stream_descriptor(const std::string& path, int flags, StopFlag stop);

/// The next bytes, at least one unless at the end. Goes on after signals and waits where the
/// descriptor does not block. Throws IoError with the name `file`, and Interrupted when a stop is
/// asked for while there is nothing to read.
[[nodiscard]] std::size_t read_some(const Descriptor& descriptor, std::span<std::byte> buffer,
                                    std::string_view file, StopFlag stop = {});

/// The bytes at `offset`, fewer than asked for only at the end. Thread-safe. Throws IoError.
[[nodiscard]] std::size_t read_all_at(const Descriptor& descriptor, std::uint64_t offset,
                                      std::span<std::byte> buffer, std::string_view file);

/// Writes all bytes. Throws IoError, ClosedPipe, and Interrupted when a stop is asked for while a
/// pipe or device has no room for more.
void write_all(const Descriptor& descriptor, std::string_view bytes, std::string_view file,
               StopFlag stop = {});

}  // namespace jfrtree::internal
