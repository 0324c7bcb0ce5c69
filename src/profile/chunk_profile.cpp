#include "profile/chunk_profile.hpp"

#include <algorithm>
#include <mutex>
#include <optional>
#include <span>

#include "io/large_memory.hpp"
#include "profile/frame_names.hpp"
#include "profile/jfrconv_profile.hpp"
#include "profile/left_out_lanes.hpp"
#include "profile/limit_error.hpp"
#include "profile/profile_builder.hpp"
#include "profile/stack_composer.hpp"

namespace jfrtree::internal {

namespace {

/// Stacks that a thread takes at a time.
constexpr std::size_t stacks_at_a_time = 1024;
/// Rows that are handed to the builder at a time, few enough to stay in the second cache. While
/// another thread hands over some there will be more, up to a bound.
constexpr std::size_t usual_rows = 256;
constexpr std::size_t most_rows = 16 * usual_rows;
constexpr std::size_t most_frames = std::size_t{1} << 18;

/// A lane of a chunk that goes into the profile and has sums of its own.
struct UsedLane {
  const ChunkScan::LaneResult& result;
  std::uint32_t number;  // in the profile

  [[nodiscard]] const LaneSums& sums() const noexcept { return *result.sums; }
};

/// Turns the sums of a scan into rows: visits stacks in the order of the file, decodes those that a
/// lane uses, and adds the synthetic frames. For one thread.
class RowMaker {
 public:
  RowMaker(const ChunkContents& contents, const ChunkReading& reading, const ChunkScan& scan,
           std::span<const UsedLane> lanes, const ProfileBuilder::Targets& targets,
           FrameNames& names)
      : scan_(scan),
        lanes_(lanes),
        targets_(targets),
        builder_(reading.builder),
        composer_(contents, reading.request, reading.filters, scan, names, builder_.texts(),
                  reading.request.frames.by_thread),
        dropped_(lanes.size()) {}

  /// Makes the rows of the stacks with these ordinals.
  void run(std::size_t begin, std::size_t end) {
    for (auto ordinal = static_cast<std::uint32_t>(begin); ordinal < end; ++ordinal) {
      bool is_decoded = false;
      for (std::size_t i = 0; i < lanes_.size(); ++i) {
        const UsedLane& lane = lanes_[i];
        if (!lane.sums().uses(ordinal)) continue;
        if (!is_decoded) decode(ordinal);
        is_decoded = true;
        lane.sums().for_each_group(ordinal, [&](std::uint64_t group, const SampleSums& sums) {
          if (is_left_out(lane, group)) return;
          if (!add_row(lane, group, sums)) {
            dropped_[i].add(lane.result.deviations.behind(ordinal, group, sums));
          }
        });
      }
    }
  }

  /// Hands over the rows that are left.
  void flush() {
    builder_.add(batch_, targets_);
    start_batch();
  }

  /// The stacks of allocations that wait for what frees them, each once, by their numbers.
  void add_memory_stacks(MemoryScan& memory, ChunkProfile& profile) {
    for (const MemoryScan::Stack& stack : memory.stacks()) {
      decode(stack.ordinal);
      StackRows::Row row;
      row.first_frame = batch_.frames.size();
      if (composer_.add_frames(batch_.frames, stack.group, std::nullopt)) {
        row.frame_count = static_cast<std::uint32_t>(batch_.frames.size() - row.first_frame);
      }
      batch_.rows.push_back(row);
    }
    profile.memory_stacks = std::move(batch_);
    profile.memory = std::move(memory.memory());
    start_batch();
  }

  /// Takes what filters dropped from the totals of the lanes.
  void take_back_dropped() {
    for (std::size_t i = 0; i < lanes_.size(); ++i) {
      builder_.take_back(targets_.lanes[lanes_[i].number], dropped_[i]);
    }
  }

  void report(ProblemLog& log) const { composer_.report(log); }

 private:
  void decode(std::uint32_t ordinal) {
    if (composer_.decode(ordinal)) ++batch_.decoded;
  }

  /// False when a filter drops the stack.
  bool add_row(const UsedLane& lane, std::uint64_t group, const SampleSums& sums) {
    StackRows::Row row;
    row.first_frame = batch_.frames.size();
    row.lane = lane.number;
    row.sums = sums;
    if (!composer_.add_frames(batch_.frames, group, lane.result.leaf)) return false;
    row.frame_count = static_cast<std::uint32_t>(batch_.frames.size() - row.first_frame);
    batch_.rows.push_back(row);
    if (batch_.rows.size() >= most_rows || batch_.frames.size() >= most_frames) {
      flush();
    } else if (batch_.rows.size() >= next_try_) {
      next_try_ *= 2;
      if (builder_.try_add(batch_, targets_)) start_batch();
    }
    return true;
  }

