#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <jfrtree/chunk.hpp>
#include <jfrtree/input.hpp>
#include <jfrtree/limits.hpp>

#include "format/input_window.hpp"
#include "io/problem_log.hpp"
#include "io/stop_flag.hpp"
#include "io/thread_team.hpp"

namespace jfrtree::internal {

/// A chunk and its bytes. `owner` keeps the bytes alive; for memory inputs it is null and the bytes
/// are the caller's.
struct LoadedChunk {
  ChunkInfo info;
  std::span<const std::byte> bytes;
  std::shared_ptr<const void> owner;
  /// Where the bytes are to be read to; null when they are there.
  std::shared_ptr<PaddedBuffer> unread{};
};

/// Finds the chunks of one input, in file order, and loads them one at a time.
///
/// Inputs with a size are scanned for all headers first (68 bytes each, as far as the chain of
/// sizes is sound); such chunks are loaded when they are asked for. From the first place where the
/// chain breaks, and for pipes and compressed inputs, chunks are delimited by their bytes: what a
/// header only claims is never allocated.
///
/// A chunk above the limit is reported and passed over.
class ChunkSource {
 public:
  /// The input and the log must outlive the source.
  ChunkSource(Input& input, const Limits& limits, ProblemLog& log, StopFlag stop = {});

  /// The headers found at construction; empty for pipes and compressed inputs.
  [[nodiscard]] const std::vector<ChunkInfo>& scanned() const noexcept { return scanned_; }

  /// Goes on behind the chunks of `scanned`, none of which was asked for yet.
  void skip_scanned();

  /// The next chunk, or nothing at the end. Throws IoError, LimitError and Interrupted; everything
  /// else that is wrong is logged. Damaged compression ends the input and is logged.
  [[nodiscard]] std::optional<LoadedChunk> next();

  /// The same, but the bytes of a chunk may have to be read yet, by `read`.
  [[nodiscard]] std::optional<LoadedChunk> next_unread();
  /// Reads the bytes of a chunk, if need be. May be called by several threads at once, and while
  /// another one asks for the next chunk; those of the team that have nothing to do help.
  void read(LoadedChunk& chunk, ThreadTeam& team, ProblemLog& log) const;

  /// Where chunks are read from. An input with a size while there are chunks to be read.
  [[nodiscard]] Input& input() const noexcept { return input_; }

  /// Position behind the last chunk returned.
  [[nodiscard]] std::uint64_t position() const noexcept { return window_.position(); }

 private:
  void scan_headers();
  [[nodiscard]] LoadedChunk load(const ChunkInfo& info);
  [[nodiscard]] std::optional<LoadedChunk> delimit_next();
  void report_no_chunk();
  [[nodiscard]] bool is_whole_header();
  [[nodiscard]] std::optional<LoadedChunk> delimit_streamed(const ChunkHeader& header);
  [[nodiscard]] std::optional<LoadedChunk> delimit(const ChunkHeader& header);
  void refuse(const ChunkHeader& header);
  [[nodiscard]] std::optional<LoadedChunk> take(const ChunkHeader& header, std::uint64_t bytes,
                                                ChunkState state);
  void report_end(const LoadedChunk& chunk);
  [[nodiscard]] std::uint64_t sound_end(const ChunkHeader& header);
  void skip_unreadable(std::uint64_t from);
  [[nodiscard]] bool gives_up_search(std::uint64_t searched);
  void report_large_chunk(std::uint64_t offset);

  Input& input_;
  Limits limits_;
  ProblemLog& log_;
  StopFlag stop_;
  InputWindow window_;
  std::vector<ChunkInfo> scanned_;
  std::uint64_t largest_copied_ = 0;  // bytes of the largest of them that is not mapped
  std::size_t next_scanned_ = 0;
  std::uint64_t number_ = 0;
  ChunkHeader last_header_;  // met last; copies of it in checkpoints are no chunks
  bool has_chunk_ = false;   // one was found, be it too large
  bool at_end_ = false;
};

}  // namespace jfrtree::internal
