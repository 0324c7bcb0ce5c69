#include "io/mapping.hpp"

#include <limits>
#include <span>

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace jfrtree::internal {
namespace {

// Pages of memory that are given back at the end.
struct Pages {
  explicit Pages(std::size_t size)
      : size_(size),
        start_(::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {}
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;
  ~Pages() {
    if (is_valid()) {
      ::munmap(start_, size_);
    }
  }

  [[nodiscard]] bool is_valid() const noexcept { return start_ != MAP_FAILED; }
  [[nodiscard]] std::byte* data() const noexcept { return static_cast<std::byte*>(start_); }

 private:
  std::size_t size_;
  void* start_;
};

bool has_range(const Descriptor& descriptor, std::uint64_t offset, std::size_t length) {
  struct stat status {};
  if (::fstat(descriptor.number(), &status) != 0 || status.st_size < 0) {
    return false;
  }
  const auto size = static_cast<std::uint64_t>(status.st_size);
  return offset <= size && length <= size - offset;
}

}  // namespace

std::shared_ptr<const std::byte> map_file(const Descriptor& descriptor, std::uint64_t offset,
                                          std::size_t length, std::string_view file) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  if (length == 0 || length > std::numeric_limits<std::size_t>::max() / 2 ||
      !has_range(descriptor, offset, length)) {
    return nullptr;
  }
  const auto before = static_cast<std::size_t>(offset % page);
  const std::size_t total = before + length;
  const std::size_t mapped = total / page * page;
  // The first page behind the mapped ones takes the rest, the second one is there to stay zero.
  const auto pages = std::make_shared<Pages>(mapped + 2 * page);
  if (!pages->is_valid()) {
    return nullptr;
  }
  if (mapped > 0 &&
      ::mmap(pages->data(), mapped, PROT_READ, MAP_PRIVATE | MAP_FIXED, descriptor.number(),
             static_cast<off_t>(offset - before)) == MAP_FAILED) {
    return nullptr;
  }
  const std::size_t rest = total - mapped;
  if (read_all_at(descriptor, offset - before + mapped, {pages->data() + mapped, rest}, file) !=
      rest) {
    return nullptr;
  }
  return {pages, pages->data() + before};
}

}  // namespace jfrtree::internal
