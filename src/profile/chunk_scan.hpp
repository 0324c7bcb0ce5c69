#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <jfrtree/profile.hpp>

#include "format/chunk_contents.hpp"
#include "format/record_walk.hpp"
#include "io/problem_log.hpp"
#include "io/seeded_map.hpp"
#include "io/stop_flag.hpp"
#include "io/thread_team.hpp"
#include "profile/bucket_clock.hpp"
#include "profile/chunk_facts.hpp"
#include "profile/event_filter.hpp"
#include "profile/lane.hpp"
#include "profile/lane_sums.hpp"
#include "profile/memory_scan.hpp"
#include "profile/sample_deviations.hpp"
#include "profile/scan_findings.hpp"
#include "profile/scan_plan.hpp"

namespace jfrtree::internal {

/// One walk over the events of a chunk, or of a part of them: counts events per type, and sums
/// samples per stack trace id before any stack is looked at. Nothing grows with the number of
/// events.
class ChunkScan {
 public:
  /// References must outlive the scan. With `bucket_ns` samples of different buckets of time are
  /// told apart, which `leak` excludes. Throws UsageError for a value field that a type lacks.
  ChunkScan(const ChunkContents& contents, const ProfileRequest& request, ScanDepth depth,
            ScanPlanCache& plans, ProblemLog& log, StopFlag stop = {},
            const SourceFilters* filters = nullptr, std::uint64_t bucket_ns = 0);

  /// Threads of the team that have nothing to do help. Throws Interrupted.
  void run(ThreadTeam& team);
  void run();

  struct LaneResult {
    Lane lane;
    std::optional<LeafRule> leaf;  ///< of the synthetic leaf, where there is one
    bool is_wanted = true;         ///< else its events are counted only
    bool is_left_out = false;      ///< an alternative of the same kind counts instead
    std::vector<std::uint64_t> left_out_classes;  ///< sorted: samples of these are left out
    std::uint64_t left_out_events = 0;
    std::shared_ptr<LaneSums> sums;
    bool shares_sums = false;     ///< its samples are among the sums of a lane before it
    SampleDeviations deviations;  ///< with filters on stacks

    [[nodiscard]] bool leaves_out(std::uint64_t class_key) const noexcept {
      return std::binary_search(left_out_classes.begin(), left_out_classes.end(), class_key);
    }
  };
  [[nodiscard]] std::deque<LaneResult>& lanes() noexcept { return lanes_; }

  /// Ordinals behind those of the pool: samples without a stack, and with an id that has no entry.
  [[nodiscard]] std::uint32_t no_stack() const noexcept { return stack_count_; }
  [[nodiscard]] std::uint32_t missing_stack() const noexcept { return stack_count_ + 1; }
  [[nodiscard]] const PoolIndex* stack_index() const noexcept { return stack_index_; }

  /// Classes of errors that filters dropped.
  [[nodiscard]] const std::set<std::uint64_t>& dropped_errors() const noexcept {
    return dropped_errors_;
  }

  /// With `leak`: the allocations of native memory that are not freed in this chunk, else null.
  [[nodiscard]] MemoryScan* memory() noexcept { return memory_ ? &*memory_ : nullptr; }

  /// Class and thread keys of a group.
  [[nodiscard]] std::pair<std::uint64_t, std::uint64_t> group(std::uint64_t number) const {
    return has_groups_ ? groups_[number].keys : std::pair(number, std::uint64_t{0});
  }
  /// Start of a group's bucket of time, ns since the epoch. With buckets only.
  [[nodiscard]] std::int64_t bucket_start(std::uint64_t group) const {
    return groups_[group].bucket_start;
  }

  /// Events per position of the type in the metadata.
  [[nodiscard]] const std::vector<std::uint64_t>& type_counts() const noexcept { return counts_; }
  [[nodiscard]] std::uint64_t event_count() const noexcept { return event_count_; }
  [[nodiscard]] ChunkFacts& facts() noexcept { return facts_; }
  /// What filters on events asked for and met.
  [[nodiscard]] FilterFindings filter_findings();
  /// Unit of the value of `--event`; empty when it has none here.
  [[nodiscard]] const std::string& event_unit() const noexcept { return plan_->event_unit; }

 private:
  static constexpr std::uint32_t no_lane = ~std::uint32_t{0};
  /// Numbers below this are no sentinels and need no care.
  static constexpr std::uint64_t direct_values = std::uint64_t{1} << 62;
  struct ActiveEvent {
    const PlannedEvent& planned;
    std::uint32_t lane = no_lane;       // of all samples, or of CPU samples
    std::uint32_t wall_lane = no_lane;  // of samples in another state
    BucketClock clock{};                // with buckets

