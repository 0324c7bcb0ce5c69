#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <jfrtree/profile.hpp>

#include "format/chunk_contents.hpp"
#include "format/event_batch.hpp"
#include "io/seeded_map.hpp"
#include "profile/chunk_facts.hpp"
#include "profile/event_filter.hpp"
#include "profile/event_plan.hpp"

namespace jfrtree::internal {

/// How far the samples of a chunk are told apart.
enum class ScanDepth : std::uint8_t {
  counts,  ///< events per type only, by record sizes
  totals,  ///< sums per lane, no stacks
  stacks,  ///< sums per lane, stack and group
};

/// What is done with the events of one type.
struct PlannedEvent {
  EventPlan plan;
  bool with_leaf = false;     ///< a synthetic leaf is added to the stacks
  bool is_held = false;       ///< what it adds waits for events that free it
  bool tells_states = false;  ///< each sample's state tells whether it is CPU or wall
  /// Events are one sample whose value is the number of its field as it stands, or that has none.
  bool is_direct = false;
  /// The batch decoder fills all fields of the plan, not only those a direct event needs.
  bool is_whole = false;
  /// What filters look at. With filters on events each is looked at by itself.
  FilterFields filter_fields;
};

/// What is done with the events of all types of a chunk. Immutable.
struct ScanPlan {
  static constexpr std::uint32_t no_event = ~std::uint32_t{0};
  struct TypeEntry {
    std::uint32_t position = 0;      ///< in the metadata
    std::uint32_t event = no_event;  ///< into `events`
    bool is_fact = false;            ///< its events tell about the recording
  };

  std::vector<PlannedEvent> events;
  SeededMap<std::uint64_t, TypeEntry> types;  ///< by type id
  EventActions actions;
  std::string event_unit;  ///< of the value of `--event`; empty when it has none here
};

/// Makes plans, and keeps the last few: chunks of one JVM have the same types, and planning them
/// anew would cost more than reading a small chunk. Thread-safe.
class ScanPlanCache {
 public:
  /// The request must outlive the cache, and be the same for all plans, as must `with_time`: when
  /// events began is wanted. Throws UsageError for a value field that a type lacks.
  [[nodiscard]] std::shared_ptr<const ScanPlan> get(const ChunkContents& contents,
                                                    const ProfileRequest& request, ScanDepth depth,
                                                    const FactsReader& facts,
                                                    bool has_default_state, bool with_time);

 private:
  struct Entry {
    std::shared_ptr<const TypeSystem> types;  // kept, so that the address means these types
    ScanDepth depth;
    bool has_default_state;
    bool has_nanosecond_clock;
    std::shared_ptr<const ScanPlan> plan;
  };
  static constexpr std::size_t max_entries = 8;

  std::mutex mutex_;
  std::vector<Entry> entries_;
};

}  // namespace jfrtree::internal
