#include "profile/stack_hash.hpp"

#include <algorithm>

#include <jfrtree/sample_rows.hpp>

#include "io/xxh64.hpp"

namespace jfrtree {

namespace internal {

void StackHasher::add(std::string_view frame) {
  constexpr std::size_t more = 0x80;
  std::size_t length = frame.size();
  for (; length >= more; length >>= 7) bytes_ += static_cast<char>(length | more);
  bytes_ += static_cast<char>(length);
  bytes_ += frame;
}

std::uint64_t StackHasher::finish() const noexcept {
  Xxh64 hash;
  hash.add(bytes_);
  return hash.finish();
}

std::uint64_t chunk_hash(std::span<const std::byte> chunk) noexcept {
  constexpr std::size_t state_begin = 64;
  constexpr std::size_t state_end = 68;
  Xxh64 hash;
  hash.add(chunk.first(std::min(chunk.size(), state_begin)));
  hash.add(chunk.subspan(std::min(chunk.size(), state_end)));
  return hash.finish();
}

}  // namespace internal

std::uint64_t stack_hash(std::span<const std::string_view> frames) {
  internal::StackHasher hasher;
  for (const std::string_view frame : frames) hasher.add(frame);
  return hasher.finish();
}

}  // namespace jfrtree
