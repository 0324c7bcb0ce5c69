#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <jfrtree/chunk.hpp>
#include <jfrtree/error.hpp>
#include <jfrtree/profile.hpp>

namespace jfrtree {

/// What `jfrtree info` says of a chunk.
struct ChunkSummary {
  ChunkInfo info;
  std::string producer;        ///< e.g. "OpenJDK 64-Bit Server VM 17.0.15+6"; empty: unknown
  std::uint64_t events = 0;    ///< records that are no metadata and no checkpoints
  std::uint64_t problems = 0;  ///< findings of severity `problem` in this chunk
};

/// What `jfrtree info` says of a file.
struct FileSummary {
  std::string path;
  std::uint64_t bytes = 0;  ///< as it lies on disk; of what came out of pipes and memory streams
  std::string container;    ///< "plain", "gzip", "zstd", "lz4" or "zip"
  std::map<std::string, std::string> labels;  ///< of its source
  std::vector<ChunkSummary> chunks;
};

/// A kind that has samples.
struct ProfileSummary {
  std::string kind;
  std::vector<std::string> events;
  std::uint64_t event_count = 0;
  std::uint64_t samples = 0;
  std::optional<std::uint64_t> total;  ///< of the value; absent when unknown or not asked for
  std::vector<SampleType> sample_types;
  std::vector<std::uint64_t> further_totals;  ///< of the sample types from [2] on
  std::size_t default_sample_type = 0;
  std::vector<LeftOut> left_out;
};

/// A setting of an event type, as the recording says that it was in force (`jdk.ActiveSetting`).
struct RecordingSetting {
  std::string event;  ///< name of the event type as recorded; `type N` for one not declared
  std::string name;   ///< e.g. "period"
  std::string value;

  friend auto operator<=>(const RecordingSetting&, const RecordingSetting&) = default;
};

/// What `summarize` looks at.
struct SummaryRequest {
  bool quick = false;     ///< record sizes only: counts, no totals
  bool settings = false;  ///< the settings too
};

/// Everything about recordings that can be known without decoding stacks.
struct RecordingSummary {
  std::vector<FileSummary> files;
  std::optional<std::int64_t> start_ns;  ///< absent where no chunk was read
  std::optional<std::int64_t> end_ns;
  std::string producer;
  std::map<std::string, std::uint64_t> events;  ///< declared types with at least one event
  std::vector<ProfileSummary> profiles;
  /// By event, name and value, each once: several values of one setting are those of several chunks
  /// or recordings.
  std::vector<RecordingSetting> settings;
  std::vector<Problem> notes;
  std::vector<Problem> problems;
  ReadStatistics statistics;
};

/// Reads chunk headers, metadata and events of all sources; no stacks. Throws as `read_profiles`
/// does, but a recording without samples is fine.
[[nodiscard]] RecordingSummary summarize(std::vector<Source> sources, const SummaryRequest& request,
                                         const ReadOptions& options = {});

/// The same without settings.
[[nodiscard]] inline RecordingSummary summarize(std::vector<Source> sources, bool quick = false,
                                                const ReadOptions& options = {}) {
  SummaryRequest request;
  request.quick = quick;
  return summarize(std::move(sources), request, options);
}

}  // namespace jfrtree
