#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <jfrtree/profile.hpp>

#include "format/chunk_contents.hpp"
#include "format/chunk_source.hpp"
#include "io/problem_log.hpp"
#include "io/stop_flag.hpp"
#include "io/thread_team.hpp"
#include "profile/covered_time.hpp"

namespace jfrtree::internal {

/// What is done with the chunks that a pipeline reads.
class ChunkHandler {
 public:
  ChunkHandler() = default;
  ChunkHandler(const ChunkHandler&) = delete;
  ChunkHandler& operator=(const ChunkHandler&) = delete;
  virtual ~ChunkHandler() = default;

  /// A source was opened. Called by one thread at a time, in order.
  virtual void opened(std::size_t /*file*/, const Input& /*input*/) {}
  /// A chunk is taken to be read; `chunk` follows, unless something is thrown before. Called by one
  /// thread at a time, in the order of the inputs.
  virtual void taken(std::size_t /*file*/, const ChunkInfo& /*info*/) {}
  /// Something was thrown: no `chunk` may follow for what was taken.
  virtual void failed() noexcept {}
  /// A chunk, or null where its metadata cannot be read or it has no events yet. Called from
  /// several threads at once; `log` is the chunk's own.
  virtual void chunk(std::size_t file, const ChunkInfo& info, const ChunkContents* contents,
                     ProblemLog& log) = 0;
  /// A source of collapsed stacks.
  virtual void collapsed(std::size_t file, Input& input, ProblemLog& log) = 0;
};

/// Reads the chunks of all sources: opens one source after the other, loads one chunk after the
/// other, and works on as many at the same time as the team has threads.
class ChunkPipeline {
 public:
  struct Setup {
    bool with_pools = true;
    std::span<const std::string_view> wanted_pools{};
    /// Each record is looked at once: chunks of files need not be in memory as a whole.
    bool piece_by_piece = false;
  };

  /// All references must outlive the pipeline.
  ChunkPipeline(std::vector<Source>& sources, const ReadOptions& options, Setup setup,
                ChunkHandler& handler, ThreadTeam& team);

  /// Throws FormatError (or what opening threw) when no source could be read at all, Interrupted,
  /// and what the handler throws.
  void run();

  /// Problems and notes by source, chunk and position, after `run`.
  [[nodiscard]] std::vector<Problem> problems() const;
  /// Lowest start and highest end of all chunks, ns since the epoch; nothing without chunks.
  [[nodiscard]] std::optional<std::int64_t> start_ns() const noexcept {
    return has_time_ ? std::optional(start_ns_) : std::nullopt;
  }
  [[nodiscard]] std::optional<std::int64_t> end_ns() const noexcept {
    return has_time_ ? std::optional(end_ns_) : std::nullopt;
  }
  /// What the chunks cover, after `run`.
  [[nodiscard]] const CoveredTime& covered_time() const noexcept { return covered_; }

 private:
  void read_source(std::size_t file);
  [[nodiscard]] std::shared_ptr<Input> open(std::size_t file);
  void read_chunks(std::size_t file, ChunkSource& source);
  void work(std::size_t file, ChunkSource& source);
  [[nodiscard]] std::optional<LoadedChunk> next_chunk(std::size_t file, ChunkSource& source);
  void process(std::size_t file, const ChunkSource& source, LoadedChunk chunk);
  [[nodiscard]] std::shared_ptr<const ChunkContents> contents_of(const ChunkSource& source,
                                                                 LoadedChunk& chunk,
                                                                 ProblemLog& log);
  void add_problems(std::size_t file, const ProblemLog& log);
  void add_time(const ChunkInfo& info);
  void report_progress(std::uint64_t bytes);

  std::vector<Source>& sources_;
  const ReadOptions& options_;
  StopFlag stop_;
  Setup setup_;
  ChunkHandler& handler_;
  ThreadTeam& team_;
  TypeSystemCache types_;

  std::mutex source_mutex_;                     // the chunk source and its log
  bool has_failed_ = false;                     // no chunk is to be begun
  std::mutex state_mutex_;                      // everything below
  std::vector<std::vector<Problem>> problems_;  // by source
  std::exception_ptr first_open_error_;
  bool has_read_any_ = false;
  bool has_time_ = false;
  std::int64_t start_ns_ = 0;
  std::int64_t end_ns_ = 0;
  CoveredTime covered_;
  std::uint64_t bytes_done_ = 0;
  std::uint64_t bytes_total_ = 0;
};

/// Throws for the first problem, if there is one: a LimitError where a limit was reached, else a
/// FormatError.
void throw_first_problem(std::span<const Problem> problems);

}  // namespace jfrtree::internal
