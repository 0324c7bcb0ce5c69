#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace jfrtree::internal::arrow {

/// Buffers begin at multiples of so many bytes, as the Arrow specification recommends.
inline constexpr std::size_t buffer_alignment = 64;

/// Some bytes of an array, shared.
struct Buffer {
  std::shared_ptr<const std::byte> bytes;
  std::size_t size = 0;
};

/// Zeros for arrays without elements: some readers want an address there, and one offset.
[[nodiscard]] const std::byte* empty_buffer() noexcept;

[[nodiscard]] inline std::shared_ptr<std::byte> allocate_aligned(std::size_t size) {
  constexpr std::align_val_t alignment{buffer_alignment};
  auto* const bytes = static_cast<std::byte*>(::operator new(size, alignment));
  return {bytes, [](std::byte* memory) { ::operator delete(memory, alignment); }};
}

/// Appends numbers to aligned memory, which becomes a buffer without a copy.
template <typename Number>
class BufferBuilder {
  static_assert(std::is_trivially_copyable_v<Number>);

 public:
  BufferBuilder() = default;
  BufferBuilder(BufferBuilder&& other) noexcept { *this = std::move(other); }
  BufferBuilder& operator=(BufferBuilder&& other) noexcept {
    memory_ = std::move(other.memory_);
    data_ = std::exchange(other.data_, nullptr);
    size_ = std::exchange(other.size_, 0);
    capacity_ = std::exchange(other.capacity_, 0);
    return *this;
  }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] const Number* data() const noexcept { return data_; }
  [[nodiscard]] Number* data() noexcept { return data_; }

  void reserve(std::size_t size) {
    if (size > capacity_) grow(size);
  }
  void push_back(Number number) {
    if (size_ == capacity_) grow(size_ + 1);
    data_[size_++] = number;
  }
  /// Room for more elements, whose values are the caller's to set.
  [[nodiscard]] Number* extend(std::size_t count) {
    if (count > capacity_ - size_) grow(size_ + count);
    Number* const first = data_ + size_;
    size_ += count;
    return first;
  }
  void append(const Number* numbers, std::size_t count) {
    if (count > 0) std::memcpy(extend(count), numbers, count * sizeof(Number));
  }

  /// What is there so far. What is appended later lies behind it, or in memory of its own.
  [[nodiscard]] Buffer snapshot() const { return {memory_, size_ * sizeof(Number)}; }
  /// Hands the memory over; the builder is empty then.
  [[nodiscard]] Buffer finish() {
    Buffer buffer{std::move(memory_), size_ * sizeof(Number)};
    *this = BufferBuilder();
    return buffer;
  }

 private:
  void grow(std::size_t at_least) {
    constexpr std::size_t smallest = buffer_alignment / sizeof(Number);
    const std::size_t capacity = std::max({at_least, 2 * capacity_, smallest});
    std::shared_ptr<std::byte> memory = allocate_aligned(capacity * sizeof(Number));
    if (size_ > 0) std::memcpy(memory.get(), memory_.get(), size_ * sizeof(Number));
    memory_ = std::move(memory);
    data_ = reinterpret_cast<Number*>(memory_.get());
    capacity_ = capacity;
  }

  std::shared_ptr<std::byte> memory_;
  Number* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

/// Which elements are there: a bit for each, set when it is not null. Costs nothing until the first
/// null.
class ValidityBuilder {
 public:
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::size_t null_count() const noexcept { return null_count_; }

  void append_valid() {
    if (null_count_ > 0) set(size_);
    ++size_;
  }
  void append_null() {
    if (null_count_ == 0) {
      for (std::size_t i = 0; i < size_; ++i) set(i);
    }
    ++null_count_;
    if (size_ / 8 >= bits_.size()) bits_.push_back(0);
    ++size_;
  }
  [[nodiscard]] bool is_valid(std::size_t index) const noexcept {
    return null_count_ == 0 || (bits_.data()[index / 8] >> (index % 8) & 1U) != 0;
  }

  /// The bits, none where nothing is null.
  [[nodiscard]] Buffer finish() {
    Buffer buffer = bits_.finish();
    *this = ValidityBuilder();
    return buffer;
  }

 private:
  void set(std::size_t index) {
    if (index / 8 >= bits_.size()) bits_.push_back(0);
    bits_.data()[index / 8] |= static_cast<std::uint8_t>(1U << (index % 8));
  }

  BufferBuilder<std::uint8_t> bits_;
  std::size_t size_ = 0;
  std::size_t null_count_ = 0;
};

}  // namespace jfrtree::internal::arrow
