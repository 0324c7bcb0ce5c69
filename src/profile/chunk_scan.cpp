#include "profile/chunk_scan.hpp"

#include <algorithm>
#include <numeric>

#include "format/value_reader.hpp"
#include "profile/event_value.hpp"
#include "profile/frame_names.hpp"
#include "profile/left_out_lanes.hpp"

namespace jfrtree::internal {

namespace {

/// Events decoded at a time; few enough that they stay in the first cache.
constexpr std::size_t batch_rows = 256;

}  // namespace

ChunkScan::ChunkScan(const ChunkContents& contents, const ProfileRequest& request, ScanDepth depth,
                     ScanPlanCache& plans, ProblemLog& log, StopFlag stop,
                     const SourceFilters* filters, std::uint64_t bucket_ns)
    : contents_(contents),
      request_(request),
      depth_(depth),
      plans_(plans),
      log_(log),
      stop_(stop),
      filters_(filters),
      has_stack_filters_(request.filters.has_stack_filters()),
      bucket_ns_(bucket_ns),
      has_groups_(request.frames.by_thread || bucket_ns > 0),
      facts_reader_(contents),
      rows_(batch_rows),
      counts_(contents.metadata().types().size(), 0) {
  if (filters != nullptr && request.filters.has_event_filters()) {
    filter_.emplace(contents, *filters);
  }
  bool has_default_state = false;
  if (depth != ScanDepth::counts) {
    const auto states = pool_texts(contents, "jdk.types.ThreadState");
    has_default_state = std::find(states.begin(), states.end(), "STATE_DEFAULT") != states.end();
    is_async_profiler_ = facts_reader_.is_async_profiler();
  }
  if (depth == ScanDepth::stacks) {
    if (const Type* type = contents.metadata().find("jdk.types.StackTrace")) {
      stack_index_ = &contents.pools.index(type->id);
      stack_count_ = static_cast<std::uint32_t>(stack_index_->size());
    }
  }
  if (request.leak) memory_.emplace(contents);
  plan_ = plans.get(contents, request, depth, facts_reader_, has_default_state, bucket_ns > 0);
  for (const PlannedEvent& event : plan_->events) {
    ways_.insert(ways_.end(), ways_per_event, make_way(event));
    active_.push_back({event});
  }
}

ChunkScan::DirectWay ChunkScan::make_way(const PlannedEvent& event) const {
  const EventPlan& plan = event.plan;
  const auto mask_of = [&plan](Slot slot) { return plan.fills(slot) ? ~std::uint64_t{0} : 0; };
  DirectWay way;
  way.tells_states = event.tells_states;
  const bool is_pending = plan.rule.value == ValueRule::period;
  const bool has_value = plan.rule.value != ValueRule::none && !is_pending;
  way.form = is_pending  ? LaneSums::Tag::pending
             : has_value ? LaneSums::Tag::known
                         : LaneSums::Tag::plain;
  way.lowest = has_value && plan.rule.value != ValueRule::field ? 1 : 0;
  way.stack_mask = depth_ == ScanDepth::stacks ? mask_of(slot_stack) : 0;
  way.class_mask = mask_of(slot_class);
  way.value_mask = has_value ? mask_of(slot_value) : 0;
  return way;
}

void ChunkScan::finish(std::uint64_t end) {
  report_lost_rest(contents_.info, contents_.info.bytes, end, log_);
  count_samples();
  event_count_ = std::accumulate(counts_.begin(), counts_.end(), findings_.unknown_types.count);
  facts_ = facts_reader_.finish(log_);
  // That the profiler wrote a chunk may be known by its settings alone.
  for (LaneResult& result : lanes_) {
    const bool is_sampler = result.lane.origin == SampleOrigin::jdk_sampler;
    if (facts_.is_async_profiler && is_sampler && result.lane.event == "jdk.ExecutionSample") {
      result.lane.origin = SampleOrigin::profiler_undecided;
    }
  }
  leave_out_alternatives(lanes_);
  leave_out_errors(*this);
  findings_.report(contents_.info, log_);
}

/// Scans the records of a range as `RecordRanges` hands them out, as many as can be by the batch
/// decoder. Returns where it stopped.
std::uint64_t ChunkScan::scan(std::span<const std::byte> bytes, std::uint64_t position,
                              std::uint64_t end) {
  const bool is_compressed = contents_.has_compressed_integers();
  Record record;
  while (position < end) {
    stop_.check();
    if (is_compressed) {
      const std::size_t count =
          decode_events(bytes, position, plan_->actions, rows_, counts_.data());
      add_rows(std::span(rows_).first(count));
      if (count == rows_.size()) continue;
    }
    if (!read_record(bytes, position, is_compressed, record)) break;
    record.offset += piece_begin_;
    visit(record);
    position += record.size;
  }
  return position;
}

void ChunkScan::visit(const Record& record) {
  if (record.type == metadata_record || record.type == checkpoint_record) return;
  const auto found = plan_->types.find(record.type);
  if (found == plan_->types.end()) {
    findings_.unknown_types.add(record.offset);
    return;
  }
  const ScanPlan::TypeEntry& entry = found->second;
  ++counts_[entry.position];
  if (memory_ && memory_->wants(record.type)) {
    if (!memory_->free(record)) findings_.overruns.add(record.offset);
  } else if (entry.is_fact) {
    facts_reader_.read(record);
  }
  if (entry.event != ScanPlan::no_event) decode_sample(active_[entry.event], record);
}

void ChunkScan::decode_sample(ActiveEvent& active, const Record& record) {
  auto verdict = EventFilter::Verdict::pass;
  if (filter_) verdict = filter_->judge(active.planned.filter_fields, record);
  const bool is_dropped = verdict == EventFilter::Verdict::fail;
  // Once the lane is there, nothing else of an event that is dropped matters, unless it is an
  // error: its class says which exceptions are left out.
  const bool is_error = is_dropped && active.plan().event == "jdk.JavaErrorThrow";
  if (is_dropped && active.lane != no_lane && !active.planned.tells_states && !is_error) return;
  Slots slots{};
  ByteReader reader(record.payload, contents_.has_compressed_integers());
  contents_.layouts().fetch(active.plan().program, reader, slots.data());
  if (reader.failed() || verdict == EventFilter::Verdict::unreadable) {
    findings_.overruns.add(record.offset);
  } else if (is_dropped) {
    (void)lane_of(active, slots);  // the recording has samples of the kind
    if (is_error) dropped_errors_.insert(active.plan().get(slots, slot_class));
  } else {
    add_sample(active, slots, record.offset);
  }
}

/// Stack trace id → ordinal as a table; without stacks all samples are those of ordinal 0.
PoolIndex::Table ChunkScan::stack_table() const noexcept {
  static constexpr std::uint32_t only_ordinal = 0;
  if (depth_ != ScanDepth::stacks) return {&only_ordinal, 1, 0};
  return stack_index_ == nullptr ? PoolIndex::Table{} : stack_index_->table();
}

void ChunkScan::add_rows(std::span<const EventRow> rows) {
  const PoolIndex::Table table = stack_table();
  const bool has_groups = depth_ == ScanDepth::stacks && has_groups_;
  for (const EventRow& row : rows) {
    DirectWay& way = way_of(row);
    if (way.is_ignored) {
      ++way.samples;
      continue;
    }
    const std::uint64_t value = row.slots[slot_value] & way.value_mask;
    const std::uint32_t ordinal = table.find(row.slots[slot_stack] & way.stack_mask);
    const std::uint64_t group = has_groups ? group_of(active_[row.plan], row.slots)
                                           : row.slots[slot_class] & way.class_mask;
    if (ordinal < way.entries.size() && value - way.lowest < direct_values &&
        way.entries[ordinal].add_one(LaneSums::Tag(group, way.form), value)) {
      ++way.samples;
    } else {
      add_other(way, row, group, value);
    }
  }
}

ChunkScan::DirectWay& ChunkScan::way_of(const EventRow& row) {
  DirectWay* const first = &ways_[row.plan * ways_per_event];
  return first->tells_states && !is_default_state(row.slots[slot_state]) ? first[1] : *first;
}

/// Adds a sample that is a stack's first, or of another group than its first one, or that needs
/// care.
void ChunkScan::add_other(DirectWay& way, const EventRow& row, std::uint64_t group,
                          std::uint64_t value) {
  const std::uint32_t ordinal =
      depth_ == ScanDepth::stacks ? known_stack(row.slots[slot_stack] & way.stack_mask) : 0;
  if (way.result == nullptr || ordinal == PoolIndex::none || value - way.lowest >= direct_values) {
    add_row_with_care(row);
    return;
  }
  ++way.samples;
  // Stack trace ids that are found by hash did not come by here before.
  const LaneSums::Tag tag(group, way.form);
  if (ordinal < way.entries.size() && way.entries[ordinal].add_one(tag, value)) return;
  LaneSums& sums = *way.result->sums;
  const std::uint64_t pending = way.form == LaneSums::Tag::pending ? 1 : 0;
  if (sums.add(ordinal, group, {1, value, pending, way.form == LaneSums::Tag::known})) {
    findings_.has_overflow = true;
  }
  way.entries = sums.entries();
}

/// Rows that are to be taken the short way lack what is needed for a second look only.
void ChunkScan::add_row_with_care(const EventRow& row) {
  ActiveEvent& active = active_[row.plan];
  Record record;
  if (active.planned.is_whole) {
    add_sample(active, row.slots, row.offset);
  } else if (read_record(contents_.bytes, row.offset, true, record)) {
    decode_sample(active, record);
  }
}

void ChunkScan::add_sample(ActiveEvent& active, const Slots& slots, std::uint64_t offset) {
  const EventPlan& plan = active.plan();
  std::uint64_t negatives = 0;
  const SampleValue sample = read_sample_value(plan, slots, contents_.info, negatives);
  if (negatives > 0) {
    const bool is_chosen = plan.rule.has_chosen_value;
    (is_chosen ? findings_.chosen_negatives : findings_.negatives).add(offset, negatives);
  }
  const std::uint32_t lane = lane_of(active, slots);
  LaneResult& result = lanes_[lane];
  if (active.planned.is_direct) {
    const auto event = static_cast<std::size_t>(&active - active_.data());
    DirectWay& way = ways_[event * ways_per_event + (lane == active.wall_lane ? 1 : 0)];
    // Unwanted values are still looked at one by one: a negative one is reported.
    if (result.is_wanted || way.form != LaneSums::Tag::known) way.result = &result;
    way.is_ignored = way.result != nullptr && !result.is_wanted;
  }
  if (!result.is_wanted) {
    ++result.lane.events;
    return;
  }
  const bool is_unknown = !sample.is_known && plan.rule.value != ValueRule::none;
  const std::uint64_t unknown_values = is_unknown ? sample.sums.count : 0;
  result.lane.unknown_values += unknown_values;
  add_to_lane(result, active, slots, sample.sums, unknown_values);
}

void ChunkScan::add_to_lane(LaneResult& result, ActiveEvent& active, const Slots& slots,
                            const SampleSums& sums, std::uint64_t unknown_values) {
  ++result.lane.events;
  std::uint32_t ordinal = 0;
  if (depth_ == ScanDepth::stacks) {
    ordinal = find_stack(active.plan().get(slots, slot_stack));
    if (ordinal == missing_stack()) ++findings_.missing_stacks;
  }
  const std::uint64_t group = group_of(active, slots);
  if (active.planned.is_held) {
    memory_->allocate(active.plan(), slots, ordinal, group, sums.value, sums.has_value);
    return;
  }
  if (result.sums->add(ordinal, group, sums)) findings_.has_overflow = true;
  if (has_stack_filters_) result.deviations.add(ordinal, group, sums.count, unknown_values);
}

FilterFindings ChunkScan::filter_findings() {
  if (!filter_) return {};
  const auto types = contents_.metadata().types();
  const auto is_read = [this](std::uint32_t lane) {
    return lane != no_lane && lanes_[lane].is_wanted;
  };
  for (const auto& [id, entry] : plan_->types) {
    if (entry.event == ScanPlan::no_event) continue;
    const ActiveEvent& active = active_[entry.event];
    if (!is_read(active.lane) && !is_read(active.wall_lane)) continue;
    filter_->note_type(types[entry.position], active.planned.filter_fields);
  }
  return filter_->findings();
}

bool ChunkScan::is_default_state(std::uint64_t key) {
  KnownState& known = known_states_[key % known_states_.size()];
  if (!known.is_set || known.key != key) known = {key, look_up_state(key), true};
  return known.is_default;
}

bool ChunkScan::look_up_state(std::uint64_t key) {
  const auto found = states_.find(key);
  if (found != states_.end()) return found->second;
  const Type* type = contents_.metadata().find("jdk.types.ThreadState");
  const bool is_default =
      type != nullptr &&
      ValueReader(contents_).constant(*type, ConstantKey{key}).text() == "STATE_DEFAULT";
  states_.emplace(key, is_default);
  return is_default;
}

std::uint32_t ChunkScan::lane_of(ActiveEvent& active, const Slots& slots) {
  if (active.planned.tells_states && !is_default_state(slots[slot_state])) {
    if (active.wall_lane == no_lane) {
      active.wall_lane = add_lane(active, SampleOrigin::profiler_wall, "wall");
    }
    return active.wall_lane;
  }
  if (active.lane == no_lane) {
    active.lane = add_lane(active, origin_of(active), active.plan().rule.kind);
  }
  return active.lane;
}

SampleOrigin ChunkScan::origin_of(const ActiveEvent& active) const {
  const EventRule& rule = active.plan().rule;
  if (rule.period == PeriodRule::wall) return SampleOrigin::profiler_wall;
  if (rule.period == PeriodRule::jdk_sampler) return SampleOrigin::jdk_sampler;
  if (rule.period != PeriodRule::execution_sample) return SampleOrigin::direct;
  if (active.planned.tells_states || rule.event != "jdk.ExecutionSample") {
    return SampleOrigin::profiler_cpu;
  }
  return is_async_profiler_ ? SampleOrigin::profiler_undecided : SampleOrigin::jdk_sampler;
}

std::uint32_t ChunkScan::add_lane(const ActiveEvent& active, SampleOrigin origin,
                                  std::string_view kind) {
  const EventRule& rule = active.plan().rule;
  LaneResult result;
  result.lane.kind = kind;
  result.lane.event = active.plan().event;
  result.lane.origin = origin;
  result.lane.alternative = rule.alternative;
  result.lane.has_value = rule.value != ValueRule::none;
  const KindRow* kind_row = find_kind(kind);
  result.lane.is_snapshot = kind_row != nullptr && kind_row->description.is_snapshot;
  result.lane.is_held = active.planned.is_held;
  result.lane.is_thrown = rule.is_thrown;
  if (active.planned.with_leaf) result.leaf = rule.leaf;
  const bool may_be_wall =
      rule.event == "jdk.ExecutionSample" && origin != SampleOrigin::profiler_cpu;
  result.is_wanted =
      is_wanted(request_.kinds, kind) || (may_be_wall && is_wanted(request_.kinds, "wall"));
  set_sums(result);
  lanes_.push_back(std::move(result));
  return static_cast<std::uint32_t>(lanes_.size() - 1);
}

/// Lanes whose values need nothing but adding are summed in one place: half the memory that is met
/// in any order. With filters on stacks the events of each lane have to be known by stack.
void ChunkScan::set_sums(LaneResult& result) const {
  const Lane& lane = result.lane;
  for (const LaneResult& other : lanes_) {
    const Lane& known = other.lane;
    const bool is_plain = !lane.is_snapshot && !lane.is_held && !lane.is_thrown;
    const bool is_direct = is_plain && !has_stack_filters_ && lane.origin == SampleOrigin::direct &&
                           known.origin == SampleOrigin::direct;
    if (is_direct && lane.has_value && known.has_value && lane.kind == known.kind &&
        lane.alternative == known.alternative && result.leaf == other.leaf) {
      result.sums = other.sums;
      result.shares_sums = true;
      return;
    }
  }
  result.sums = std::make_shared<LaneSums>(std::size_t{stack_count_} + 2);
}

std::uint64_t ChunkScan::group_of(ActiveEvent& active, const Slots& slots) {
  const EventPlan& plan = active.plan();
  const std::uint64_t leaf = plan.get(slots, slot_class);
  if (!has_groups_) return leaf;
  Group group{{leaf, plan.get(slots, slot_thread)}};
  if (bucket_ns_ > 0) {
    const std::uint64_t time = slots[plan.time_slot];
    group.bucket_start =
        active.clock.bucket_start(plan.time_field, time, contents_.info, bucket_ns_);
  }
  return group_number(group);
}

std::uint64_t ChunkScan::group_number(const Group& group) {
  // Most groups were met not long ago.
  std::uint32_t& known = known_groups_[group.place()];
  if (known < groups_.size() && groups_[known] == group) return known;
  const auto [found, is_new] = group_numbers_.emplace(std::pair(group.keys, group.bucket_start),
                                                      static_cast<std::uint32_t>(groups_.size()));
  if (is_new) groups_.push_back(group);
  return known = found->second;
}

}  // namespace jfrtree::internal
