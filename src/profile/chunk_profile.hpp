#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <jfrtree/ids.hpp>
#include <jfrtree/profile.hpp>

#include "io/problem_log.hpp"
#include "io/thread_team.hpp"
#include "profile/chunk_facts.hpp"
#include "profile/chunk_scan.hpp"
#include "profile/filters.hpp"
#include "profile/lane.hpp"
#include "profile/open_allocations.hpp"

namespace jfrtree::internal {

class ProfileBuilder;

/// Some stacks of a chunk with their sums by lane.
struct StackRows {
  struct Row {
    std::uint64_t first_frame = 0;  ///< into `frames`
    std::uint32_t frame_count = 0;
    std::uint32_t lane = 0;  ///< of the chunk
    SampleSums sums;
  };

  std::vector<Row> rows;
  std::vector<FrameId> frames;  ///< texts of the builder, root first
  std::uint64_t decoded = 0;    ///< stack traces that were decoded for them

  void clear() {
    rows.clear();
    frames.clear();
    decoded = 0;
  }
};

/// What a chunk gives but its stacks.
struct ChunkProfile {
  ChunkFacts facts;
  std::vector<Lane> lanes;
  /// With `leak`: what is open of native memory, and its stacks, rows without sums. Those without
  /// frames are dropped by filters.
  OpenAllocations memory;
  StackRows memory_stacks;
  std::vector<LeftOut> left_out;
  std::map<std::string, std::uint64_t> event_counts;  ///< by name as recorded
  std::vector<std::string> event_types_with_stacks;
  bool declares_event = false;  ///< the type of `--event`, with a stack trace
  std::string event_unit;
  FilterFindings filter_findings;
  ReadStatistics statistics;
};

/// What the reading of all chunks has in common. The references must outlive it.
struct ChunkReading {
  const ProfileRequest& request;
  ScanDepth depth;
  ScanPlanCache& plans;
  ThreadTeam& team;
  StopFlag stop;
  ProfileBuilder& builder;
  const Filters* filters = nullptr;
};

/// Reads one chunk of a source into the builder: scans the events, then decodes each used stack
/// once. Threads of the team that have nothing to do help. Returns what it gave but the stacks.
/// Throws Interrupted and LimitError.
ChunkProfile read_chunk(const ChunkContents& contents, std::size_t file,
                        const ChunkReading& reading, ProblemLog& log);

}  // namespace jfrtree::internal
