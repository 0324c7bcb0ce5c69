#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <jfrtree/limits.hpp>
#include <jfrtree/profile.hpp>

#include "io/thread_team.hpp"
#include "profile/chunk_history.hpp"
#include "profile/chunk_profile.hpp"
#include "profile/leak_tracker.hpp"
#include "profile/stack_table.hpp"
#include "profile/text_table.hpp"

namespace jfrtree::internal {

/// Sums the profiles of chunks. The result does not depend on the order of the chunks: stacks and
/// texts are sorted at the end, and what a chunk lacks (its sampling period) is looked up when all
/// chunks are known. Several threads may add chunks and their stacks at once; everything else is
/// for one thread.
class ProfileBuilder {
 public:
  /// Where the rows of a chunk's lane go: to a kind, or to wait.
  struct Target {
    std::uint32_t lane = 0;
    std::string event;
    LaneMeaning meaning;
    bool is_pending = false;
  };
  /// What the rows of a chunk's stacks need to be added.
  struct Targets {
    std::vector<Target> lanes;
    std::string file_name;
    std::size_t chunk = 0;  ///< number of the chunk
  };

  ProfileBuilder(const ProfileRequest& request, const Limits& limits);

  /// Adds a chunk but for its stacks.
  [[nodiscard]] Targets add(const ChunkProfile& chunk);
  /// Adds stacks of a chunk, whose frames are texts of `texts`. Throws LimitError.
  void add(const StackRows& stacks, const Targets& targets) { (void)add(stacks, targets, true); }
  /// The same, unless another thread adds some at this moment. False: nothing was added.
  [[nodiscard]] bool try_add(const StackRows& stacks, const Targets& targets) {
    return add(stacks, targets, false);
  }
  /// Adds the open allocations of native memory of a chunk, with their stacks.
  void add_memory(ChunkProfile& chunk, const Targets& targets);
  /// Takes events that filters dropped from the totals of a chunk's lane.
  void take_back(const Target& target, const SampleDeviations::Counts& dropped);
  [[nodiscard]] TextTable& texts() noexcept { return texts_; }

  /// Adds a stack of collapsed input, root first.
  void add_collapsed(std::span<const std::string_view> frames, std::uint64_t count);
  /// Tells that there were collapsed stacks, be they left out by filters.
  void note_collapsed();
  /// Counts what was read of a collapsed input, for the statistics.
  void count_collapsed(std::uint64_t bytes, std::uint64_t lines);

  /// The profiles with samples. Problems of sources are the caller's to add. Throws Interrupted.
  [[nodiscard]] ProfileSet finish(ThreadTeam& team);

  [[nodiscard]] const std::map<std::string, std::uint64_t>& event_counts() const noexcept {
    return event_counts_;
  }
  [[nodiscard]] bool declares_event() const noexcept { return declares_event_; }
  /// Whether samples of a kind were met, asked for or not. After `finish`.
  [[nodiscard]] bool has_samples(std::string_view kind) const noexcept;

 private:
  struct KindState {
    std::string name;
    std::map<std::string, std::uint64_t> events;  // by type, how many
    std::uint64_t event_count = 0;
    std::uint64_t unknown_values = 0;
    bool has_value = false;
    bool is_estimate = false;
    bool is_present = false;  // samples were met, be they left out by filters or freed
  };
  struct PendingLane {
    Lane lane;
    std::size_t chunk = 0;  // of `facts_`
  };

  bool add(const StackRows& stacks, const Targets& targets, bool waits);
  void check_frames(const Targets& targets);
  [[nodiscard]] Target target_of(const Lane& lane, std::size_t chunk);
  [[nodiscard]] std::uint32_t kind_lane(std::string_view kind);
  void count_lane(std::uint32_t kind, const Lane& lane, const LaneMeaning& meaning);
  [[nodiscard]] SampleSums resolve(SampleSums sums, std::uint32_t kind, const LaneMeaning& meaning);
  void resolve_pending();
  [[nodiscard]] std::vector<bool> old_snapshots(const ChunkHistory& history);
  void add_leaks(const ChunkHistory& history);
  void rank_texts(ThreadTeam& team);
  [[nodiscard]] Profile make_profile(std::uint32_t kind, ThreadTeam& team);
  /// Sets the sample types; `value` is the sum of the values.
  void describe(Profile& profile, const KindState& state, std::uint64_t value) const;
  void merge_left_out(const std::vector<LeftOut>& left_out);

  // Lanes of the stack table: kinds by position; waiting lanes from `first_pending` on.
  static constexpr std::uint32_t first_pending = 1U << 16;

  const ProfileRequest& request_;
  Limits limits_;
  std::mutex mutex_;  // everything below but the texts, which have their own
  TextTable texts_;
  StackTable stacks_;
  LeakTracker leaks_;
  std::vector<KindState> kinds_;
  std::vector<PendingLane> pending_;
  std::vector<ChunkFacts> facts_;
  std::map<std::string, std::uint64_t> event_counts_;
  std::set<std::string> event_types_with_stacks_;
  std::vector<LeftOut> left_out_;
  std::vector<Problem> problems_;
  std::string event_unit_;
  bool declares_event_ = false;
  bool has_overflow_ = false;
  ReadStatistics statistics_;
  std::vector<FrameId> stack_;
  std::shared_ptr<const FrameTable> frame_table_;
  std::shared_ptr<const std::vector<FrameId>> frame_ids_;
};

}  // namespace jfrtree::internal
