#include <jfrtree/input.hpp>

#include <array>
#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/bytes.hpp"
#include "io/decompressing_input.hpp"
#include "io/descriptor.hpp"
#include "io/mapping.hpp"
#include "io/stream_input.hpp"

namespace jfrtree::internal {
namespace {

class FileInput final : public Input {
 public:
  FileInput(Descriptor descriptor, std::string name, std::uint64_t size)
      : descriptor_(std::move(descriptor)), name_(std::move(name)), size_(size) {}

  [[nodiscard]] std::string_view name() const noexcept override { return name_; }
  [[nodiscard]] std::optional<std::uint64_t> size() const noexcept override { return size_; }

  std::size_t read(std::span<std::byte> buffer) override {
    const std::size_t count = read_at(position_, buffer);
    position_ += count;
    return count;
  }

  // A file that grows while it is read ends where it ended when it was opened.
  std::size_t read_at(std::uint64_t offset, std::span<std::byte> buffer) override {
    if (offset >= size_) {
      return 0;
    }
    if (buffer.size() > size_ - offset) {
      buffer = buffer.first(static_cast<std::size_t>(size_ - offset));
    }
    return read_all_at(descriptor_, offset, buffer, name_);
  }

  [[nodiscard]] std::shared_ptr<const std::byte> map(std::uint64_t offset,
                                                     std::size_t length) override {
    return map_file(descriptor_, offset, length, name_);
  }

 private:
  Descriptor descriptor_;
  std::string name_;
  std::uint64_t size_;
  std::uint64_t position_ = 0;
};

std::unique_ptr<Input> open_descriptor_stream(Descriptor descriptor, const std::string& name,
                                              const Limits& limits, StopFlag stop) {
  // std::function wants to be copied, which a descriptor cannot be.
  const auto shared = std::make_shared<Descriptor>(std::move(descriptor));
  return open_stream(
      [shared, name, stop](std::span<std::byte> buffer) {
        return read_some(*shared, buffer, name, stop);
      },
      name, limits);
}

std::unique_ptr<Input> open_path(const std::string& path, const Limits& limits, StopFlag stop) {
  if (path == "-") {
    return open_descriptor_stream(Descriptor(STDIN_FILENO, false), path, limits, stop);
  }
  if (path.empty()) {
    throw_io_error(path, "cannot open '': the name of a file is empty");
  }
  if (path.find('\0') != std::string::npos) {
    throw_io_error(path, "cannot open: the name contains a zero byte");
  }
  Descriptor descriptor = open_stream_descriptor(path, O_RDONLY, stop);
  struct stat status {};
  if (!descriptor.is_open() || ::fstat(descriptor.number(), &status) != 0) {
    throw_io_error(path, "cannot open", errno);
  }
  if (S_ISDIR(status.st_mode)) {
    throw_io_error(path, "this is a folder; name the recordings in it");
  }
  // Files of /proc and /sys claim to have no bytes and have some.
  if (!S_ISREG(status.st_mode) || status.st_size <= 0) {
    return open_descriptor_stream(std::move(descriptor), path, limits, stop);
  }
  auto input = std::make_unique<FileInput>(std::move(descriptor), path,
                                           static_cast<std::uint64_t>(status.st_size));
  std::array<std::byte, magic_size> start{};
  const std::size_t count = input->read_at(0, start);
  return decompress_by_magic(std::move(input), ByteSpan(start).first(count), limits);
}

}  // namespace
}  // namespace jfrtree::internal

namespace jfrtree {

std::size_t Input::read_at(std::uint64_t /*offset*/, std::span<std::byte> /*buffer*/) {
  internal::throw_io_error(name(), "this input can only be read from its beginning to its end");
}

std::shared_ptr<const std::byte> Input::map(std::uint64_t /*offset*/, std::size_t /*length*/) {
  return nullptr;
}

std::unique_ptr<Input> open_input(const std::string& path, const Limits& limits,
                                  const std::atomic<bool>* stop) {
  return internal::open_path(path, limits, internal::StopFlag(stop));
}

}  // namespace jfrtree
