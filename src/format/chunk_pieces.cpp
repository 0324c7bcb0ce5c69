#include "format/chunk_pieces.hpp"

#include <algorithm>

namespace jfrtree::internal {

namespace {

/// Half of a small second cache.
constexpr std::uint64_t piece_bytes = std::uint64_t{1} << 18;

}  // namespace

std::span<const std::byte> ChunkPieces::read(std::uint64_t position, std::uint64_t wanted) {
  if (position >= info_.bytes) return {};
  const std::uint64_t bytes = std::min(std::max(wanted, piece_bytes), info_.bytes - position);
  buffer_.clear();
  const auto room = buffer_.prepare(bytes).first(bytes);
  buffer_.commit(input_.read_at(info_.offset + position, room));
  return buffer_.bytes();
}

}  // namespace jfrtree::internal
