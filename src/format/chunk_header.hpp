#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include <jfrtree/chunk.hpp>

#include "io/stop_flag.hpp"

namespace jfrtree::internal {

inline constexpr std::size_t chunk_header_bytes = 68;

/// Whether bytes begin with the magic of a chunk, `FLR\0`.
[[nodiscard]] bool has_chunk_magic(std::span<const std::byte> bytes) noexcept;

/// Decodes a header; `bytes` holds at least 68 bytes that begin with the magic.
[[nodiscard]] ChunkHeader parse_chunk_header(std::span<const std::byte> bytes) noexcept;

/// Whether a header that was met while searching can be one: version 1 or 2, a sane size, offsets
/// inside it or none.
[[nodiscard]] bool is_plausible(const ChunkHeader& header) noexcept;

/// Position of the first plausible header at or after `from`, found byte by byte; copies of `own`
/// that recorders keep inside checkpoints are passed over.
[[nodiscard]] std::optional<std::uint64_t> search_header(std::span<const std::byte> bytes,
                                                         std::uint64_t from,
                                                         const ChunkHeader& own) noexcept;

/// Where a walk over records stopped.
struct RecordWalk {
  std::uint64_t end = 0;      ///< end of the last record whose size is sound
  bool found_header = false;  ///< a plausible chunk header begins at `header`
  std::uint64_t header = 0;
  bool header_follows_record = false;  ///< the header stands right behind the last record
};

/// Walks records from `from` and looks for the header of the next chunk: at every record boundary,
/// and after the first unsound record byte by byte. `own` is the header of the chunk itself: copies
/// of it that recorders keep inside checkpoints are not mistaken for a chunk. Throws Interrupted.
[[nodiscard]] RecordWalk find_next_header(std::span<const std::byte> bytes, std::uint64_t from,
                                          const ChunkHeader& own, StopFlag stop = {});

/// How far the records of a chunk were followed that has not arrived whole.
struct FollowedRecords {
  enum class State : std::uint8_t {
    waiting,  ///< for the rest of a record, or for enough bytes to tell it from a header
    header,   ///< a plausible chunk header begins at `end`
    broken,   ///< no record can begin at `end`
  };
  State state = State::waiting;
  std::uint64_t end = 0;       ///< of the last record that is there whole
  std::uint64_t next_end = 0;  ///< while waiting: end of the record at `end`, or `end` if unknown
};

/// Walks records from `followed.end` on as far as `bytes` go; called again with more bytes it goes
/// on where it stopped. Records above 256 MiB, which no recorder writes, are broken.
void follow_records(std::span<const std::byte> bytes, const ChunkHeader& own,
                    FollowedRecords& followed) noexcept;

}  // namespace jfrtree::internal
