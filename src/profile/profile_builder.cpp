#include "profile/profile_builder.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <tuple>
#include <utility>

#include "io/large_memory.hpp"
#include "profile/limit_error.hpp"
#include "profile/stack_sort.hpp"

namespace jfrtree::internal {

namespace {

/// What fits into `StackSum::further`. A table of stacks has no more rows.
constexpr std::uint32_t max_further_row = 0x7FFF'FFFF;
/// Frames that a thread renumbers at a time.
constexpr std::size_t frames_at_a_time = std::size_t{1} << 18;

}  // namespace

ProfileBuilder::ProfileBuilder(const ProfileRequest& request, const Limits& limits)
    : request_(request), limits_(limits) {
  for (const KindRow& row : kind_rows()) (void)kind_lane(row.description.name);
}

std::uint32_t ProfileBuilder::kind_lane(std::string_view kind) {
  for (std::uint32_t i = 0; i < kinds_.size(); ++i) {
    if (kinds_[i].name == kind) return i;
  }
  kinds_.emplace_back().name = kind;
  return static_cast<std::uint32_t>(kinds_.size() - 1);
}

ProfileBuilder::Target ProfileBuilder::target_of(const Lane& lane, std::size_t chunk) {
  Target target;
  target.event = lane.event;
  target.meaning = meaning_of(lane, facts_[chunk].settings);
  if (target.meaning.is_complete && !lane.is_snapshot) {
    target.lane = kind_lane(target.meaning.kind);
    count_lane(target.lane, lane, target.meaning);
  } else {
    target.is_pending = true;
    target.lane = first_pending + static_cast<std::uint32_t>(pending_.size());
    pending_.push_back({lane, chunk});
  }
  return target;
}

void ProfileBuilder::count_lane(std::uint32_t kind, const Lane& lane, const LaneMeaning& meaning) {
  KindState& state = kinds_[kind];
  state.has_value = state.has_value || lane.has_value;
  state.is_present = true;
  if (lane.is_held) return;
  state.events[lane.event] += lane.events;
  state.event_count += lane.events;
  state.unknown_values += lane.unknown_values;
  state.is_estimate = state.is_estimate || meaning.is_estimate;
}

void ProfileBuilder::take_back(const Target& target, const SampleDeviations::Counts& dropped) {
  const std::lock_guard lock(mutex_);
  const auto take = [](std::uint64_t& from, std::uint64_t number) {
    from -= std::min(from, number);
  };
  if (target.is_pending) {
    Lane& lane = pending_[target.lane - first_pending].lane;
    take(lane.events, dropped.events);
    take(lane.unknown_values, dropped.unknown_values);
    return;
  }
  KindState& state = kinds_[target.lane];
  take(state.events[target.event], dropped.events);
  take(state.event_count, dropped.events);
  take(state.unknown_values, dropped.unknown_values);
}

/// Turns samples that wait for a sampling period into a value, or into unknown values.
SampleSums ProfileBuilder::resolve(SampleSums sums, std::uint32_t kind,
                                   const LaneMeaning& meaning) {
  if (sums.extra == 0 || !meaning.has_period) return sums;
  if (meaning.period_ns) {
    std::uint64_t value = 0;
    if (__builtin_mul_overflow(sums.extra, *meaning.period_ns, &value)) {
      value = ~std::uint64_t{0};
      has_overflow_ = true;
    }
    has_overflow_ = add_saturated(sums.value, value) || has_overflow_;
    sums.has_value = true;
  } else {
    kinds_[kind].unknown_values += sums.extra;
  }
  sums.extra = 0;
  return sums;
}

ProfileBuilder::Targets ProfileBuilder::add(const ChunkProfile& chunk) {
  const std::lock_guard lock(mutex_);
  const std::size_t number = facts_.size();
  facts_.push_back(chunk.facts);
  Targets targets{{}, chunk.facts.file_name, number};
  for (const Lane& lane : chunk.lanes) targets.lanes.push_back(target_of(lane, number));
  for (const auto& [name, count] : chunk.event_counts) event_counts_[name] += count;
  event_types_with_stacks_.insert(chunk.event_types_with_stacks.begin(),
                                  chunk.event_types_with_stacks.end());
  merge_left_out(chunk.left_out);
  // Where chunks disagree, the choice must not depend on their order.
  event_unit_ = std::max(event_unit_, chunk.event_unit);
  declares_event_ = declares_event_ || chunk.declares_event;
  statistics_.bytes += chunk.statistics.bytes;
  statistics_.chunks += chunk.statistics.chunks;
  statistics_.events += chunk.statistics.events;
  return targets;
}

bool ProfileBuilder::add(const StackRows& stacks, const Targets& targets, bool waits) {
  std::vector<StackTable::NewRow> rows;
  rows.reserve(stacks.rows.size());
  for (const StackRows::Row& row : stacks.rows) {
    rows.push_back({targets.lanes[row.lane].lane,
                    std::span(stacks.frames).subspan(row.first_frame, row.frame_count), row.sums});
  }
  stacks_.set_hashes(rows);
  std::unique_lock lock(mutex_, std::defer_lock);
  if (waits) {
    lock.lock();
  } else if (!lock.try_lock()) {
    return false;
  }

  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Target& target = targets.lanes[stacks.rows[i].lane];
    if (!target.is_pending) rows[i].sums = resolve(rows[i].sums, target.lane, target.meaning);
  }
  has_overflow_ = stacks_.add_all(rows) || has_overflow_;
  statistics_.stacks_decoded += stacks.decoded;
  statistics_.stack_insertions += rows.size();
  check_frames(targets);
  return true;
}

