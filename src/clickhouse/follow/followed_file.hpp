#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include <sys/stat.h>

#include <jfrtree/input.hpp>

#include "io/descriptor.hpp"

namespace jfrtree::internal {

/// What the system says of a file, by which changes are seen.
struct FileStatus {
  std::uint64_t identity = 0;  ///< which file it is, under all its names
  std::uint64_t size = 0;
  std::int64_t changed_ns = 0;  ///< of its bytes or its place, since the epoch

  explicit FileStatus(const struct stat& status) noexcept;
  FileStatus() = default;
  bool operator==(const FileStatus&) const = default;
  [[nodiscard]] std::uint64_t fingerprint() const noexcept;
};

/// A file of a followed folder. It can be read to its end however it is called meanwhile, and also
/// when it is deleted. Thread-safe.
class FollowedFile {
 public:
  /// Nothing where the file is gone. Throws IoError.
  [[nodiscard]] static std::shared_ptr<FollowedFile> open(const std::string& path);
  FollowedFile(Descriptor descriptor, std::string path);

  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  [[nodiscard]] const Descriptor& descriptor() const noexcept { return descriptor_; }
  /// Throws IoError.
  [[nodiscard]] FileStatus status() const;
  /// Whether it has no name any more.
  [[nodiscard]] bool is_deleted() const;
  /// The bytes at `offset`, fewer than asked for only at the end. Throws IoError.
  [[nodiscard]] std::size_t read_at(std::uint64_t offset, std::span<std::byte> buffer) const {
    return read_all_at(descriptor_, offset, buffer, path_);
  }

  /// Whether a process of this machine has the file open for writing. The system tells it to the
  /// owner of the file and to root, on most local file systems.
  enum class Writers : std::uint8_t { none, some, unknown };
  [[nodiscard]] Writers writers() const noexcept;

 private:
  Descriptor descriptor_;
  std::string path_;
};

/// The bytes of a file from `from` to `to`.
[[nodiscard]] std::unique_ptr<Input> part_of_file(std::shared_ptr<const FollowedFile> file,
                                                  std::uint64_t from, std::uint64_t to);

}  // namespace jfrtree::internal
