#include "profile/chunk_scan.hpp"

#include <algorithm>
#include <bit>
#include <map>

#include "format/value_reader.hpp"
#include "profile/frame_namer.hpp"

namespace jfrtree::internal {

namespace {

/// Type ids below this are looked up in a table.
constexpr std::uint64_t max_table_id = 1 << 14;
constexpr std::uint32_t undeclared = ~std::uint32_t{0};

/// Whether events of a rule are to be looked at. Those of `jdk.ExecutionSample` always are: only
/// their states and settings tell of which kind they are, which a message about a kind that is not
/// there has to say.
[[nodiscard]] bool is_looked_at(const EventRule& rule, const std::vector<std::string>& kinds) {
  return is_wanted(kinds, rule.kind) || rule.event == "jdk.ExecutionSample";
}

}  // namespace

ChunkScan::ChunkScan(const ChunkContents& contents, const ProfileRequest& request, ScanDepth depth,
                     ProblemLog& log)
    : contents_(contents),
      request_(request),
      depth_(depth),
      log_(log),
      facts_reader_(contents),
      counts_(contents.metadata().types().size(), 0) {
  if (depth != ScanDepth::counts) {
    const auto states = pool_texts(contents, "jdk.types.ThreadState");
    has_default_state_ = std::find(states.begin(), states.end(), "STATE_DEFAULT") != states.end();
    is_async_profiler_ = facts_reader_.is_async_profiler();
  }
  if (depth == ScanDepth::stacks) {
    if (const Type* type = contents.metadata().find("jdk.types.StackTrace")) {
      stack_index_ = &contents.pools.index(type->id);
      stack_count_ = static_cast<std::uint32_t>(stack_index_->size());
    }
  }
  prepare_types();
}

void ChunkScan::prepare_types() {
  type_table_.assign(max_table_id, TypeEntry{undeclared, no_lane, false});
  const auto types = contents_.metadata().types();
  for (std::uint32_t i = 0; i < types.size(); ++i) {
    TypeEntry entry{i, no_lane, facts_reader_.wants(types[i].id)};
    if (depth_ != ScanDepth::counts) prepare_plan(types[i], entry);
    const std::uint64_t id = raw(types[i].id);
    if (id < max_table_id) {
      type_table_[id] = entry;
    } else {
      type_map_[id] = entry;
    }
  }
}

void ChunkScan::prepare_plan(const Type& type, TypeEntry& entry) {
  const std::string name = normalized_type_name(type.name);
  std::optional<EventRule> rule;
  if (!request_.event.empty()) {
    if (name == normalized_type_name(request_.event) && has_stack_trace(type)) {
      rule = event_request_rule(type, request_);
      const int value = type.field_index(rule->value_field);
      if (value >= 0) event_unit_ = unit_of(type.fields[static_cast<std::size_t>(value)]);
    }
  } else {
    for (const EventRule& candidate : event_rules()) {
      if (candidate.event == name && is_looked_at(candidate, request_.kinds)) rule = candidate;
    }
  }
  if (!rule) return;
  const bool with_class =
      !rule->class_field.empty() && request_.frames.class_leaf.value_or(request_.event.empty());
  const bool is_by_stack = depth_ == ScanDepth::stacks;
  auto plan = make_plan(contents_, type, *rule,
                        {is_by_stack && with_class, is_by_stack && request_.frames.by_thread});
  if (!plan) return;
  if (!request_.value_field.empty() && plan->value == Conversion::absent) {
    throw UsageError("the field " + request_.value_field + " of " + request_.event +
                     " is no number");
  }
  entry.plan = static_cast<std::uint32_t>(plans_.size());
  const Slots defaults = plan->defaults;
  plans_.push_back({std::move(*plan), defaults, is_by_stack && with_class, no_lane, no_lane});
}

const ChunkScan::TypeEntry* ChunkScan::find_type(std::uint64_t type) const noexcept {
  if (type < max_table_id) {
    const TypeEntry& entry = type_table_[type];
    return entry.position == undeclared ? nullptr : &entry;
  }
  const auto found = type_map_.find(type);
  return found == type_map_.end() ? nullptr : &found->second;
}

void ChunkScan::run() {
  const std::uint64_t end = walk_records(contents_.bytes, contents_.has_compressed_integers(),
                                         [this](const Record& record) { visit(record); });
  if (end < contents_.bytes.size() && contents_.info.state != ChunkState::truncated) {
    log_.problem(ErrorCode::bad_event, contents_.info.offset + end,
                 "a record whose size cannot be right; the rest of the chunk is lost");
  }
  facts_ = facts_reader_.finish(log_);
  choose_alternatives();
  report();
}

void ChunkScan::visit(const Record& record) {
  if (record.type == metadata_record || record.type == checkpoint_record) return;
  ++event_count_;
  const TypeEntry* entry = find_type(record.type);
  if (entry == nullptr) {
    if (unknown_types_++ == 0) first_unknown_type_ = record.offset;
    return;
  }
  ++counts_[entry->position];
  if (entry->is_fact) facts_reader_.read(record);
  if (entry->plan != no_lane) add_sample(plans_[entry->plan], record);
}

void ChunkScan::add_sample(ActivePlan& active, const Record& record) {
  const EventPlan& plan = active.plan;
  ByteReader reader(record.payload, contents_.has_compressed_integers());
  contents_.layouts().fetch(plan.program, reader, active.slots.data());
  if (reader.failed()) {
    if (overruns_++ == 0) first_overrun_ = record.offset;
    active.slots = plan.defaults;
    return;
  }
  const std::uint64_t negative_before = negative_values_;
  SampleSums sums;
  sums.count = plan.count == Conversion::absent
                   ? 1
                   : number(plan, active.slots, slot_count, plan.count).value_or(1);
  const bool is_known = read_value(plan, active.slots, sums);
  if (negative_values_ > negative_before && negative_before == 0) first_negative_ = record.offset;
  LaneResult& result = lanes_[lane_of(active)];
  ++result.lane.events;
  if (!result.is_wanted) return;
  if (!is_known && plan.rule.value != ValueRule::none) result.lane.unknown_values += sums.count;
  const bool is_by_stack = depth_ == ScanDepth::stacks;
  const std::uint32_t ordinal = is_by_stack ? ordinal_of(active.slots[slot_stack]) : 0;
  const std::uint64_t group = is_by_stack ? group_of(active) : 0;
  has_overflow_ = result.sums.at(ordinal, group).add(sums) || has_overflow_;
}

std::optional<std::uint64_t> ChunkScan::number(const EventPlan& plan, const Slots& slots, Slot slot,
                                               Conversion conversion) {
  bool is_negative = false;
  const std::uint8_t bytes = slot == slot_value ? plan.value_bytes : 8;
  const auto result = convert_number(slots[slot], conversion, bytes, contents_.info, is_negative);
  if (is_negative) ++negative_values_;
  return result;
}

/// Sets the value of one event; false when it is not available.
bool ChunkScan::read_value(const EventPlan& plan, const Slots& slots, SampleSums& sums) {
  std::optional<std::uint64_t> value;
  switch (plan.rule.value) {
    case ValueRule::none:
      return false;
    case ValueRule::period:
      sums.pending = sums.count;
      return true;
    case ValueRule::field:
    case ValueRule::field_or_other:
    case ValueRule::field_or_period:
      if (plan.value != Conversion::absent) value = number(plan, slots, slot_value, plan.value);
      // A duration that the type lacks is no time; a size that it lacks is unknown.
      if (plan.value == Conversion::absent && plan.rule.value_field == "duration") value = 0;
      break;
    case ValueRule::field_times_other: {
      const bool is_there = plan.value != Conversion::absent && plan.other == Conversion::floating;
      const double weight = is_there ? std::bit_cast<double>(slots[slot_other]) : 1.0;
      bool is_negative = false;
      if (plan.value != Conversion::absent) {
        const auto size = number(plan, slots, slot_value, plan.value);
        if (size) value = round_number(static_cast<double>(*size) * weight, is_negative);
      }
      if (is_negative) ++negative_values_;
      break;
    }
  }
  const bool is_zero = value.value_or(0) == 0;
  if (plan.rule.value == ValueRule::field_or_other && is_zero && plan.other != Conversion::absent) {
    value = number(plan, slots, slot_other, plan.other);
  }
  if (plan.rule.value == ValueRule::field_or_period && is_zero) {
    sums.pending = sums.count;
    return true;
  }
  if (!value) return false;
  sums.value = *value;
  sums.has_value = true;
  return true;
}

bool ChunkScan::is_default_state(std::uint64_t key) {
  const auto found = states_.find(key);
  if (found != states_.end()) return found->second;
  const Type* type = contents_.metadata().find("jdk.types.ThreadState");
  const bool is_default =
      type != nullptr &&
      ValueReader(contents_).constant(*type, ConstantKey{key}).text() == "STATE_DEFAULT";
  states_.emplace(key, is_default);
  return is_default;
}

std::uint32_t ChunkScan::lane_of(ActivePlan& active) {
  const EventRule& rule = active.plan.rule;
  const bool tells_states = rule.event == "jdk.ExecutionSample" && active.plan.has_state &&
                            has_default_state_ && request_.event.empty();
  if (tells_states && !is_default_state(active.slots[slot_state])) {
    if (active.wall_lane == no_lane) {
      active.wall_lane = add_lane(active, SampleOrigin::profiler_wall, "wall");
    }
    return active.wall_lane;
  }
  if (active.lane != no_lane) return active.lane;
  SampleOrigin origin = SampleOrigin::direct;
  if (rule.period == PeriodRule::wall) origin = SampleOrigin::profiler_wall;
  if (rule.period == PeriodRule::execution_sample) {
    origin = tells_states || rule.event != "jdk.ExecutionSample" ? SampleOrigin::profiler_cpu
             : is_async_profiler_                                ? SampleOrigin::profiler_undecided
                                                                 : SampleOrigin::jdk_sampler;
  }
  return active.lane = add_lane(active, origin, rule.kind);
}

std::uint32_t ChunkScan::add_lane(const ActivePlan& active, SampleOrigin origin,
                                  std::string_view kind) {
  const EventRule& rule = active.plan.rule;
  LaneResult result;
  result.lane.kind = kind;
  result.lane.event = active.plan.event;
  result.lane.origin = origin;
  result.lane.alternative = rule.alternative;
  result.lane.has_value = rule.value != ValueRule::none;
  result.with_class = active.with_class;
  const bool may_be_wall = origin == SampleOrigin::profiler_undecided;
  result.is_wanted =
      is_wanted(request_.kinds, kind) || (may_be_wall && is_wanted(request_.kinds, "wall"));
  lanes_.push_back(std::move(result));
  return static_cast<std::uint32_t>(lanes_.size() - 1);
}

std::uint32_t ChunkScan::ordinal_of(std::uint64_t stack) {
  const std::uint32_t ordinal =
      stack_index_ == nullptr ? PoolIndex::none : stack_index_->find(stack);
  if (ordinal != PoolIndex::none) return ordinal;
  if (stack == 0) return no_stack();
  ++missing_stacks_;
  return missing_stack();
}

std::uint64_t ChunkScan::group_of(const ActivePlan& active) {
  const std::uint64_t leaf = active.with_class ? active.slots[slot_class] : 0;
  if (!request_.frames.by_thread) return leaf;
  const std::pair<std::uint64_t, std::uint64_t> key(leaf, active.slots[slot_thread]);
  const auto found = group_numbers_.find(key);
  if (found != group_numbers_.end()) return found->second;
  groups_.push_back(key);
  group_numbers_.emplace(key, static_cast<std::uint32_t>(groups_.size() - 1));
  return groups_.size() - 1;
}

void ChunkScan::choose_alternatives() {
  std::map<std::string, std::uint8_t> lowest;
  for (const LaneResult& result : lanes_) {
    const auto [found, is_new] = lowest.emplace(result.lane.kind, result.lane.alternative);
    found->second = std::min(found->second, result.lane.alternative);
  }
  for (LaneResult& result : lanes_) {
    result.is_left_out = result.lane.alternative > lowest[result.lane.kind];
  }
}

void ChunkScan::report() {
  const std::uint64_t start = contents_.info.offset;
  if (unknown_types_ > 0) {
    log_.note(ErrorCode::unknown_event_type, start + first_unknown_type_,
              "events of types that the metadata does not declare; they were skipped",
              unknown_types_);
  }
  if (overruns_ > 0) {
    log_.problem(ErrorCode::bad_event, start + first_overrun_,
                 "events whose fields do not fit into their size; they are lost", overruns_);
  }
  if (negative_values_ > 0) {
    log_.problem(ErrorCode::value_out_of_range, start + first_negative_,
                 "negative sizes, counts or durations; they count as 0", negative_values_);
  }
  if (missing_stacks_ > 0) {
    log_.note(ErrorCode::missing_constant, start,
              "samples whose stack trace the chunk does not define; their stack reads ?",
              missing_stacks_);
  }
  if (has_overflow_) {
    log_.problem(ErrorCode::value_out_of_range, start,
                 "a sum is larger than 64 bits; it stays at the largest number");
  }
}

}  // namespace jfrtree::internal
