#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <span>
#include <string_view>

namespace jfrtree::internal {

using ByteSpan = std::span<const std::byte>;

/// The same bytes as text, and the other way round. Nothing is copied.
[[nodiscard]] inline std::string_view as_text(ByteSpan bytes) noexcept {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}
[[nodiscard]] inline ByteSpan as_bytes(std::string_view text) noexcept {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

/// A reusable buffer that always has `padding` zero bytes behind its contents, so that decoders may
/// load whole words at the end. Room is never zero filled, and grows by half of what is there.
class PaddedBuffer {
 public:
  static constexpr std::size_t padding = 64;

  [[nodiscard]] const std::byte* data() const noexcept;
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] ByteSpan bytes() const noexcept { return {data(), size_}; }

  /// Bytes from the start that were part of the contents once: memory that the system has given.
  [[nodiscard]] std::size_t touched() const noexcept { return touched_; }

  /// Forgets the contents and keeps the memory.
  void clear() noexcept { truncate(0); }

  /// Keeps the first `size` bytes; `size` is at most size().
  void truncate(std::size_t size) noexcept;

  /// Makes room for exactly `capacity` bytes. Only for sizes that are known to be true, such as
  /// that of a file; a size that an input claims is grown into by `prepare` as its bytes arrive.
  void reserve(std::size_t capacity);

  /// Room for `count` more bytes behind the contents, not initialised.
  [[nodiscard]] std::span<std::byte> prepare(std::size_t count);

  /// Makes the first `count` bytes of what `prepare` returned part of the contents.
  void commit(std::size_t count) noexcept { truncate(size_ + count); }

  void append(ByteSpan bytes);

 private:
  struct Free {
    void operator()(std::byte* memory) const noexcept { std::free(memory); }
  };

  std::unique_ptr<std::byte[], Free> memory_;
  std::size_t size_ = 0;
  std::size_t touched_ = 0;
  std::size_t capacity_ = 0;  // without the padding
};

}  // namespace jfrtree::internal
