#include "profile/scan_plan.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "format/record_walk.hpp"
#include "profile/memory_scan.hpp"

namespace jfrtree::internal {

namespace {

[[nodiscard]] bool has_nanosecond_clock(const ChunkInfo& chunk) noexcept {
  return chunk.header.ticks_per_second == 1'000'000'000;
}

/// Whether the value of an event is the number of its field as it stands, unless it is 0 or a
/// sentinel.
[[nodiscard]] bool has_plain_value(const EventPlan& plan, const ChunkInfo& chunk) {
  const ValueRule rule = plan.rule.value;
  const bool is_plain_ticks = plan.value == Conversion::ticks && has_nanosecond_clock(chunk);
  return (plan.value == Conversion::none || is_plain_ticks) &&
         (rule == ValueRule::field || rule == ValueRule::field_or_other ||
          rule == ValueRule::field_or_period);
}

/// Whether events of a rule are to be looked at. Those of `jdk.ExecutionSample` always are: only
/// their states and settings tell of which kind they are, which a message about a kind that is not
/// there has to say.
[[nodiscard]] bool is_looked_at(const EventRule& rule, const std::vector<std::string>& kinds) {
  return is_wanted(kinds, rule.kind) || rule.event == "jdk.ExecutionSample";
}

class PlanMaker {
 public:
  PlanMaker(const ChunkContents& contents, const ProfileRequest& request, ScanDepth depth,
            const FactsReader& facts, bool has_default_state, bool with_time)
      : contents_(contents),
        request_(request),
        depth_(depth),
        facts_(facts),
        has_default_state_(has_default_state),
        with_time_(with_time) {}

  [[nodiscard]] ScanPlan run() {
    const auto types = contents_.metadata().types();
    plan_.types.reserve(types.size());
    for (std::uint32_t i = 0; i < types.size(); ++i) {
      ScanPlan::TypeEntry entry{i, ScanPlan::no_event,
                                facts_.wants(types[i].id) || is_free(types[i])};
      if (depth_ != ScanDepth::counts) entry.event = plan_event(types[i]);
      plan_.types[raw(types[i].id)] = entry;
      set_action(types[i], entry);
    }
    return std::move(plan_);
  }

 private:
  [[nodiscard]] bool is_free(const Type& type) const {
    return request_.leak && normalized_type_name(type.name) == free_event;
  }

  [[nodiscard]] std::optional<EventRule> rule_of(const Type& type) {
    std::optional<EventRule> rule;
    const std::string name = normalized_type_name(type.name);
    if (request_.event.empty()) {
      const EventRule* found = find_rule(name);
      if (found != nullptr && is_looked_at(*found, request_.kinds)) rule = *found;
    } else if (name == normalized_type_name(request_.event) && has_stack_trace(type)) {
      check_value_field(contents_.metadata(), type, request_);
      rule = event_request_rule(type, request_);
      const int value = type.field_index(rule->value_field);
      if (value >= 0) plan_.event_unit = unit_of(type.fields[static_cast<std::size_t>(value)]);
    }
    return rule;
  }

  [[nodiscard]] std::uint32_t plan_event(const Type& type) {
    const std::optional<EventRule> rule = rule_of(type);
    if (!rule) return ScanPlan::no_event;
    const bool is_by_stack = depth_ == ScanDepth::stacks;
    PlannedEvent event;
    event.with_leaf = is_by_stack && !rule->leaf_field.empty() &&
                      request_.frames.class_leaf.value_or(request_.event.empty());
    event.is_held = request_.leak && rule->kind == "native-mem";
    PlanRequest wanted;
    // Classes of exceptions say which of them are counted as errors.
    wanted.with_leaf = event.with_leaf || rule->is_thrown;
    wanted.with_thread = is_by_stack && request_.frames.by_thread;
    wanted.with_address = event.is_held;
    wanted.with_time = with_time_;
    auto plan = make_plan(contents_, type, *rule, wanted);
    if (!plan) return ScanPlan::no_event;
    event.tells_states = rule->event == "jdk.ExecutionSample" && plan->fills(slot_state) &&
                         has_default_state_ && request_.event.empty();
    const bool has_no_value = rule->value == ValueRule::none || rule->value == ValueRule::period;
    event.is_direct = !has_event_filters() && !event.is_held && plan->count == Conversion::absent &&
                      (has_no_value || has_plain_value(*plan, contents_.info));
    event.is_whole = !event.is_direct || !plan->fills(slot_other);
    if (has_event_filters()) {
      event.filter_fields = find_filter_fields(contents_, type, request_.filters);
    }
    event.plan = std::move(*plan);
    plan_.events.push_back(std::move(event));
    return static_cast<std::uint32_t>(plan_.events.size() - 1);
  }

  /// What the batch decoder does with the events of a type; what it cannot do is left to the scan.
  void set_action(const Type& type, const ScanPlan::TypeEntry& entry) {
    const std::uint64_t id = raw(type.id);
    EventAction action;
    IntegerLayout layout;
    if (entry.is_fact || id == metadata_record || id == checkpoint_record) {
      plan_.actions.set(id, action);
      return;
    }
    action.counter = entry.position;
    action.plan = entry.event;
    if (entry.event == ScanPlan::no_event) {
      action.kind = EventAction::Kind::count;
      plan_.actions.set(id, action);
      return;
    }
    const PlannedEvent& event = plan_.events[entry.event];
    const DecodeProgram& program = event.is_direct ? event.plan.short_program : event.plan.program;
    if (!has_event_filters() &&
        to_integer_layout(program, contents_.has_compressed_integers(), layout)) {
      action.kind = EventAction::Kind::take;
    }
    plan_.actions.set(id, action, layout);
  }

  [[nodiscard]] bool has_event_filters() const noexcept {
    return request_.filters.has_event_filters();
  }

  const ChunkContents& contents_;
  const ProfileRequest& request_;
  ScanDepth depth_;
  const FactsReader& facts_;
  bool has_default_state_;
  bool with_time_;
  ScanPlan plan_;
};

}  // namespace

std::shared_ptr<const ScanPlan> ScanPlanCache::get(const ChunkContents& contents,
                                                   const ProfileRequest& request, ScanDepth depth,
                                                   const FactsReader& facts, bool has_default_state,
                                                   bool with_time) {
  const bool is_nanoseconds = has_nanosecond_clock(contents.info);
  {
    const std::lock_guard lock(mutex_);
    for (const Entry& entry : entries_) {
      if (entry.types == contents.types && entry.depth == depth &&
          entry.has_default_state == has_default_state &&
          entry.has_nanosecond_clock == is_nanoseconds) {
        return entry.plan;
      }
    }
  }
  auto plan = std::make_shared<const ScanPlan>(
      PlanMaker(contents, request, depth, facts, has_default_state, with_time).run());
  const std::lock_guard lock(mutex_);
  if (entries_.size() == max_entries) entries_.erase(entries_.begin());
  entries_.push_back({contents.types, depth, has_default_state, is_nanoseconds, plan});
  return plan;
}

}  // namespace jfrtree::internal
