#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <jfrtree/chunk.hpp>
#include <jfrtree/error.hpp>
#include <jfrtree/profile.hpp>
#include <jfrtree/profile_kind.hpp>

namespace jfrtree {

/// The hash of a stack, root first: XXH64 with seed 0 over, for each frame, its length in bytes as
/// LEB128 and its bytes. Equal in every run and on every machine, so it may be stored.
[[nodiscard]] std::uint64_t stack_hash(std::span<const std::string_view> frames);

/// Which rows to read.
struct SampleRowRequest {
  /// Kinds or an event, frames and filters, as for `read_profiles`, but for `leak`, `compat` and
  /// `allow_absent`: what is absent has no rows. `frames.by_thread` and what implies it fill the
  /// thread of rows, and put no frame in front of stacks.
  ProfileRequest profile;
  /// Length of the buckets of time, aligned to the epoch, at most 2^60; 0: each chunk is one, which
  /// begins with it.
  std::uint64_t bucket_ns = 10'000'000'000;
};

/// The process that wrote a chunk, as the JVM tells.
struct ProcessIdentity {
  std::int64_t pid = 0;
  std::int64_t start_ms = 0;  ///< since the epoch

  bool operator==(const ProcessIdentity&) const = default;
};

/// What is known of a chunk before its events are looked at.
struct SampleChunkPlace {
  const Source* source = nullptr;
  ChunkInfo info;
  std::uint64_t hash = 0;  ///< XXH64 of its bytes but for those from 64 to 67, its state and flags
};

/// A kind that a chunk has samples of, with what its numbers mean there.
struct SampleKind {
  std::string name;                      ///< of the kind, or of the event type
  std::vector<SampleType> sample_types;  ///< as in `Profile`
  bool is_snapshot = false;              ///< a state at a moment: never summed over time
  std::uint64_t unknown_values = 0;      ///< samples whose value is not known
  std::uint64_t count = 0;               ///< sum of the counts of its rows
};

/// A stack of a chunk, each once. Sorted by hash.
struct SampleStack {
  std::uint64_t hash = 0;         ///< `stack_hash` of its frames
  std::uint64_t first_frame = 0;  ///< into the frames of the chunk
  std::uint32_t frame_count = 0;  ///< 0: samples without a stack (and without a class leaf)
};

/// The samples of one kind, bucket, stack and thread, summed.
struct SampleRow {
  std::int64_t bucket_start_ns = 0;  ///< since the epoch
  std::uint32_t kind = 0;            ///< into the kinds of the chunk
  std::uint32_t stack = 0;           ///< into its stacks
  std::uint32_t thread = 0;          ///< into its threads
  bool has_value = false;            ///< the value of at least one sample is known
  std::uint64_t count = 0;
  std::uint64_t value = 0;
  std::uint64_t further = 0;  ///< the number of the third sample type, where the kind has one
};

/// The rows of one chunk. Valid during the call that hands it out.
struct SampleChunk {
  SampleChunkPlace place;
  std::int64_t start_ns = 0;  ///< of the chunk, since the epoch
  std::int64_t end_ns = 0;
  std::string producer;
  /// What the chunk says, else the last one before it in its input that says it.
  std::optional<ProcessIdentity> process;
  std::uint64_t events = 0;   ///< all events of the chunk
  std::uint64_t samples = 0;  ///< sum of the counts of all rows
  std::vector<SampleKind> kinds;
  std::vector<SampleStack> stacks;
  std::vector<std::uint32_t> frames;          ///< of the stacks, root first: numbers of texts
  std::vector<std::string_view> frame_texts;  ///< valid UTF-8
  std::vector<std::string> threads;           ///< sorted, without brackets; empty: none was asked
  std::vector<SampleRow> rows;                ///< by kind, bucket, stack, thread; each once
  std::vector<LeftOut> left_out;
  std::vector<Problem> problems;  ///< notes and problems of the chunk

  [[nodiscard]] std::span<const std::uint32_t> frames_of(const SampleStack& stack) const noexcept {
    return std::span(frames).subspan(stack.first_frame, stack.frame_count);
  }
};

/// What is done with rows.
class SampleRowSink {
 public:
  SampleRowSink() = default;
  SampleRowSink(const SampleRowSink&) = delete;
  SampleRowSink& operator=(const SampleRowSink&) = delete;
  virtual ~SampleRowSink() = default;

  /// Whether a chunk is wanted at all; of others the events are only counted. Called by one thread
  /// at a time, at the same time as `chunk` may be and in any order.
  virtual bool wants(const SampleChunkPlace& /*place*/) { return true; }
  /// Takes a chunk. Called by one thread at a time, in the order of the inputs.
  virtual void chunk(const SampleChunk& chunk) = 0;
};

/// What reading rows gave beside the rows.
struct SampleRowResult {
  std::uint64_t rows = 0;
  std::uint64_t skipped_chunks = 0;                  ///< that were not wanted
  std::map<std::string, std::uint64_t> samples;      ///< sums of the counts by kind
  std::vector<std::string> event_types_with_stacks;  ///< that occur, sorted
  std::vector<Problem> problems;
  ReadStatistics statistics;
  std::optional<std::int64_t> start_ns;  ///< lowest chunk start, ns since the epoch
  std::optional<std::int64_t> end_ns;    ///< highest chunk end
};

/// Level 3, for databases: sums the samples of recordings per chunk, kind, bucket of time, thread
/// and stack in one pass, and hands out the rows chunk by chunk, in the order of the sources. Sums
/// over all rows of a kind are those of `read_profiles`; of a snapshot every state is handed out,
/// of which the newest of each process counts. Equal inputs give equal rows, whatever the number of
/// threads.
///
/// Memory: the chunks in work and their rows, at most as many as threads; nothing grows with the
/// number of chunks but a few words per process. Sampling periods that only an earlier chunk of the
/// process tells are taken from the chunks handed out before, so sources of one process should come
/// in order of time; sources that are files are sorted by the start of their first chunk here.
///
/// Collapsed stacks have no time: they are a problem. Throws as `read_profiles` does, and what the
/// sink throws, but never ProfileNotFound.
[[nodiscard]] SampleRowResult read_sample_rows(std::vector<Source> sources,
                                               const SampleRowRequest& request, SampleRowSink& sink,
                                               const ReadOptions& options = {});

}  // namespace jfrtree
