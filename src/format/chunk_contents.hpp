#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

#include <jfrtree/chunk.hpp>
#include <jfrtree/input.hpp>
#include <jfrtree/limits.hpp>

#include "format/chunk_source.hpp"
#include "format/constant_pools.hpp"
#include "format/type_system.hpp"
#include "io/problem_log.hpp"

namespace jfrtree::internal {

/// A chunk whose metadata is known and whose pools are found. Immutable after it was opened.
struct ChunkContents {
  ChunkInfo info;
  std::span<const std::byte> bytes;
  std::shared_ptr<const void> owner;
  /// Where the bytes are to be read from, piece by piece; null when `bytes` holds them.
  Input* unread = nullptr;
  std::shared_ptr<const TypeSystem> types;
  ConstantPools pools;
  Limits limits;

  [[nodiscard]] const Metadata& metadata() const noexcept { return *types->metadata; }
  [[nodiscard]] const Layouts& layouts() const noexcept { return types->layouts; }
  [[nodiscard]] bool has_compressed_integers() const noexcept {
    return info.header.has_compressed_integers;
  }
  /// A reader of the chunk's bytes from an offset to the chunk's end.
  [[nodiscard]] ByteReader reader_at(std::uint64_t offset) const noexcept {
    return {bytes.subspan(offset), has_compressed_integers()};
  }
};

/// Finds and decodes the metadata, then finds the pools; those of the `wanted` types (by name) are
/// indexed at once. `with_pools` false leaves the pools out. Null when the chunk has no readable
/// metadata; the log says why.
[[nodiscard]] std::shared_ptr<const ChunkContents> open_chunk(
    LoadedChunk chunk, std::span<const std::string_view> wanted, bool with_pools,
    const Limits& limits, TypeSystemCache& cache, ProblemLog& log);

/// The same for a chunk of which each record is to be looked at once: reads its metadata alone.
/// Null, and nothing logged, when that is not where the header says; then the whole chunk has to be
/// read. The input must outlive the contents. Throws IoError.
[[nodiscard]] std::shared_ptr<const ChunkContents> open_unread_chunk(const ChunkInfo& info,
                                                                     Input& input,
                                                                     const Limits& limits,
                                                                     TypeSystemCache& cache,
                                                                     ProblemLog& log);

}  // namespace jfrtree::internal
