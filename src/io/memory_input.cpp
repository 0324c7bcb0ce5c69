#include <jfrtree/input.hpp>

#include <algorithm>
#include <utility>

#include "io/bytes.hpp"
#include "io/decompressing_input.hpp"

namespace jfrtree::internal {
namespace {

class MemoryInput final : public Input {
 public:
  MemoryInput(ByteSpan bytes, std::string name) : bytes_(bytes), name_(std::move(name)) {}

  [[nodiscard]] std::string_view name() const noexcept override { return name_; }
  [[nodiscard]] std::optional<std::uint64_t> size() const noexcept override {
    return bytes_.size();
  }
  [[nodiscard]] ByteSpan bytes() const noexcept override { return bytes_; }

  std::size_t read(std::span<std::byte> buffer) override {
    const std::size_t count = read_at(position_, buffer);
    position_ += count;
    return count;
  }

  std::size_t read_at(std::uint64_t offset, std::span<std::byte> buffer) override {
    if (offset >= bytes_.size()) {
      return 0;
    }
    const ByteSpan rest = bytes_.subspan(static_cast<std::size_t>(offset));
    const std::size_t count = std::min(buffer.size(), rest.size());
    std::copy_n(rest.begin(), count, buffer.begin());
    return count;
  }

 private:
  ByteSpan bytes_;
  std::string name_;
  std::size_t position_ = 0;
};

std::unique_ptr<Input> open_memory(ByteSpan bytes, std::string name, const Limits& limits) {
  return decompress_by_magic(std::make_unique<MemoryInput>(bytes, std::move(name)),
                             bytes.first(std::min(magic_size, bytes.size())), limits);
}

}  // namespace
}  // namespace jfrtree::internal

namespace jfrtree {

std::unique_ptr<Input> memory_input(std::span<const std::byte> bytes, std::string name,
                                    const Limits& limits) {
  return internal::open_memory(bytes, std::move(name), limits);
}

}  // namespace jfrtree
