#pragma once

#include <cstdint>
#include <optional>

#include <jfrtree/input.hpp>
#include <jfrtree/limits.hpp>

#include "clickhouse/follow/followed_file.hpp"
#include "io/stop_flag.hpp"

namespace jfrtree::internal {

/// Finished chunks that follow each other.
struct FinishedChunks {
  std::uint64_t count = 0;
  std::uint64_t end = 0;  ///< behind the last one
  std::optional<std::int64_t> first_start_ns;
  bool has_begun_next = false;  ///< behind them begins a chunk that its writer has not finished
};

/// Looks for finished chunks from `from` on, which is where a chunk begins: their headers say so,
/// and metadata and constant pools lie where they say. Bytes of events are not read, so this may be
/// asked often. Throws IoError.
[[nodiscard]] FinishedChunks find_finished_chunks(const FollowedFile& file, std::uint64_t from,
                                                  std::uint64_t size);

/// Whether a file begins with compressed bytes. Throws IoError.
[[nodiscard]] bool is_compressed(const FollowedFile& file);

/// A compressed file as a stream of what it holds. Throws as `open_input`.
[[nodiscard]] std::unique_ptr<Input> decompressed(std::shared_ptr<const FollowedFile> file,
                                                  std::uint64_t size, const Limits& limits);

/// Reads a stream to its end. Whether nothing is missing: it ends where a finished chunk does.
/// Throws Interrupted.
[[nodiscard]] bool is_whole_stream(Input& input, StopFlag stop);

}  // namespace jfrtree::internal
