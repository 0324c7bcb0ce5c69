#include "format/streamed_chunk.hpp"

#include <algorithm>
#include <optional>

#include "format/chunk_header.hpp"

namespace jfrtree::internal {

namespace {

/// Chunks that claim no more are read without a look at their records.
constexpr std::uint64_t trusted_bytes = std::uint64_t{32} << 20;
constexpr std::uint64_t step_bytes = std::uint64_t{1} << 20;
constexpr std::uint64_t magic_bytes = 4;

using Records = FollowedRecords::State;
using State = StreamedChunk::State;

/// Looks for a header behind the place where the records of a chunk broke.
[[nodiscard]] StreamedChunk search_behind(InputWindow& window, const ChunkHeader& header,
                                          std::uint64_t broken, std::uint64_t claimed) {
  std::uint64_t searched = broken;
  std::uint64_t have = window.bytes().size();
  while (have < claimed + magic_bytes) {
    if (const auto next = search_header(window.bytes(), searched, header)) {
      return {State::at_header, *next};
    }
    if (have - broken > max_stream_search) return {State::broken, broken};
    // A header may begin in the last bytes of what was searched.
    searched = std::max(searched, have - std::min<std::uint64_t>(have, chunk_header_bytes - 1));
    const std::uint64_t more = window.ensure(have + 1);
    if (more == have) break;
    have = more;
  }
  return {State::readable, have};
}

}  // namespace

StreamedChunk read_streamed_chunk(InputWindow& window, const ChunkHeader& header,
                                  std::uint64_t max_bytes) {
  // No stream has so many bytes; a smaller claim does not overflow.
  const std::uint64_t claimed = std::min(header.size, std::uint64_t{1} << 60);
  const std::uint64_t first = std::min({claimed, trusted_bytes, max_bytes}) + magic_bytes;
  FollowedRecords records{.end = chunk_header_bytes, .next_end = chunk_header_bytes};
  std::uint64_t have = window.ensure(first);
  while (have >= first && have < claimed + magic_bytes) {
    follow_records(window.bytes(), header, records);
    if (records.state == Records::header) return {State::at_header, records.end};
    if (std::max(records.end, records.next_end) > max_bytes) return {State::too_large, records.end};
    if (records.state == Records::broken) {
      // The constant pools of a chunk stand at its end: they are worth as much as the search.
      const bool is_near = claimed - std::min(claimed, records.end) <= max_stream_search;
      if (!is_near || claimed > max_bytes) {
        return search_behind(window, header, records.end, claimed);
      }
      have = window.ensure(claimed + magic_bytes);
      break;
    }
    const std::uint64_t more = window.ensure(have + 1);
    if (more == have) break;
    have = more;
  }
  return {State::readable, have};
}

void pass_over_streamed_chunk(InputWindow& window, const ChunkHeader& header, std::uint64_t from) {
  for (std::uint64_t left = from;;) {
    while (left > 0) {
      const std::uint64_t passed = std::min(left, window.ensure(std::min(left, step_bytes)));
      if (passed == 0) return;
      window.advance(passed);
      left -= passed;
    }
    window.ensure(step_bytes);
    FollowedRecords records;
    follow_records(window.bytes(), header, records);
    left =
        records.state == Records::waiting ? std::max(records.end, records.next_end) : records.end;
    // Fewer bytes than a header are left when the stream ends.
    if (left == 0) return;
    if (records.state == Records::waiting) continue;
    window.advance(records.end);
    return;
  }
}

}  // namespace jfrtree::internal