void ProfileBuilder::add_memory(ChunkProfile& chunk, const Targets& targets) {
  const std::lock_guard lock(mutex_);
  leaks_.merge(chunk, facts_[targets.chunk], targets.chunk);
  statistics_.stacks_decoded += chunk.memory_stacks.decoded;
  check_frames(targets);
}

void ProfileBuilder::check_frames(const Targets& targets) {
  if (stacks_.frames().size() + leaks_.frame_count() > limits_.profile_frames) {
    throw_limit("the stacks", "profile_frames", targets.file_name);
  }
}

void ProfileBuilder::add_collapsed(std::span<const std::string_view> frames, std::uint64_t count) {
  const std::uint32_t lane = kind_lane("collapsed");
  kinds_[lane].is_present = true;
  ++kinds_[lane].event_count;
  stack_.clear();
  for (const std::string_view frame : frames) stack_.push_back(FrameId{texts_.add(frame)});
  has_overflow_ = stacks_.add(lane, stack_, {.count = count}) || has_overflow_;
}

void ProfileBuilder::note_collapsed() { kinds_[kind_lane("collapsed")].is_present = true; }

void ProfileBuilder::count_collapsed(std::uint64_t bytes, std::uint64_t lines) {
  statistics_.bytes += bytes;
  statistics_.collapsed_lines += lines;
  statistics_.stacks_decoded += lines;
}

void ProfileBuilder::merge_left_out(const std::vector<LeftOut>& left_out) {
  for (const LeftOut& entry : left_out) {
    const auto found = std::find_if(left_out_.begin(), left_out_.end(), [&](const LeftOut& other) {
      return other.kind == entry.kind && other.event == entry.event && other.reason == entry.reason;
    });
    if (found == left_out_.end()) {
      left_out_.push_back(entry);
    } else {
      found->count += entry.count;
    }
  }
}

