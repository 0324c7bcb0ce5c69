#include "clickhouse/follow/followed_file.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <utility>

#include <fcntl.h>

#include "io/hash.hpp"
#include "io/mapping.hpp"

namespace jfrtree::internal {

namespace {

constexpr std::int64_t nanoseconds_per_second = 1'000'000'000;

[[nodiscard]] std::int64_t nanoseconds(const struct timespec& time) noexcept {
  return std::int64_t{time.tv_sec} * nanoseconds_per_second + time.tv_nsec;
}

class FilePart final : public Input {
 public:
  FilePart(std::shared_ptr<const FollowedFile> file, std::uint64_t from, std::uint64_t size)
      : file_(std::move(file)), from_(from), size_(size) {}

  [[nodiscard]] std::string_view name() const noexcept override { return file_->path(); }
  [[nodiscard]] std::optional<std::uint64_t> size() const noexcept override { return size_; }

  std::size_t read(std::span<std::byte> buffer) override {
    const std::size_t count = read_at(position_, buffer);
    position_ += count;
    return count;
  }
  std::size_t read_at(std::uint64_t offset, std::span<std::byte> buffer) override {
    if (offset >= size_) return 0;
    const std::uint64_t room = std::min<std::uint64_t>(buffer.size(), size_ - offset);
    return file_->read_at(from_ + offset, buffer.first(static_cast<std::size_t>(room)));
  }
  [[nodiscard]] std::shared_ptr<const std::byte> map(std::uint64_t offset,
                                                     std::size_t length) override {
    return map_file(file_->descriptor(), from_ + offset, length, file_->path());
  }

 private:
  std::shared_ptr<const FollowedFile> file_;
  std::uint64_t from_;
  std::uint64_t size_;
  std::uint64_t position_ = 0;
};

}  // namespace

FileStatus::FileStatus(const struct stat& status) noexcept
    : identity(mix64(status.st_ino, mix64(status.st_dev))),
      size(static_cast<std::uint64_t>(std::max<std::int64_t>(status.st_size, 0))),
      changed_ns(std::max(nanoseconds(status.st_mtim), nanoseconds(status.st_ctim))) {}

std::uint64_t FileStatus::fingerprint() const noexcept {
  return mix64(identity, mix64(size, mix64(static_cast<std::uint64_t>(changed_ns))));
}

FollowedFile::FollowedFile(Descriptor descriptor, std::string path)
    : descriptor_(std::move(descriptor)), path_(std::move(path)) {}

std::shared_ptr<FollowedFile> FollowedFile::open(const std::string& path) {
  // What became a pipe meanwhile is not waited for.
  Descriptor descriptor = open_descriptor(path, O_RDONLY | O_NONBLOCK);
  if (!descriptor.is_open()) {
    if (errno == ENOENT) return nullptr;
    throw_io_error(path, "cannot open", errno);
  }
  return std::make_shared<FollowedFile>(std::move(descriptor), path);
}

FileStatus FollowedFile::status() const {
  struct stat status {};
  if (::fstat(descriptor_.number(), &status) != 0) throw_io_error(path_, "cannot look at", errno);
  return FileStatus(status);
}

bool FollowedFile::is_deleted() const {
  struct stat status {};
  return ::fstat(descriptor_.number(), &status) == 0 && status.st_nlink == 0;
}

FollowedFile::Writers FollowedFile::writers() const noexcept {
#ifdef F_SETLEASE
  // A lease for reading is given only where nobody writes. It is given back at once; a process that
  // opens the file in between waits for that, and the signal that says so is one without effect.
  const int number = descriptor_.number();
  // NOLINTBEGIN(cppcoreguidelines-pro-type-vararg): that is how POSIX declares it
  if (::fcntl(number, F_SETSIG, SIGURG) != 0) return Writers::unknown;
  if (::fcntl(number, F_SETLEASE, F_RDLCK) != 0) {
    return errno == EAGAIN ? Writers::some : Writers::unknown;
  }
  static_cast<void>(::fcntl(number, F_SETLEASE, F_UNLCK));
  // NOLINTEND(cppcoreguidelines-pro-type-vararg)
  return Writers::none;
#else
  return Writers::unknown;
#endif
}

std::unique_ptr<Input> part_of_file(std::shared_ptr<const FollowedFile> file, std::uint64_t from,
                                    std::uint64_t to) {
  return std::make_unique<FilePart>(std::move(file), from, to - from);
}

}  // namespace jfrtree::internal
