#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace jfrtree {

/// Where exporters write. Writers buffer themselves and call `write` with large pieces.
class Output {
 public:
  Output() = default;
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;
  virtual ~Output() = default;

  /// Writes all bytes or throws IoError. A closed pipe throws `ClosedPipe`.
  virtual void write(std::string_view bytes) = 0;

  /// Makes the result visible (for a file: flushes and renames). Without it a destructor leaves
  /// nothing behind. Call once, after the last write. Throws IoError.
  virtual void commit() = 0;
};

/// The reader of a pipe has gone away; a command ends quietly then.
class ClosedPipe : public std::exception {
 public:
  [[nodiscard]] const char* what() const noexcept override { return "the pipe was closed"; }
};

/// Writes to a path. A regular file is written beside it under a temporary name and renamed by
/// `commit`, so that no half file is ever seen; devices and named pipes are written directly.
/// "-" is standard output. Waiting for the reader of a pipe, here and in `write` and `commit`, ends
/// with Interrupted soon after `stop`, which must outlive the output, becomes true.
[[nodiscard]] std::unique_ptr<Output> open_output(const std::string& path,
                                                  const std::atomic<bool>* stop = nullptr);

/// Appends to `text`, which must outlive the output.
[[nodiscard]] std::unique_ptr<Output> string_output(std::string& text);

}  // namespace jfrtree