void ProfileBuilder::resolve_pending() {
  const ChunkHistory history(facts_);
  problems_ = history.repeated_chunks();
  if (request_.leak) add_leaks(history);
  if (pending_.empty()) return;
  const std::vector<Settings> settings = history.effective_settings();
  const std::vector<bool> is_old = old_snapshots(history);
  std::vector<Target> targets;
  for (std::size_t i = 0; i < pending_.size(); ++i) {
    const PendingLane& pending = pending_[i];
    Target target;
    target.meaning = meaning_of(pending.lane, settings[pending.chunk]);
    target.lane = kind_lane(target.meaning.kind);
    target.is_pending = is_old[i];
    if (!is_old[i]) count_lane(target.lane, pending.lane, target.meaning);
    targets.push_back(target);
  }
  const std::size_t rows = stacks_.rows().size();
  for (std::size_t i = 0; i < rows; ++i) {
    const StackTable::Row row = stacks_.rows()[i];
    if (row.lane < first_pending) continue;
    const Target& target = targets[row.lane - first_pending];
    if (target.is_pending) continue;
    const SampleSums sums = resolve(row.sums, target.lane, target.meaning);
    has_overflow_ = stacks_.move(i, target.lane, sums) || has_overflow_;
  }
}

/// Which of the waiting lanes are of snapshots that a newer one of the same process replaces.
std::vector<bool> ProfileBuilder::old_snapshots(const ChunkHistory& history) {
  std::vector<std::size_t> chunks;
  for (const PendingLane& pending : pending_) {
    if (pending.lane.is_snapshot) chunks.push_back(pending.chunk);
  }
  const std::set<std::size_t> newest = history.newest(chunks);
  std::vector<bool> is_old;
  for (const auto& [lane, chunk] : pending_) {
    is_old.push_back(lane.is_snapshot && !newest.contains(chunk));
    if (is_old.back()) {
      merge_left_out({{lane.kind, lane.event, lane.events,
                       "a newer chunk of the same process says what is alive"}});
    }
  }
  return is_old;
}

void ProfileBuilder::add_leaks(const ChunkHistory& history) {
  const std::uint32_t kind = kind_lane("native-mem");
  const LeakTracker::Result result = leaks_.finish(history, stacks_, kind);
  if (result.open + result.freed == 0) return;
  KindState& state = kinds_[kind];
  state.events["profiler.Malloc"] = result.open;
  state.event_count = result.open;
  state.unknown_values = result.unknown_sizes;
  state.is_present = true;
  has_overflow_ = has_overflow_ || result.has_overflow;
  if (result.freed > 0) {
    merge_left_out({{state.name, "profiler.Malloc", result.freed, "memory that was freed later"}});
  }
  if (result.unmatched > 0) {
    Problem note;
    note.code = ErrorCode::left_out;
    note.severity = Severity::note;
    note.count = result.unmatched;
    note.message =
        "allocations of recordings without any profiler.Free: whether they were freed is unknown, "
        "all of them are counted";
    problems_.push_back(std::move(note));
  }
}

/// Numbers the frame texts by rank, so that comparing ids compares texts.
void ProfileBuilder::rank_texts(ThreadTeam& team) {
  std::vector<std::uint32_t> order(texts_.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(),
            [this](std::uint32_t a, std::uint32_t b) { return texts_[a] < texts_[b]; });
  std::vector<FrameId> rank(order.size());
  std::vector<std::string_view> texts(order.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    rank[order[i]] = FrameId{i};
    texts[i] = texts_[order[i]];
  }
  std::vector<FrameId> frames = std::move(stacks_.frames());
  team.for_ranges(frames.size(), frames_at_a_time, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) frames[i] = rank[raw(frames[i])];
  });
  frame_ids_ = std::make_shared<const std::vector<FrameId>>(std::move(frames));
  frame_table_ = std::make_shared<const FrameTable>(std::move(texts), texts_.arena());
}

bool ProfileBuilder::has_samples(std::string_view kind) const noexcept {
  return std::any_of(kinds_.begin(), kinds_.end(), [kind](const KindState& state) {
    return state.name == kind && state.is_present;
  });
}

