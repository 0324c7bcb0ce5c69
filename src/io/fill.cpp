#include "io/fill.hpp"

#include <algorithm>

namespace jfrtree::internal {
namespace {

// As much as is there already, so that the buffer at most doubles before bytes have arrived.
std::size_t next_piece(const PaddedBuffer& buffer, std::uint64_t left) {
  constexpr std::size_t smallest = std::size_t{256} << 10;
  const std::size_t piece = std::max({smallest, buffer.size(), buffer.capacity() - buffer.size()});
  return static_cast<std::size_t>(std::min<std::uint64_t>(left, piece));
}

}  // namespace

std::size_t fill(Input& input, PaddedBuffer& buffer, std::uint64_t wanted) {
  std::uint64_t left = wanted;
  while (left > 0) {
    const std::size_t count = input.read(buffer.prepare(next_piece(buffer, left)));
    if (count == 0) {
      break;
    }
    buffer.commit(count);
    left -= count;
  }
  return static_cast<std::size_t>(wanted - left);
}

std::size_t fill_at(Input& input, std::uint64_t offset, PaddedBuffer& buffer,
                    std::uint64_t wanted) {
  const std::uint64_t size = input.size().value_or(0);
  std::uint64_t left = offset < size ? std::min(wanted, size - offset) : 0;
  std::size_t total = 0;
  while (left > 0) {
    const std::size_t count = input.read_at(offset, buffer.prepare(next_piece(buffer, left)));
    if (count == 0) {
      break;
    }
    buffer.commit(count);
    offset += count;
    total += count;
    left -= count;
  }
  return total;
}

}  // namespace jfrtree::internal
