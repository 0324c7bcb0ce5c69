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
  kinds_.push_back({std::string(kind), {}, 0, 0, false, false, false});
  return static_cast<std::uint32_t>(kinds_.size() - 1);
}

ProfileBuilder::Target ProfileBuilder::target_of(const Lane& lane, std::size_t chunk) {
  Target target;
  target.event = lane.event;
  target.meaning = meaning_of(lane, facts_[chunk].settings);
  if (target.meaning.is_complete) {
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
  state.is_present = true;
  state.events[lane.event] += lane.events;
  state.event_count += lane.events;
  state.unknown_values += lane.unknown_values;
  state.has_value = state.has_value || lane.has_value;
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
  if (sums.pending == 0) return sums;
  if (meaning.period_ns) {
    std::uint64_t value = 0;
    if (__builtin_mul_overflow(sums.pending, *meaning.period_ns, &value)) {
      value = ~std::uint64_t{0};
      has_overflow_ = true;
    }
    has_overflow_ = add_saturated(sums.value, value) || has_overflow_;
    sums.has_value = true;
  } else {
    kinds_[kind].unknown_values += sums.pending;
  }
  sums.pending = 0;
  return sums;
}

ProfileBuilder::Targets ProfileBuilder::add(const ChunkProfile& chunk) {
  const std::lock_guard lock(mutex_);
  const std::size_t number = facts_.size();
  facts_.push_back(chunk.facts);
  Targets targets{{}, chunk.facts.file_name};
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
  if (stacks_.frames().size() > limits_.profile_frames) {
    throw_limit("the stacks", "profile_frames", targets.file_name);
  }
  return true;
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

/// Positions of the chunks in the order of time.
std::vector<std::size_t> ProfileBuilder::chunks_by_time() const {
  std::vector<std::size_t> order(facts_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) {
    const auto when = [this](std::size_t chunk) {
      const ChunkFacts& facts = facts_[chunk];
      return std::tuple(facts.info.header.start_ns, facts.file, facts.info.number);
    };
    return when(a) < when(b);
  });
  return order;
}

void ProfileBuilder::note_repeated_chunks(const std::vector<std::size_t>& by_time) {
  std::map<std::tuple<std::int64_t, std::int64_t, std::uint64_t, std::uint64_t>, std::size_t> first;
  for (const std::size_t chunk : by_time) {  // equal times: in the order of files and chunks
    const ChunkFacts& facts = facts_[chunk];
    const ChunkHeader& header = facts.info.header;
    const auto [found, is_new] = first.emplace(
        std::tuple(header.start_ns, header.start_ticks, header.size, header.checkpoint_offset),
        chunk);
    if (is_new) continue;
    const ChunkFacts& other = facts_[found->second];
    Problem note;
    note.code = ErrorCode::repeated_chunk;
    note.severity = Severity::note;
    note.file = facts.file_name;
    note.chunk = facts.info.number;
    note.offset = facts.info.offset;
    note.message = "the same chunk is also chunk " + std::to_string(other.info.number) + " of " +
                   other.file_name + "; both are counted";
    problems_.push_back(std::move(note));
  }
  std::stable_sort(problems_.begin(), problems_.end(), [](const Problem& a, const Problem& b) {
    return std::tie(a.file, a.chunk) < std::tie(b.file, b.chunk);
  });
}

/// The process of each chunk: its own word, else that of the nearest chunk before it in the file
/// that names one, else of the first that does. Not by time: the chunks of two recordings that were
/// joined stand behind each other, but may overlap in time.
std::vector<std::optional<ProcessId>> ProfileBuilder::processes() const {
  std::vector<std::size_t> by_place(facts_.size());
  std::iota(by_place.begin(), by_place.end(), std::size_t{0});
  std::sort(by_place.begin(), by_place.end(), [this](std::size_t a, std::size_t b) {
    return std::pair(facts_[a].file, facts_[a].info.number) <
           std::pair(facts_[b].file, facts_[b].info.number);
  });
  std::map<std::size_t, ProcessId> current;  // by file
  for (std::size_t i = by_place.size(); i-- > 0;) {
    const ChunkFacts& facts = facts_[by_place[i]];
    if (facts.process) current[facts.file] = *facts.process;
  }
  std::vector<std::optional<ProcessId>> found(facts_.size());
  for (const std::size_t chunk : by_place) {
    const ChunkFacts& facts = facts_[chunk];
    if (facts.process) current[facts.file] = *facts.process;
    const auto process = current.find(facts.file);
    if (process != current.end()) found[chunk] = process->second;
  }
  return found;
}

/// The settings of each chunk, with those it lacks from the latest earlier chunk of its process.
std::vector<Settings> ProfileBuilder::effective_settings(
    const std::vector<std::size_t>& by_time) const {
  const auto process = processes();
  std::map<std::pair<std::optional<ProcessId>, std::size_t>, Settings> current;
  std::vector<Settings> found(facts_.size());
  for (const std::size_t chunk : by_time) {
    // Without a process one file is one process.
    const std::size_t file = process[chunk] ? 0 : facts_[chunk].file;
    Settings& settings = current[{process[chunk], file}];
    for (const auto& [key, value] : facts_[chunk].settings) settings[key] = value;
    found[chunk] = settings;
  }
  return found;
}

void ProfileBuilder::resolve_pending() {
  const std::vector<std::size_t> by_time = chunks_by_time();
  note_repeated_chunks(by_time);
  if (pending_.empty()) return;
  const std::vector<Settings> settings = effective_settings(by_time);
  std::vector<Target> targets;
  for (const PendingLane& pending : pending_) {
    Target target;
    target.meaning = meaning_of(pending.lane, settings[pending.chunk]);
    target.lane = kind_lane(target.meaning.kind);
    count_lane(target.lane, pending.lane, target.meaning);
    targets.push_back(target);
  }
  const std::size_t rows = stacks_.rows().size();
  for (std::size_t i = 0; i < rows; ++i) {
    const StackTable::Row row = stacks_.rows()[i];
    if (row.lane < first_pending) continue;
    const Target& target = targets[row.lane - first_pending];
    const SampleSums sums = resolve(row.sums, target.lane, target.meaning);
    has_overflow_ = stacks_.move(i, target.lane, sums) || has_overflow_;
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
  std::uint64_t value = 0;
  const auto rows = std::count_if(stacks_.rows().begin(), stacks_.rows().end(),
                                  [kind](const StackTable::Row& row) { return row.lane == kind; });
  reserve_large(profile.stacks, static_cast<std::size_t>(rows));
  for (const StackTable::Row& row : stacks_.rows()) {
    if (row.lane != kind) continue;
    profile.stacks.push_back(
        {row.first_frame, row.frame_count, row.sums.has_value, row.sums.count, row.sums.value});
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