ProfileSet ProfileBuilder::finish(ThreadTeam& team) {
  ProfileSet set;
  resolve_pending();
  stacks_.close();
  rank_texts(team);
  for (std::uint32_t kind = 0; kind < kinds_.size(); ++kind) {
    const bool is_collapsed = kinds_[kind].name == "collapsed";
    if (!kinds_[kind].is_present || !is_wanted(request_.kinds, kinds_[kind].name)) continue;
    if (is_collapsed && !request_.event.empty()) continue;
    set.profiles.push_back(make_profile(kind, team));
    // A line of collapsed stacks is no event, it stands for as many samples as it says.
    statistics_.samples += is_collapsed ? set.profiles.back().count : kinds_[kind].event_count;
  }
  std::sort(left_out_.begin(), left_out_.end(), [](const LeftOut& a, const LeftOut& b) {
    return std::tie(a.kind, a.event, a.reason) < std::tie(b.kind, b.event, b.reason);
  });
  set.left_out = std::move(left_out_);
  set.problems = std::move(problems_);
  set.statistics = statistics_;
  set.event_types_with_stacks.assign(event_types_with_stacks_.begin(),
                                     event_types_with_stacks_.end());
  if (has_overflow_) {
    Problem problem;
    problem.code = ErrorCode::value_out_of_range;
    problem.message =
        "a sum over all inputs is larger than 64 bits; it stays at the largest number";
    set.problems.push_back(std::move(problem));
  }
  return set;
}

Profile ProfileBuilder::make_profile(std::uint32_t kind, ThreadTeam& team) {
  const KindState& state = kinds_[kind];
  Profile profile;
  profile.kind = state.name;
  for (const auto& [event, count] : state.events) {
    if (count > 0) profile.events.push_back(event);
  }
  profile.event_count = state.event_count;
  profile.has_thread_frame = request_.frames.by_thread && state.name != "collapsed";
  profile.frame_ids = frame_ids_;
  profile.frame_table = frame_table_;
  const KindRow* row_of_kind = find_kind(state.name);
  const bool has_third = row_of_kind != nullptr && !row_of_kind->third.name.empty();
  std::uint64_t value = 0;
  const auto rows = std::count_if(stacks_.rows().begin(), stacks_.rows().end(),
                                  [kind](const StackTable::Row& row) { return row.lane == kind; });
  reserve_large(profile.stacks, static_cast<std::size_t>(rows));
  for (const StackTable::Row& row : stacks_.rows()) {
    if (row.lane != kind) continue;
    StackSum sum{.first_frame = row.first_frame,
                 .frame_count = row.frame_count,
                 .has_value = row.sums.has_value,
                 .count = row.sums.count,
                 .value = row.sums.value};
    if (has_third) {
      sum.further = static_cast<std::uint32_t>(profile.further_numbers.size()) & max_further_row;
      profile.further_numbers.push_back(row.sums.extra);
    }
    profile.stacks.push_back(sum);
    has_overflow_ = add_saturated(profile.count, row.sums.count) || has_overflow_;
    has_overflow_ = add_saturated(value, row.sums.value) || has_overflow_;
  }
  describe(profile, state, value);
  if (profile.sample_types.size() > 1 && state.unknown_values == 0) profile.value = value;
  sort_stacks(profile.stacks, *frame_ids_, frame_table_->size(), team);
  return profile;
}

void ProfileBuilder::describe(Profile& profile, const KindState& state, std::uint64_t value) const {
  const KindRow* row = find_kind(state.name);
  if (row == nullptr) {
    profile.sample_types.push_back({"samples", "count"});
    const std::string name = request_.value_field.empty() ? "duration" : request_.value_field;
    if (state.has_value) profile.sample_types.push_back({name, event_unit_});
  } else {
    profile.is_snapshot = row->description.is_snapshot;
    profile.sample_types = {row->count, row->value};
    if (!row->third.name.empty()) profile.sample_types.push_back(row->third);
    if (state.is_estimate && !row->estimate.empty()) {
      profile.sample_types[1].name = row->estimate;
    }
  }
  // Instant events of older JDKs have a duration of 0: nothing would be drawn.
  const bool is_exact = profile.sample_types.size() > 1 && state.unknown_values == 0 &&
                        !state.is_estimate && (row != nullptr || value > 0);
  profile.default_sample_type = is_exact ? 1 : 0;
}

}  // namespace jfrtree::internal
