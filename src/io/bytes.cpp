#include "io/bytes.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <new>

namespace jfrtree::internal {
namespace {

constexpr std::array<std::byte, PaddedBuffer::padding> zeros{};
constexpr std::size_t largest = std::numeric_limits<std::size_t>::max() / 2;

}  // namespace

const std::byte* PaddedBuffer::data() const noexcept {
  return memory_ ? memory_.get() : zeros.data();
}

void PaddedBuffer::truncate(std::size_t size) noexcept {
  size_ = size;
  touched_ = std::max(touched_, size);
  if (memory_) {
    std::memset(memory_.get() + size_, 0, padding);
  }
}

void PaddedBuffer::reserve(std::size_t capacity) {
  if (capacity <= capacity_ && memory_) {
    return;
  }
  if (capacity > largest) {
    throw std::bad_alloc();
  }
  // realloc moves pages of large buffers instead of copying bytes.
  void* grown = std::realloc(memory_.get(), capacity + padding);
  if (grown == nullptr) {
    throw std::bad_alloc();
  }
  static_cast<void>(memory_.release());
  memory_.reset(static_cast<std::byte*>(grown));
  capacity_ = capacity;
  truncate(size_);
}

std::span<std::byte> PaddedBuffer::prepare(std::size_t count) {
  if (count > largest - size_) {
    throw std::bad_alloc();
  }
  if (size_ + count > capacity_ || !memory_) {
    reserve(std::max(size_ + count, capacity_ + capacity_ / 2));
  }
  return {memory_.get() + size_, count};
}

void PaddedBuffer::append(ByteSpan bytes) {
  if (!bytes.empty()) {
    std::memcpy(prepare(bytes.size()).data(), bytes.data(), bytes.size());
    commit(bytes.size());
  }
}

}  // namespace jfrtree::internal
