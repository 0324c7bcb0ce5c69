#pragma once

#include <cstdint>

#include <jfrtree/chunk.hpp>

#include "format/input_window.hpp"

namespace jfrtree::internal {

/// How far the next chunk of a stream is looked for: a stream may have no end.
inline constexpr std::uint64_t max_stream_search = std::uint64_t{64} << 20;

/// What was found out about a chunk of a stream before its claimed end.
struct StreamedChunk {
  enum class State : std::uint8_t {
    readable,   ///< the window holds it up to its claimed end, or all that the stream has
    at_header,  ///< the header of another chunk begins at `end`
    broken,     ///< its records break at `end`, and no header follows in reach
    too_large,  ///< its records reach beyond the limit; they are sound up to `end`
  };
  State state = State::readable;
  std::uint64_t end = 0;  ///< from the chunk's start
};

/// Reads the chunk at the window's start. Its records are followed as they arrive, so that a wrong
/// size in its header costs no more memory than the sound part of it and a bound: what the header
/// claims is read without a look only up to a few tens of MiB, and where the records break, up to
/// `max_stream_search`. Chunks above `max_bytes` are not read. Throws Interrupted.
[[nodiscard]] StreamedChunk read_streamed_chunk(InputWindow& window, const ChunkHeader& header,
                                                std::uint64_t max_bytes);

/// Moves the window from the chunk at its start, whose records are sound up to `from`, to the next
/// header, or to where the records break or the stream ends, without holding more than a bound.
/// Throws Interrupted.
void pass_over_streamed_chunk(InputWindow& window, const ChunkHeader& header, std::uint64_t from);

}  // namespace jfrtree::internal
