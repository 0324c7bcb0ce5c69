#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <jfrtree/chunk.hpp>
#include <jfrtree/input.hpp>

#include "io/bytes.hpp"

namespace jfrtree::internal {

/// The bytes of a chunk, piece by piece, in a buffer that stays in the cache: for walks that look
/// at each record once and keep none. For one thread.
class ChunkPieces {
 public:
  /// The input, which has a size, must outlive the pieces.
  ChunkPieces(Input& input, const ChunkInfo& info) noexcept : input_(input), info_(info) {}

  /// The bytes from a position of the chunk on: at least `wanted` and at most a piece more, fewer
  /// only where the chunk or the file ends. Valid until the next call. Throws IoError.
  [[nodiscard]] std::span<const std::byte> read(std::uint64_t position, std::uint64_t wanted = 0);

  /// Bytes of the chunk.
  [[nodiscard]] std::uint64_t size() const noexcept { return info_.bytes; }

 private:
  Input& input_;
  ChunkInfo info_;
  PaddedBuffer buffer_;
};

}  // namespace jfrtree::internal