    [[nodiscard]] const EventPlan& plan() const noexcept { return planned.plan; }
  };
  /// The short way for events that are one sample whose value is a plain number of its field, or
  /// that have none: what `add_rows` needs of a plan, side by side.
  struct DirectWay {
    std::span<LaneSums::Entry> entries;  // of the lane by stack; empty while there is no lane
    std::uint64_t lowest = 0;            // smaller values need a second look
    std::uint64_t stack_mask = 0;        // all ones where the type has the field
    std::uint64_t class_mask = 0;
    std::uint64_t value_mask = 0;
    std::uint64_t samples = 0;     // that took this way
    LaneResult* result = nullptr;  // null: not known yet, or there is no short way
    LaneSums::Tag::Form form = LaneSums::Tag::plain;
    bool is_ignored = false;    // samples are counted only
    bool tells_states = false;  // samples in another state take the second way of the event
  };
  static constexpr std::size_t ways_per_event = 2;
  struct Group {
    std::pair<std::uint64_t, std::uint64_t> keys;  // class and thread
    std::int64_t bucket_start = 0;

    bool operator==(const Group&) const = default;
    /// Where `known_groups_` may have it.
    [[nodiscard]] std::size_t place() const noexcept {
      return (keys.first * 0x9E37'79B9'7F4A'7C15U + keys.second * 0xC2B2'AE3D'27D4'EB4FU +
              static_cast<std::uint64_t>(bucket_start) * 0x1656'67B1'9E37'79F9U) >>
             56;
    }
  };
  struct KnownState {
    std::uint64_t key = 0;
    bool is_default = false;
    bool is_set = false;
  };
  [[nodiscard]] DirectWay make_way(const PlannedEvent& event) const;
  std::uint64_t scan(std::span<const std::byte> bytes, std::uint64_t position, std::uint64_t end);
  [[nodiscard]] std::uint64_t scan_pieces();
  void finish(std::uint64_t end);
  void count_samples();
  void add_all(ChunkScan& part);
  [[nodiscard]] LaneResult& lane_like(const LaneResult& other);
  void visit(const Record& record);
  void decode_sample(ActiveEvent& active, const Record& record);
  void add_rows(std::span<const EventRow> rows);
  void add_row_with_care(const EventRow& row);
  [[nodiscard]] DirectWay& way_of(const EventRow& row);
  void add_other(DirectWay& way, const EventRow& row, std::uint64_t group, std::uint64_t value);
  [[nodiscard]] PoolIndex::Table stack_table() const noexcept;
  void add_sample(ActiveEvent& active, const Slots& slots, std::uint64_t offset);
  void add_to_lane(LaneResult& result, ActiveEvent& active, const Slots& slots,
                   const SampleSums& sums, std::uint64_t unknown_values);
  [[nodiscard]] std::uint32_t lane_of(ActiveEvent& active, const Slots& slots);
  [[nodiscard]] SampleOrigin origin_of(const ActiveEvent& active) const;
  [[nodiscard]] bool is_default_state(std::uint64_t key);
  [[nodiscard]] bool look_up_state(std::uint64_t key);
  void set_sums(LaneResult& result) const;
  std::uint32_t add_lane(const ActiveEvent& active, SampleOrigin origin, std::string_view kind);
  /// The ordinal of a stack trace id that has an entry, else `none`.
  [[nodiscard]] std::uint32_t known_stack(std::uint64_t stack) const noexcept {
    return stack_index_ == nullptr ? PoolIndex::none : stack_index_->find(stack);
  }
  /// The ordinal of a stack trace id.
  [[nodiscard]] std::uint32_t find_stack(std::uint64_t stack) const noexcept {
    const std::uint32_t ordinal = known_stack(stack);
    if (ordinal != PoolIndex::none) return ordinal;
    return stack == 0 ? no_stack() : missing_stack();
  }
  [[nodiscard]] std::uint64_t group_of(ActiveEvent& active, const Slots& slots);
  [[nodiscard]] std::uint64_t group_number(const Group& group);

  const ChunkContents& contents_;
  const ProfileRequest& request_;
  ScanDepth depth_;
  ScanPlanCache& plans_;
  ProblemLog& log_;
  StopFlag stop_;
  const SourceFilters* filters_;
  std::optional<EventFilter> filter_;
  std::set<std::uint64_t> dropped_errors_;
  bool has_stack_filters_;
  std::uint64_t bucket_ns_;
  bool has_groups_;  // samples are told apart by more than their class
  FactsReader facts_reader_;
  ChunkFacts facts_;
  const PoolIndex* stack_index_ = nullptr;
  std::uint32_t stack_count_ = 0;
  bool is_async_profiler_ = false;
  SeededMap<std::uint64_t, bool> states_;
  std::array<KnownState, 16> known_states_;  // those met last

  std::shared_ptr<const ScanPlan> plan_;
  std::vector<ActiveEvent> active_;  // by event of the plan
  std::vector<DirectWay> ways_;      // two for each of them
  std::vector<EventRow> rows_;       // of the batch decoder
  std::deque<LaneResult> lanes_;     // never move
  std::vector<std::uint64_t> counts_;
  std::vector<Group> groups_;
  SeededMap<std::pair<std::pair<std::uint64_t, std::uint64_t>, std::int64_t>, std::uint32_t>
      group_numbers_;

  std::optional<MemoryScan> memory_;
  std::array<std::uint32_t, 256> known_groups_{};  // those met last, by place
  std::uint64_t piece_begin_ = 0;  // of the bytes that are scanned, in the chunk
  std::uint64_t event_count_ = 0;
  ScanFindings findings_;
};

}  // namespace jfrtree::internal
