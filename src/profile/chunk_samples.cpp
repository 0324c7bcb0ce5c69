#include "profile/chunk_samples.hpp"

#include <algorithm>
#include <mutex>
#include <optional>
#include <span>
#include <utility>

#include "profile/chunk_scan.hpp"
#include "profile/frame_names.hpp"
#include "profile/left_out_lanes.hpp"
#include "profile/limit_error.hpp"
#include "profile/stack_composer.hpp"
#include "profile/stack_hash.hpp"

namespace jfrtree::internal {

namespace {

/// Stacks that a thread takes at a time.
constexpr std::size_t stacks_at_a_time = 1024;
/// Frames that a thread gathers before it hands them over.
constexpr std::size_t most_frames = std::size_t{1} << 16;
/// Stacks that a thread hashes at a time.
constexpr std::size_t hashes_at_a_time = 4096;

/// A lane of a chunk whose samples count.
struct UsedLane {
  const ChunkScan::LaneResult& result;
  std::uint32_t number;
};

/// What a thread has made of some stacks. Rows refer to stacks by position.
struct Gathered {
  struct Stack {
    std::size_t first_frame = 0;
    std::size_t frame_count = 0;
  };
  std::vector<FrameId> frames;
  std::vector<Stack> stacks;
  std::vector<ChunkSamples::Row> rows;

  void clear() {
    frames.clear();
    stacks.clear();
    rows.clear();
  }
};

/// Makes the rows of a chunk's samples. For one thread; several share the result.
class SampleMaker {
 public:
  SampleMaker(const ChunkContents& contents, const SampleReading& reading, const ChunkScan& scan,
              std::span<const UsedLane> lanes, FrameNames& names, ChunkSamples& samples,
              std::mutex& mutex)
      : scan_(scan),
        lanes_(lanes),
        by_thread_(reading.request.frames.by_thread),
        bucket_ns_(reading.bucket_ns),
        chunk_start_(contents.info.header.start_ns),
        samples_(samples),
        mutex_(mutex),
        composer_(contents, reading.request, &reading.filters, scan, names, *samples.texts, false),
        no_stack_{composer_.no_stack_text()},
        dropped_(lanes.size()) {}

  void run(std::size_t begin, std::size_t end) {
    for (auto ordinal = static_cast<std::uint32_t>(begin); ordinal < end; ++ordinal) {
      add_stack(ordinal);
      if (gathered_.frames.size() >= most_frames) hand_over();
    }
  }

  void finish(ProblemLog& log) {
    hand_over();
    const std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < lanes_.size(); ++i) {
      Lane& lane = samples_.lanes[lanes_[i].number];
      lane.events -= std::min(lane.events, dropped_[i].events);
      lane.unknown_values -= std::min(lane.unknown_values, dropped_[i].unknown_values);
    }
    samples_.decoded_stacks += decoded_;
    composer_.report(log);
  }

 private:
  static constexpr std::uint32_t is_dropped = ~std::uint32_t{0};
  /// What one stack trace becomes with a leaf.
  struct Made {
    std::optional<LeafRule> rule;
    std::uint64_t leaf = 0;
    std::uint32_t stack = is_dropped;
  };

  void add_stack(std::uint32_t ordinal) {
    bool is_decoded = false;
    made_.clear();
    for (std::size_t i = 0; i < lanes_.size(); ++i) {
      const UsedLane& lane = lanes_[i];
      if (!lane.result.sums->uses(ordinal)) continue;
      if (!is_decoded && composer_.decode(ordinal)) ++decoded_;
      is_decoded = true;
      lane.result.sums->for_each_group(ordinal, [&](std::uint64_t group, const SampleSums& sums) {
        const std::uint64_t leaf = scan_.group(group).first;
        if (!lane.result.left_out_classes.empty() && lane.result.leaves_out(leaf)) return;
        const std::uint32_t stack = stack_with_leaf(lane.result.leaf, leaf, group);
        if (stack == is_dropped) {
          dropped_[i].add(lane.result.deviations.behind(ordinal, group, sums));
        } else {
          add_row(lane.number, stack, group, sums);
        }
      });
    }
  }

  void add_row(std::uint32_t lane, std::uint32_t stack, std::uint64_t group,
               const SampleSums& sums) {
    ChunkSamples::Row row;
    row.lane = lane;
    row.stack = stack;
    if (by_thread_) row.thread = composer_.thread_text(group);
    row.bucket_start_ns = bucket_ns_ == 0 ? chunk_start_ : scan_.bucket_start(group);
    row.sums = sums;
    gathered_.rows.push_back(row);
  }

  /// Groups of a stack differ in bucket and thread much more often than in the leaf.
  std::uint32_t stack_with_leaf(std::optional<LeafRule> rule, std::uint64_t leaf,
                                std::uint64_t group) {
    for (const Made& made : made_) {
      if (made.rule == rule && (!rule || made.leaf == leaf)) return made.stack;
    }
    Made made{rule, leaf, is_dropped};
    std::vector<FrameId>& frames = gathered_.frames;
    const std::size_t first = frames.size();
    if (composer_.add_frames(frames, group, rule)) {
      // Samples without a stack are stored with no frame at all.
      if (frames.size() == first + 1 && frames.back() == no_stack_) frames.pop_back();
      made.stack = static_cast<std::uint32_t>(gathered_.stacks.size());
      gathered_.stacks.push_back({first, frames.size() - first});
    }
    made_.push_back(made);
    return made.stack;
  }

