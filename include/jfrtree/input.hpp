#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <jfrtree/limits.hpp>

namespace jfrtree {

/// Where the bytes of a recording come from. Implementations exist for files, memory, pipes and
/// compressed streams; others may be written by the user of the library.
///
/// An input is read by one thread at a time, except that `read_at` of a random access input may be
/// called from several threads at once.
class Input {
 public:
  Input() = default;
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;
  virtual ~Input() = default;

  /// Name for messages: the path as given, "-" for standard input.
  [[nodiscard]] virtual std::string_view name() const noexcept = 0;

  /// Bytes of the input if it can be read at any position, else nothing.
  [[nodiscard]] virtual std::optional<std::uint64_t> size() const noexcept = 0;

  /// "plain", "gzip", "zstd", "lz4" or "zip".
  [[nodiscard]] virtual std::string_view container() const noexcept { return "plain"; }

  /// Puts the next bytes into `buffer`; returns how many: at least one, often fewer than there is
  /// room for, and 0 only at the end (or for an empty buffer).
  /// Throws IoError, FormatError (damaged compression) or LimitError.
  virtual std::size_t read(std::span<std::byte> buffer) = 0;

  /// Reads at a byte position, as many as there are up to the size of `buffer`.
  /// Only for inputs with a size. Does not move the position of `read`.
  virtual std::size_t read_at(std::uint64_t offset, std::span<std::byte> buffer);

  /// The whole input when it already lies in memory (nothing is copied then), else empty.
  [[nodiscard]] virtual std::span<const std::byte> bytes() const noexcept { return {}; }

  /// Maps a range of a file into memory, or nothing where that is not possible. The pointer keeps
  /// the mapping alive. At least 64 zero bytes behind the range can be read too. Used for chunks
  /// too large to copy. Thread-safe.
  [[nodiscard]] virtual std::shared_ptr<const std::byte> map(std::uint64_t offset,
                                                             std::size_t length);
};

/// Opens a file, a named pipe or, for "-", standard input. gzip, zstd and LZ4 frames are found by
/// their first bytes, whatever the name, and read as the stream they hold (several members or
/// frames are one stream), and so is a zip with one file. What can be decompressed of a damaged
/// or cut stream is read, then `read` throws. Throws IoError, or FormatError for an empty input.
/// Waiting for a pipe or device, here and in `read`, ends with Interrupted soon after `stop`, which
/// must outlive the input, becomes true.
[[nodiscard]] std::unique_ptr<Input> open_input(const std::string& path, const Limits& limits = {},
                                                const std::atomic<bool>* stop = nullptr);

/// Reads from memory, which must outlive the input and is not copied. Compressed bytes are found by
/// magic as in `open_input`.
[[nodiscard]] std::unique_ptr<Input> memory_input(std::span<const std::byte> bytes,
                                                  std::string name = "memory",
                                                  const Limits& limits = {});

/// Reads from a function that fills a buffer and returns how many bytes it wrote, 0 at the end.
/// Compressed bytes are found by magic as in `open_input`.
[[nodiscard]] std::unique_ptr<Input> stream_input(
    std::function<std::size_t(std::span<std::byte>)> read, std::string name = "stream",
    const Limits& limits = {});

}  // namespace jfrtree
