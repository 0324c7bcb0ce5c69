#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <jfrtree/profile.hpp>

#include "format/chunk_contents.hpp"
#include "format/record_walk.hpp"
#include "io/problem_log.hpp"
#include "io/seeded_map.hpp"
#include "profile/chunk_facts.hpp"
#include "profile/event_plan.hpp"
#include "profile/lane.hpp"
#include "profile/lane_sums.hpp"

namespace jfrtree::internal {

/// How far the samples of a chunk are told apart.
enum class ScanDepth : std::uint8_t {
  counts,  ///< events per type only, by record sizes
  totals,  ///< sums per lane, no stacks
  stacks,  ///< sums per lane, stack and group
};

/// One walk over the events of a chunk: counts events per type, and sums samples per stack trace id
/// before any stack is looked at. Nothing grows with the number of events.
class ChunkScan {
 public:
  /// References must outlive the scan. Throws UsageError for a value field that a type lacks.
  ChunkScan(const ChunkContents& contents, const ProfileRequest& request, ScanDepth depth,
            ProblemLog& log);

  void run();

  struct LaneResult {
    Lane lane;
    bool with_class = false;
    bool is_wanted = true;     ///< else its events are counted only
    bool is_left_out = false;  ///< an alternative of the same kind counts instead
    LaneSums sums;
  };
  [[nodiscard]] std::vector<LaneResult>& lanes() noexcept { return lanes_; }

  /// Ordinals behind those of the pool: samples without a stack, and with an id that has no entry.
  [[nodiscard]] std::uint32_t no_stack() const noexcept { return stack_count_; }
  [[nodiscard]] std::uint32_t missing_stack() const noexcept { return stack_count_ + 1; }
  [[nodiscard]] const PoolIndex* stack_index() const noexcept { return stack_index_; }

  /// Class and thread keys of a group.
  [[nodiscard]] std::pair<std::uint64_t, std::uint64_t> group(std::uint64_t number) const {
    return request_.frames.by_thread ? groups_[number] : std::pair(number, std::uint64_t{0});
  }

  /// Events per position of the type in the metadata.
  [[nodiscard]] const std::vector<std::uint64_t>& type_counts() const noexcept { return counts_; }
  [[nodiscard]] std::uint64_t event_count() const noexcept { return event_count_; }
  [[nodiscard]] ChunkFacts& facts() noexcept { return facts_; }
  /// Unit of the value of `--event`; empty when it has none here.
  [[nodiscard]] const std::string& event_unit() const noexcept { return event_unit_; }

 private:
  static constexpr std::uint32_t no_lane = ~std::uint32_t{0};
  struct ActivePlan {
    EventPlan plan;
    Slots slots;
    bool with_class = false;
    std::uint32_t lane = no_lane;       // of all samples, or of CPU samples
    std::uint32_t wall_lane = no_lane;  // of samples in another state
  };
  struct TypeEntry {
    std::uint32_t position = 0;  // in the metadata
    std::uint32_t plan = no_lane;
    bool is_fact = false;
  };

  void prepare_types();
  void prepare_plan(const Type& type, TypeEntry& entry);
  [[nodiscard]] const TypeEntry* find_type(std::uint64_t type) const noexcept;
  void visit(const Record& record);
  void add_sample(ActivePlan& active, const Record& record);
  [[nodiscard]] bool read_value(const EventPlan& plan, const Slots& slots, SampleSums& sums);
  [[nodiscard]] std::optional<std::uint64_t> number(const EventPlan& plan, const Slots& slots,
                                                    Slot slot, Conversion conversion);
  [[nodiscard]] std::uint32_t lane_of(ActivePlan& active);
  [[nodiscard]] bool is_default_state(std::uint64_t key);
  std::uint32_t add_lane(const ActivePlan& active, SampleOrigin origin, std::string_view kind);
  [[nodiscard]] std::uint32_t ordinal_of(std::uint64_t stack);
  [[nodiscard]] std::uint64_t group_of(const ActivePlan& active);
  void choose_alternatives();
  void report();

  const ChunkContents& contents_;
  const ProfileRequest& request_;
  ScanDepth depth_;
  ProblemLog& log_;
  FactsReader facts_reader_;
  ChunkFacts facts_;
  const PoolIndex* stack_index_ = nullptr;
  std::uint32_t stack_count_ = 0;
  bool has_default_state_ = false;
  bool is_async_profiler_ = false;
  SeededMap<std::uint64_t, bool> states_;

  std::vector<TypeEntry> type_table_;  // by type id, where it is small
  SeededMap<std::uint64_t, TypeEntry> type_map_;
  std::vector<ActivePlan> plans_;
  std::vector<LaneResult> lanes_;
  std::vector<std::uint64_t> counts_;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> groups_;
  SeededMap<std::pair<std::uint64_t, std::uint64_t>, std::uint32_t> group_numbers_;
  std::string event_unit_;

  std::uint64_t event_count_ = 0;
  std::uint64_t unknown_types_ = 0;
  std::uint64_t first_unknown_type_ = 0;
  std::uint64_t missing_stacks_ = 0;
  std::uint64_t overruns_ = 0;
  std::uint64_t first_overrun_ = 0;
  std::uint64_t negative_values_ = 0;
  std::uint64_t first_negative_ = 0;
  bool has_overflow_ = false;
};

}  // namespace jfrtree::internal