  void hand_over() {
    std::vector<std::uint32_t> numbers;
    numbers.reserve(gathered_.stacks.size());
    const std::lock_guard lock(mutex_);
    for (const Gathered::Stack& stack : gathered_.stacks) {
      numbers.push_back(samples_.stacks.row_of(
          0, std::span(gathered_.frames).subspan(stack.first_frame, stack.frame_count)));
    }
    for (ChunkSamples::Row& row : gathered_.rows) row.stack = numbers[row.stack];
    samples_.rows.insert(samples_.rows.end(), gathered_.rows.begin(), gathered_.rows.end());
    gathered_.clear();
  }

  const ChunkScan& scan_;
  std::span<const UsedLane> lanes_;
  bool by_thread_;
  std::uint64_t bucket_ns_;
  std::int64_t chunk_start_;
  ChunkSamples& samples_;
  std::mutex& mutex_;
  StackComposer composer_;
  FrameId no_stack_;
  std::vector<SampleDeviations::Counts> dropped_;  // by lane
  std::vector<Made> made_;                         // of the stack trace at hand
  Gathered gathered_;
  std::uint64_t decoded_ = 0;
};

/// Lanes whose samples count, and what is said of the others.
[[nodiscard]] std::vector<UsedLane> use_lanes(ChunkScan& scan, ChunkSamples& samples) {
  std::vector<UsedLane> lanes;
  for (ChunkScan::LaneResult& result : scan.lanes()) {
    if (!result.is_wanted) continue;
    const Lane& lane = result.lane;
    if (result.left_out_events > 0) {
      samples.left_out.push_back({lane.kind, lane.event, result.left_out_events, left_out_errors});
    }
    if (result.is_left_out) {
      samples.left_out.push_back(
          {lane.kind, lane.event, lane.events, left_out_alternative(lane.kind)});
      continue;
    }
    const auto number = static_cast<std::uint32_t>(samples.lanes.size());
    samples.lanes.push_back(lane);
    if (result.shares_sums) continue;
    result.sums->sort_groups();
    lanes.push_back({result, number});
  }
  return lanes;
}

void add_facts(const ChunkContents& contents, std::size_t file, ChunkScan& scan,
               ChunkSamples& samples, const ProblemLog& log) {
  samples.facts = std::move(scan.facts());
  samples.facts.file = file;
  samples.facts.file_name = log.file();
  samples.event_unit = scan.event_unit();
  samples.events = scan.event_count();
  const auto types = contents.metadata().types();
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (scan.type_counts()[i] > 0 && has_stack_trace(types[i])) {
      samples.event_types_with_stacks.push_back(types[i].name);
    }
  }
}

void hash_stacks(ChunkSamples& samples, ThreadTeam& team) {
  const auto& rows = samples.stacks.rows();
  samples.hashes.resize(rows.size());
  team.for_ranges(rows.size(), hashes_at_a_time, [&](std::size_t begin, std::size_t end) {
    StackHasher hasher;
    for (std::size_t i = begin; i < end; ++i) {
      hasher.begin();
      for (const FrameId frame : std::as_const(samples.stacks).frames(rows[i])) {
        hasher.add((*samples.texts)[raw(frame)]);
      }
      samples.hashes[i] = hasher.finish();
    }
  });
}

}  // namespace

ChunkSamples read_chunk_samples(const ChunkContents& contents, std::size_t file,
                                SampleReading& reading, ProblemLog& log) {
  ChunkSamples samples;
  samples.texts = std::make_unique<TextTable>();
  const SourceFilters filters{reading.filters, file};
  ChunkScan scan(contents, reading.request, ScanDepth::stacks, reading.plans, log, reading.stop,
                 &filters, reading.bucket_ns);
  scan.run(reading.team);
  add_facts(contents, file, scan, samples, log);
  samples.filter_findings = scan.filter_findings();
  const std::vector<UsedLane> lanes = use_lanes(scan, samples);
  FrameNames names(contents, reading.request.frames, *samples.texts);
  RangeQueue stacks(std::size_t{scan.no_stack()} + 2, stacks_at_a_time);
  std::mutex mutex;
  reading.team.run(stacks, [&] {
    SampleMaker maker(contents, reading, scan, lanes, names, samples, mutex);
    while (const auto range = stacks.next()) {
      reading.stop.check();
      maker.run(range->begin, range->end);
    }
    maker.finish(log);
  });
  if (names.is_full()) throw_limit("the texts of frames", "frame_bytes", log.file());
  if (samples.stacks.frames().size() > contents.limits.profile_frames) {
    throw_limit("the stacks", "profile_frames", log.file());
  }
  names.report(log);
  samples.stacks.close();
  hash_stacks(samples, reading.team);
  return samples;
}

ChunkSamples read_chunk_facts(const ChunkContents& contents, std::size_t file,
                              SampleReading& reading, ProblemLog& log) {
  ChunkSamples samples;
  ChunkScan scan(contents, reading.request, ScanDepth::counts, reading.count_plans, log,
                 reading.stop);
  scan.run(reading.team);
  add_facts(contents, file, scan, samples, log);
  return samples;
}

}  // namespace jfrtree::internal
