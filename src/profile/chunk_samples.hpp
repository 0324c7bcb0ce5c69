#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <jfrtree/profile.hpp>
#include <jfrtree/sample_rows.hpp>

#include "format/chunk_contents.hpp"
#include "io/problem_log.hpp"
#include "io/stop_flag.hpp"
#include "io/thread_team.hpp"
#include "profile/chunk_facts.hpp"
#include "profile/filters.hpp"
#include "profile/lane.hpp"
#include "profile/lane_sums.hpp"
#include "profile/scan_plan.hpp"
#include "profile/stack_table.hpp"
#include "profile/text_table.hpp"

namespace jfrtree::internal {

/// The samples of one chunk by lane, bucket, thread and stack. What they mean may depend on the
/// settings of earlier chunks.
struct ChunkSamples {
  struct Row {
    std::uint32_t lane = 0;
    std::uint32_t stack = 0;   ///< row of `stacks`
    std::uint32_t thread = 0;  ///< text
    std::int64_t bucket_start_ns = 0;
    SampleSums sums;
  };

  ChunkFacts facts;
  std::vector<Lane> lanes;
  std::unique_ptr<TextTable> texts;
  StackTable stacks;
  std::vector<std::uint64_t> hashes;  ///< by row of `stacks`
  std::vector<Row> rows;
  std::vector<LeftOut> left_out;
  std::vector<std::string> event_types_with_stacks;
  std::string event_unit;
  FilterFindings filter_findings;
  std::uint64_t events = 0;
  std::uint64_t decoded_stacks = 0;
};

/// What the reading of all chunks has in common. The references must outlive it.
struct SampleReading {
  const ProfileRequest& request;
  const Filters& filters;
  std::uint64_t bucket_ns;
  ThreadTeam& team;
  StopFlag stop;
  ScanPlanCache plans{};        ///< for samples
  ScanPlanCache count_plans{};  ///< for chunks of which only the events are counted
};

/// Scans a chunk and decodes each used stack once. Threads of the team that have nothing to do
/// help. Throws Interrupted and LimitError.
[[nodiscard]] ChunkSamples read_chunk_samples(const ChunkContents& contents, std::size_t file,
                                              SampleReading& reading, ProblemLog& log);

/// The facts and the event count of a chunk whose samples are not wanted.
[[nodiscard]] ChunkSamples read_chunk_facts(const ChunkContents& contents, std::size_t file,
                                            SampleReading& reading, ProblemLog& log);

/// Whether no setting of an earlier chunk could change what the samples mean.
[[nodiscard]] bool is_complete(const ChunkSamples& samples);

/// Fills kinds, stacks, frames, threads, rows and what follows from them. `settings` are those in
/// force. The texts of the result belong to `samples`. True when a sum would have been larger than
/// 64 bits.
[[nodiscard]] bool make_sample_chunk(ChunkSamples& samples, const Settings& settings,
                                     const ProfileRequest& request, SampleChunk& chunk);

}  // namespace jfrtree::internal
