#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <jfrtree/output.hpp>

namespace jfrtree::cli {

/// Where a command writes: counts the bytes, and throws Interrupted when the program was asked to
/// stop, so that a long output to a file leaves nothing behind.
class OutputFile : public Output {
 public:
  /// Opens `path`, "-" for standard output. Throws IoError, and Interrupted while it waits for the
  /// reader of a named pipe.
  explicit OutputFile(const std::string& path);

  void write(std::string_view bytes) override;
  void commit() override;

  [[nodiscard]] std::uint64_t bytes_written() const noexcept { return bytes_written_; }

 private:
  std::unique_ptr<Output> output_;
  std::uint64_t bytes_written_ = 0;
};

}  // namespace jfrtree::cli
