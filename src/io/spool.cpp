#include <jfrtree/spool.hpp>

#include <cerrno>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "io/bytes.hpp"
#include "io/descriptor.hpp"
#include "io/mapping.hpp"
#include "io/stop_flag.hpp"

namespace jfrtree {

using internal::Descriptor;

struct Spool::File {
  Descriptor descriptor;
  std::string name;
  std::string container;
  std::uint64_t size = 0;
};

namespace {

constexpr std::size_t copied_bytes = std::size_t{1} << 20;

[[nodiscard]] Descriptor nameless_file(std::string_view input) {
  const char* const folder = std::getenv("TMPDIR");
  std::string path = folder == nullptr || *folder == '\0' ? "/tmp" : folder;
  path += "/jfrtree-XXXXXX";
  const int number = ::mkostemp(path.data(), O_CLOEXEC);
  if (number < 0) {
    internal::throw_io_error(input, "cannot create a temporary file " + path, errno);
  }
  ::unlink(path.c_str());
  return Descriptor(number);
}

/// File is incomplete outside of Spool's members: everything it needs is handed to it.
class SpooledInput final : public Input {
 public:
  SpooledInput(std::shared_ptr<const void> owner, const Descriptor& descriptor,
               std::string_view name, std::string_view container, std::uint64_t size)
      : owner_(std::move(owner)),
        descriptor_(descriptor),
        name_(name),
        container_(container),
        size_(size) {}

  [[nodiscard]] std::string_view name() const noexcept override { return name_; }
  [[nodiscard]] std::optional<std::uint64_t> size() const noexcept override { return size_; }
  [[nodiscard]] std::string_view container() const noexcept override { return container_; }

  std::size_t read(std::span<std::byte> buffer) override {
    const std::size_t count = read_at(position_, buffer);
    position_ += count;
    return count;
  }
  std::size_t read_at(std::uint64_t offset, std::span<std::byte> buffer) override {
    return internal::read_all_at(descriptor_, offset, buffer, name_);
  }
  [[nodiscard]] std::shared_ptr<const std::byte> map(std::uint64_t offset,
                                                     std::size_t length) override {
    return internal::map_file(descriptor_, offset, length, name_);
  }

 private:
  std::shared_ptr<const void> owner_;
  const Descriptor& descriptor_;
  std::string_view name_;
  std::string_view container_;
  std::uint64_t size_;
  std::uint64_t position_ = 0;
};

}  // namespace

Spool::Spool(Input& input, const std::atomic<bool>* stop) {
  const internal::StopFlag flag(stop);
  const auto file = std::make_shared<File>();
  file->name = input.name();
  file->container = input.container();
  file->descriptor = nameless_file(file->name);
  std::vector<std::byte> buffer(copied_bytes);
  for (;;) {
    flag.check();
    std::size_t count = 0;
    try {
      count = input.read(buffer);
    } catch (const Error& error) {
      problem_ = error.problem();
    }
    if (count == 0) break;
    internal::write_all(file->descriptor, internal::as_text(std::span(buffer).first(count)),
                        file->name, flag);
    file->size += count;
  }
  file_ = file;
}

std::shared_ptr<Input> Spool::open() const {
  return std::make_shared<SpooledInput>(file_, file_->descriptor, file_->name, file_->container,
                                        file_->size);
}

}  // namespace jfrtree
