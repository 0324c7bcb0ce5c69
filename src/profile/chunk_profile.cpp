#include "profile/chunk_profile.hpp"

#include <algorithm>

#include "io/large_memory.hpp"
#include "profile/limit_error.hpp"
#include "profile/stack_decoder.hpp"

namespace jfrtree::internal {

namespace {

/// Turns the sums of a scan into rows: visits the stacks in the order of the file, decodes those
/// that a lane uses, and adds the synthetic frames.
class RowMaker {
 public:
  RowMaker(const ChunkContents& contents, const ProfileRequest& request, ChunkScan& scan,
           ChunkProfile& profile)
      : limits_(contents.limits),
        request_(request),
        scan_(scan),
        profile_(profile),
        namer_(contents, request.frames),
        decoder_(contents, namer_) {}

  void run(ProblemLog& log) {
    std::vector<ChunkScan::LaneResult*> lanes;
    for (ChunkScan::LaneResult& result : scan_.lanes()) {
      if (result.is_left_out) continue;
      const auto number = static_cast<std::uint32_t>(profile_.lanes.size());
      profile_.lanes.push_back(result.lane);
      if (result.shares_sums) continue;
      result.sums->sort_groups();
      lanes.push_back(&result);
      lane_numbers_.push_back(number);
    }
    const std::uint32_t stacks = scan_.no_stack();
    for (std::uint32_t ordinal = 0; ordinal < stacks + 2; ++ordinal) {
      bool is_decoded = false;
      for (std::size_t i = 0; i < lanes.size(); ++i) {
        if (!lanes[i]->sums->uses(ordinal)) continue;
        if (!is_decoded) decode(ordinal);
        is_decoded = true;
        lanes[i]->sums->for_each_group(ordinal, [&](std::uint64_t group, const SampleSums& sums) {
          check_frames(log);
          add_row(*lanes[i], lane_numbers_[i], group, sums);
        });
      }
    }
    if (namer_.is_full()) throw_limit("the texts of frames", "frame_bytes", log.file());
    namer_.report(log);
    decoder_.report(log);
    profile_.texts = namer_.texts();
  }

 private:
  void decode(std::uint32_t ordinal) {
    stack_.clear();
    bool is_truncated = false;
    if (ordinal < scan_.no_stack()) {
      const auto frames = decoder_.decode(scan_.stack_index()->offset(ordinal), is_truncated);
      if (is_truncated && request_.frames.truncated_frame && !frames.empty()) {
        stack_.push_back(namer_.fixed("[truncated]"));
      }
      stack_.insert(stack_.end(), frames.begin(), frames.end());
      ++profile_.statistics.stacks_decoded;
    } else if (ordinal == scan_.missing_stack()) {
      stack_.push_back(namer_.fixed("?"));
    }
    if (stack_.empty()) stack_.push_back(namer_.fixed("[no stack]"));
  }

  /// A stack is stored once for each of its groups, so that a deep one can need much memory.
  void check_frames(const ProblemLog& log) const {
    if (profile_.frames.size() + stack_.size() > limits_.profile_frames) {
      throw_limit("the stacks", "profile_frames", log.file());
    }
  }

  void add_row(const ChunkScan::LaneResult& result, std::uint32_t lane, std::uint64_t group,
               const SampleSums& sums) {
    ChunkProfile::Row row;
    row.first_frame = profile_.frames.size();
    row.lane = lane;
    row.sums = sums;
    const auto [leaf, thread] = scan_.group(group);
    make_room(profile_.frames, stack_.size() + 2);  // a thread and a class
    make_room(profile_.rows, 1);
    if (request_.frames.by_thread) profile_.frames.push_back(namer_.thread(thread));
    profile_.frames.insert(profile_.frames.end(), stack_.begin(), stack_.end());
    if (result.with_class) profile_.frames.push_back(namer_.class_leaf(leaf));
    row.frame_count = static_cast<std::uint32_t>(profile_.frames.size() - row.first_frame);
    profile_.rows.push_back(row);
    ++profile_.statistics.stack_insertions;
  }

  const Limits& limits_;
  const ProfileRequest& request_;
  ChunkScan& scan_;
  ChunkProfile& profile_;
  FrameNamer namer_;
  StackDecoder decoder_;
  std::vector<std::uint32_t> lane_numbers_;
  std::vector<std::uint32_t> stack_;
};

void add_totals(ChunkScan& scan, ChunkProfile& profile) {
  for (ChunkScan::LaneResult& result : scan.lanes()) {
    if (result.is_left_out) continue;
    const auto lane = static_cast<std::uint32_t>(profile.lanes.size());
    profile.lanes.push_back(result.lane);
    if (result.shares_sums) continue;
    result.sums->sort_groups();
    result.sums->for_each_group(0, [&](std::uint64_t, const SampleSums& sums) {
      profile.rows.push_back({0, 0, lane, sums});
    });
  }
}

void add_counts(const ChunkContents& contents, const ChunkScan& scan, ChunkProfile& profile) {
  const auto types = contents.metadata().types();
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (scan.type_counts()[i] == 0) continue;
    profile.event_counts[types[i].name] += scan.type_counts()[i];
    if (has_stack_trace(types[i])) {
      profile.event_types_with_stacks.push_back(types[i].name);
    }
  }
  profile.statistics.bytes = contents.bytes.size();
  profile.statistics.chunks = 1;
  profile.statistics.events = scan.event_count();
}

void add_left_out(ChunkScan& scan, ChunkProfile& profile) {
  for (const ChunkScan::LaneResult& result : scan.lanes()) {
    if (!result.is_left_out) continue;
    profile.left_out.push_back(
        {result.lane.kind, result.lane.event, result.lane.events,
         "other events of the same chunk describe the same " + result.lane.kind + " samples"});
  }
}

}  // namespace

ChunkProfile read_chunk_profile(const ChunkContents& contents, const ProfileRequest& request,
                                ScanDepth depth, ScanPlanCache& plans, ProblemLog& log,
                                StopFlag stop, ChunkProfile::Memory memory) {
  ChunkProfile profile;
  profile.rows = std::move(memory.rows);
  profile.frames = std::move(memory.frames);
  profile.rows.clear();
  profile.frames.clear();
  ChunkScan scan(contents, request, depth, plans, log, stop);
  scan.run();
  profile.facts = std::move(scan.facts());
  profile.facts.file_name = log.file();
  profile.event_unit = scan.event_unit();
  if (!request.event.empty()) {
    const Type* type = contents.metadata().find(request.event);
    profile.declares_event = type != nullptr && has_stack_trace(*type);
  }
  add_counts(contents, scan, profile);
  add_left_out(scan, profile);
  if (depth == ScanDepth::totals) add_totals(scan, profile);
  if (depth == ScanDepth::stacks) RowMaker(contents, request, scan, profile).run(log);
  return profile;
}

}  // namespace jfrtree::internal
