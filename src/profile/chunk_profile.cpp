#include "profile/chunk_profile.hpp"

#include <algorithm>

#include "format/value_reader.hpp"
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
      : contents_(contents),
        limits_(contents.limits),
        request_(request),
        scan_(scan),
        profile_(profile),
        namer_(contents, request.frames),
        decoder_(contents, namer_) {}

  void run(ProblemLog& log) {
    std::vector<ChunkScan::LaneResult*> lanes;
    for (ChunkScan::LaneResult& result : scan_.lanes()) {
      if (result.is_left_out) continue;
      result.sums.sort_groups();
      lanes.push_back(&result);
      lane_numbers_.push_back(static_cast<std::uint32_t>(profile_.lanes.size()));
      profile_.lanes.push_back(result.lane);
    }
    const std::uint32_t stacks = scan_.no_stack();
    for (std::uint32_t ordinal = 0; ordinal < stacks + 2; ++ordinal) {
      bool is_decoded = false;
      for (std::size_t i = 0; i < lanes.size(); ++i) {
        if (!lanes[i]->sums.uses(ordinal)) continue;
        if (!is_decoded) decode(ordinal);
        is_decoded = true;
        lanes[i]->sums.for_each_group(ordinal, [&](std::uint64_t group, const SampleSums& sums) {
          if (is_left_out(*lanes[i], group)) return;
          check_frames(log);
          add_row(*lanes[i], lane_numbers_[i], group, sums);
        });
      }
    }
    if (scan_.memory() != nullptr) add_memory_stacks(*scan_.memory(), log);
    if (namer_.is_full()) throw_limit("the texts of frames", "frame_bytes", log.file());
    namer_.report(log);
    decoder_.report(log);
    profile_.texts = namer_.texts();
  }

 private:
  void decode(std::uint32_t ordinal) {
    stack_.clear();
    leaf_method_ = 0;
    bool is_truncated = false;
    if (ordinal < scan_.no_stack()) {
      const auto frames = decoder_.decode(scan_.stack_index()->offset(ordinal), is_truncated);
      if (is_truncated && request_.frames.truncated_frame && !frames.empty()) {
        stack_.push_back(namer_.fixed("[truncated]"));
      }
      stack_.insert(stack_.end(), frames.begin(), frames.end());
      leaf_method_ = decoder_.leaf_method();
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

  [[nodiscard]] bool is_left_out(const ChunkScan::LaneResult& result, std::uint64_t group) const {
    return !result.left_out_classes.empty() && result.leaves_out(scan_.group(group).first);
  }

  void add_row(const ChunkScan::LaneResult& result, std::uint32_t lane, std::uint64_t group,
               const SampleSums& sums) {
    ChunkProfile::Row row = make_row(group, result.leaf);
    row.lane = lane;
    row.sums = sums;
    make_room(profile_.rows, 1);
    profile_.rows.push_back(row);
    ++profile_.statistics.stack_insertions;
  }

  /// The frames of the stack that was decoded last, with those of a group.
  [[nodiscard]] ChunkProfile::Row make_row(std::uint64_t group, std::optional<LeafRule> rule) {
    ChunkProfile::Row row;
    row.first_frame = profile_.frames.size();
    const auto [leaf, thread] = scan_.group(group);
    make_room(profile_.frames, stack_.size() + 2);  // a thread and a leaf
    if (request_.frames.by_thread) profile_.frames.push_back(namer_.thread(thread));
    profile_.frames.insert(profile_.frames.end(), stack_.begin(), stack_.end());
    if (rule == LeafRule::class_name) {
      profile_.frames.push_back(namer_.class_leaf(leaf));
    } else if (rule) {
      add_other_leaf(*rule, leaf);
    }
    row.frame_count = static_cast<std::uint32_t>(profile_.frames.size() - row.first_frame);
    return row;
  }

  void add_other_leaf(LeafRule rule, std::uint64_t key) {
    if (rule == LeafRule::old_object) {
      profile_.frames.push_back(namer_.class_leaf(class_of_object(key)));
    } else if (key != 0 && key != leaf_method_) {
      // No type of a frame: the name of a Java method, without a line.
      const std::uint32_t text = namer_.frame(key, 0, ~std::uint64_t{0});
      if (text != FrameNamer::hidden) profile_.frames.push_back(text);
    }
  }

  [[nodiscard]] std::uint64_t class_of_object(std::uint64_t key) const {
    const Type* type = contents_.metadata().find("jdk.types.OldObject");
    if (type == nullptr) return 0;
    const Value object = ValueReader(contents_).constant(*type, ConstantKey{key});
    return raw(object["type"].key().value_or(ConstantKey{0}));
  }

  /// The stacks of allocations that wait for what frees them, each once, by their numbers.
  void add_memory_stacks(MemoryScan& memory, const ProblemLog& log) {
    for (const MemoryScan::Stack& stack : memory.stacks()) {
      decode(stack.ordinal);
      check_frames(log);
      profile_.memory_stacks.push_back(make_row(stack.group, std::nullopt));
    }
    profile_.memory = std::move(memory.memory());
  }

  const ChunkContents& contents_;
  const Limits& limits_;
  const ProfileRequest& request_;
  ChunkScan& scan_;
  ChunkProfile& profile_;
  FrameNamer namer_;
  StackDecoder decoder_;
  std::vector<std::uint32_t> lane_numbers_;
  std::vector<std::uint32_t> stack_;
  std::uint64_t leaf_method_ = 0;  // of that stack; 0: it has none
};

void add_totals(ChunkScan& scan, ChunkProfile& profile) {
  for (ChunkScan::LaneResult& result : scan.lanes()) {
    if (result.is_left_out) continue;
    result.sums.sort_groups();
    const auto lane = static_cast<std::uint32_t>(profile.lanes.size());
    profile.lanes.push_back(result.lane);
    result.sums.for_each_group(0, [&](std::uint64_t group, const SampleSums& sums) {
      if (result.leaves_out(scan.group(group).first)) return;
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
    if (result.left_out_events > 0) {
      profile.left_out.push_back(
          {result.lane.kind, result.lane.event, result.left_out_events,
           "errors, which are counted by the jdk.JavaErrorThrow events of the same chunk"});
    }
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
