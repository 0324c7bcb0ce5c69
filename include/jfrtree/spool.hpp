#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>

#include <jfrtree/error.hpp>
#include <jfrtree/input.hpp>

namespace jfrtree {

/// What came from an input that can be read only once, such as a pipe, in a temporary file without
/// a name (in the folder TMPDIR, else /tmp), so that it can be read several times and at any
/// position. Compressed inputs are kept decompressed.
///
/// Copies share the file, which is gone with the last of them and of its inputs. Thread-safe.
class Spool {
 public:
  /// Reads the input to its end. Throws IoError when the file cannot be written, Interrupted soon
  /// after `stop` becomes true. Where reading itself fails, what came before is kept.
  explicit Spool(Input& input, const std::atomic<bool>* stop = nullptr);

  /// The bytes from their start on, under the name of the input.
  [[nodiscard]] std::shared_ptr<Input> open() const;

  /// Why the input ended before its end, if it did: damaged compression, an error in reading.
  [[nodiscard]] const std::optional<Problem>& problem() const noexcept { return problem_; }

 private:
  struct File;

  std::shared_ptr<const File> file_;
  std::optional<Problem> problem_;
};

}  // namespace jfrtree
