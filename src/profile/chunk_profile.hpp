#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <jfrtree/ids.hpp>
#include <jfrtree/profile.hpp>

#include "io/problem_log.hpp"
#include "profile/chunk_facts.hpp"
#include "profile/chunk_scan.hpp"
#include "profile/filters.hpp"
#include "profile/lane.hpp"
#include "profile/text_table.hpp"

namespace jfrtree::internal {

/// All that leaves a chunk: sums by lane and stack, with texts instead of ids.
struct ChunkProfile {
  struct Row {
    std::uint64_t first_frame = 0;  ///< into `frames`
    std::uint32_t frame_count = 0;
    std::uint32_t lane = 0;
    SampleSums sums;
  };

  /// Memory of a chunk that was taken over, for the next one.
  struct Memory {
    std::vector<Row> rows;
    std::vector<std::uint32_t> frames;
  };

  ChunkFacts facts;
  std::vector<Lane> lanes;
  std::vector<Row> rows;
  std::vector<std::uint32_t> frames;  ///< numbers of `texts`, root first
  TextTable texts;
  std::vector<LeftOut> left_out;
  std::map<std::string, std::uint64_t> event_counts;  ///< by name as recorded
  std::vector<std::string> event_types_with_stacks;
  bool declares_event = false;  ///< the type of `--event`, with a stack trace
  std::string event_unit;
  FilterFindings filter_findings;
  ReadStatistics statistics;
};

/// Reads one chunk: scan, then each used stack once, in the order of the file. Throws Interrupted.
[[nodiscard]] ChunkProfile read_chunk_profile(const ChunkContents& contents,
                                              const ProfileRequest& request, ScanDepth depth,
                                              ScanPlanCache& plans, ProblemLog& log,
                                              StopFlag stop = {}, ChunkProfile::Memory memory = {},
                                              const SourceFilters* filters = nullptr);

}  // namespace jfrtree::internal