  [[nodiscard]] bool is_left_out(const UsedLane& lane, std::uint64_t group) const {
    return !lane.result.left_out_classes.empty() &&
           lane.result.leaves_out(scan_.group(group).first);
  }

  void start_batch() {
    batch_.clear();
    next_try_ = usual_rows;
  }

  const ChunkScan& scan_;
  std::span<const UsedLane> lanes_;
  const ProfileBuilder::Targets& targets_;
  ProfileBuilder& builder_;
  StackComposer composer_;
  std::vector<SampleDeviations::Counts> dropped_;  // by lane
  StackRows batch_;
  std::size_t next_try_ = usual_rows;  // to hand over the batch
};

void add_stacks(const ChunkContents& contents, const ChunkReading& reading, ChunkScan& scan,
                std::span<const UsedLane> lanes, const ProfileBuilder::Targets& targets,
                ChunkProfile& profile, ProblemLog& log) {
  FrameNames names(contents, reading.request.frames, reading.builder.texts());
  RangeQueue stacks(std::size_t{scan.no_stack()} + 2, stacks_at_a_time);
  std::mutex log_mutex;
  reading.team.run(stacks, [&] {
    RowMaker maker(contents, reading, scan, lanes, targets, names);
    while (const auto range = stacks.next()) {
      reading.stop.check();
      maker.run(range->begin, range->end);
    }
    maker.flush();
    maker.take_back_dropped();
    const std::lock_guard lock(log_mutex);
    maker.report(log);
  });
  if (scan.memory() != nullptr) {
    RowMaker(contents, reading, scan, lanes, targets, names)
        .add_memory_stacks(*scan.memory(), profile);
    reading.builder.add_memory(profile, targets);
  }
  if (names.is_full() || reading.builder.texts().bytes() > contents.limits.frame_bytes) {
    throw_limit("the texts of frames", "frame_bytes", log.file());
  }
  names.report(log);
}

void add_totals(const ChunkReading& reading, const ChunkScan& scan, std::span<const UsedLane> lanes,
                const ProfileBuilder::Targets& targets) {
  StackRows batch;
  for (const UsedLane& lane : lanes) {
    lane.sums().for_each_group(0, [&](std::uint64_t group, const SampleSums& sums) {
      if (lane.result.leaves_out(scan.group(group).first)) return;
      batch.rows.push_back({0, 0, lane.number, sums});
    });
  }
  reading.builder.add(batch, targets);
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
  profile.statistics.bytes = contents.info.bytes;
  profile.statistics.chunks = 1;
  profile.statistics.events = scan.event_count();
}

void add_lanes(ChunkScan& scan, ChunkProfile& profile, std::vector<UsedLane>& lanes) {
  for (ChunkScan::LaneResult& result : scan.lanes()) {
    if (result.left_out_events > 0) {
      profile.left_out.push_back(
          {result.lane.kind, result.lane.event, result.left_out_events, left_out_errors});
    }
    if (result.is_left_out) {
      profile.left_out.push_back({result.lane.kind, result.lane.event, result.lane.events,
                                  left_out_alternative(result.lane.kind)});
      continue;
    }
    const auto number = static_cast<std::uint32_t>(profile.lanes.size());
    profile.lanes.push_back(result.lane);
    if (result.shares_sums) continue;
    result.sums->sort_groups();
    lanes.push_back({result, number});
  }
}

}  // namespace

ChunkProfile read_chunk(const ChunkContents& contents, std::size_t file,
                        const ChunkReading& reading, ProblemLog& log) {
  const ProfileRequest& request = reading.request;
  ChunkProfile profile;
  std::vector<UsedLane> lanes;
  std::optional<SourceFilters> filters;
  if (reading.filters != nullptr) filters.emplace(SourceFilters{*reading.filters, file});
  ChunkScan scan(contents, request, reading.depth, reading.plans, log, reading.stop,
                 filters ? &*filters : nullptr);
  scan.run(reading.team);
  profile.facts = std::move(scan.facts());
  profile.facts.file = file;
  profile.facts.file_name = log.file();
  profile.event_unit = scan.event_unit();
  profile.filter_findings = scan.filter_findings();
  if (!request.event.empty()) {
    const Type* type = contents.metadata().find(request.event);
    profile.declares_event = type != nullptr && has_stack_trace(*type);
  }
  add_counts(contents, scan, profile);
  if (request.compat == Compat::jfrconv) {
    add_jfrconv_samples(contents, reading, profile, log);
    return profile;
  }
  add_lanes(scan, profile, lanes);
  const auto targets = reading.builder.add(profile);
  if (reading.depth == ScanDepth::totals) add_totals(reading, scan, lanes, targets);
  if (reading.depth == ScanDepth::stacks) {
    add_stacks(contents, reading, scan, lanes, targets, profile, log);
  }
  return profile;
}

}  // namespace jfrtree::internal
