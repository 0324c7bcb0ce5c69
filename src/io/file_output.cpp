#include <jfrtree/output.hpp>

#include <array>
#include <cerrno>
#include <optional>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/descriptor.hpp"
#include "io/temporary_file.hpp"

namespace jfrtree::internal {
namespace {

constexpr std::size_t direct_write_bytes = std::size_t{64} << 10;

// Small pieces are gathered, large ones are written as they are.
class DescriptorOutput : public Output {
 public:
  DescriptorOutput(Descriptor descriptor, std::string name, StopFlag stop)
      : descriptor_(std::move(descriptor)), name_(std::move(name)), stop_(stop) {}

  void write(std::string_view bytes) override {
    if (buffer_.size() + bytes.size() < direct_write_bytes) {
      buffer_ += bytes;
      return;
    }
    flush();
    if (bytes.size() < direct_write_bytes) {
      buffer_ += bytes;
    } else {
      write_all(descriptor_, bytes, name_, stop_);
    }
  }

  void commit() override {
    flush();
    close();
  }

 protected:
  void flush() {
    write_all(descriptor_, buffer_, name_, stop_);
    buffer_.clear();
  }

  // Some file systems say only now that a write failed.
  void close() {
    if (const int number = descriptor_.close(); number != 0) {
      throw_io_error(name_, "cannot write", number);
    }
  }

  [[nodiscard]] const std::string& name() const noexcept { return name_; }

 private:
  Descriptor descriptor_;
  std::string name_;
  StopFlag stop_;
  std::string buffer_;
};

class ReplacingOutput final : public DescriptorOutput {
 public:
  ReplacingOutput(TemporaryFile file, std::string name, StopFlag stop)
      : DescriptorOutput(file.take_descriptor(), std::move(name), stop), file_(std::move(file)) {}

  void commit() override {
    DescriptorOutput::commit();
    file_.rename_to_target(name());
  }

 private:
  TemporaryFile file_;
};

// Where the symbolic links of `path` end, or nothing when one of them belongs to /proc: such a link
// (/dev/stdout is one) stands for something that is open already, and its text need not be a path.
std::optional<std::string> follow_links(std::string path) {
  constexpr int most_links = 40;
  std::array<char, 4096> text{};
  for (int count = 0; count < most_links; ++count) {
    const ssize_t length = ::readlink(path.c_str(), text.data(), text.size());
    if (length < 0) {
      return path;
    }
    if (path.starts_with("/proc/") || path.starts_with("/dev/fd/")) {
      return std::nullopt;
    }
    const std::string_view link(text.data(), static_cast<std::size_t>(length));
    const std::size_t slash = path.rfind('/');
    path.erase(link.starts_with('/') || slash == std::string::npos ? 0 : slash + 1);
    path += link;
  }
  return path;
}

std::unique_ptr<Output> open_directly(const std::string& path, StopFlag stop) {
  Descriptor descriptor = open_stream_descriptor(path, O_WRONLY | O_TRUNC, stop);
  if (!descriptor.is_open()) {
    throw_io_error(path, "cannot write", errno);
  }
  return std::make_unique<DescriptorOutput>(std::move(descriptor), path, stop);
}

// A program started without standard output has another file, or none, in its place. Writes would
// fail only where there is something to write.
void check_standard_output(const std::string& path) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg): that is how POSIX declares it
  const int flags = ::fcntl(STDOUT_FILENO, F_GETFL);
  if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY) {
    throw_io_error(path, "cannot write: standard output is closed");
  }
}

std::unique_ptr<Output> open_path(const std::string& path, StopFlag stop) {
  if (path == "-") {
    check_standard_output(path);
    return std::make_unique<DescriptorOutput>(Descriptor(STDOUT_FILENO, false), path, stop);
  }
  if (path.empty()) {
    throw_io_error(path, "cannot write '': the name of a file is empty");
  }
  if (path.find('\0') != std::string::npos) {
    throw_io_error(path, "cannot write: this is no file name");
  }
  struct stat status {};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (!exists && errno != ENOENT) {
    throw_io_error(path, "cannot write", errno);
  }
  if (exists && S_ISDIR(status.st_mode)) {
    throw_io_error(path, "cannot write: this is a folder; name a file in it");
  }
  const std::optional<std::string> target = follow_links(path);
  if (!target || (exists && !S_ISREG(status.st_mode))) {
    return open_directly(path, stop);
  }
  // Renaming would replace a file that is protected against writing.
  if (exists && ::access(target->c_str(), W_OK) != 0) {
    throw_io_error(path, "cannot write", errno);
  }
  std::optional<unsigned> mode;
  if (exists) {
    mode = status.st_mode & 0777U;
  }
  return std::make_unique<ReplacingOutput>(TemporaryFile(*target, mode, path), path, stop);
}

}  // namespace
}  // namespace jfrtree::internal

namespace jfrtree {

std::unique_ptr<Output> open_output(const std::string& path, const std::atomic<bool>* stop) {
  return internal::open_path(path, internal::StopFlag(stop));
}

}  // namespace jfrtree
