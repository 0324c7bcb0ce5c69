#include "profile/kinds.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace jfrtree {

namespace internal {

namespace {

using enum ValueRule;

const std::array<KindRow, 6>& rows() {
  static const std::array<KindRow, 6> kinds = {{
      {{"cpu", "running Java and native code: samples, time by the sampling period", false, false},
       {"samples", "count"},
       {"cpu", "nanoseconds"},
       "estimated_cpu"},
      {{"cpu-time", "CPU time by jdk.CPUTimeSample: samples, exact CPU time", false, false},
       {"samples", "count"},
       {"cpu", "nanoseconds"}},
      {{"wall", "wall clock samples of all threads: samples, time", false, false},
       {"samples", "count"},
       {"wall", "nanoseconds"}},
      {{"alloc", "allocations: events, bytes; the class is the leaf", false, true},
       {"alloc_objects", "count"},
       {"alloc_space", "bytes"}},
      {{"lock", "contended monitors: events, time blocked; the monitor's class is the leaf", false,
        true},
       {"contentions", "count"},
       {"delay", "nanoseconds"}},
      {{"park", "parked threads: events, time parked; the class parked on is the leaf", false,
        true},
       {"parks", "count"},
       {"delay", "nanoseconds"}},
  }};
  return kinds;
}

constexpr std::array<EventRule, 11> rules = {{
    {.event = "jdk.ExecutionSample",
     .kind = "cpu",
     .value = period,
     .period = PeriodRule::execution_sample},
    {.event = "datadog.ExecutionSample",
     .kind = "cpu",
     .value = period,
     .count_field = "weight",
     .period = PeriodRule::execution_sample},
    {.event = "jdk.CPUTimeSample",
     .kind = "cpu-time",
     .value = field,
     .value_field = "samplingPeriod"},
    {.event = "profiler.WallClockSample",
     .kind = "wall",
     .value = field_or_period,
     .value_field = "timeSpan",
     .count_field = "samples",
     .period = PeriodRule::wall},
    {.event = "datadog.MethodSample",
     .kind = "wall",
     .value = period,
     .count_field = "weight",
     .period = PeriodRule::wall},
    {.event = "jdk.ObjectAllocationInNewTLAB",
     .kind = "alloc",
     .alternative = 0,
     .value = field_or_other,
     .value_field = "tlabSize",
     .other_field = "allocationSize",
     .class_field = "objectClass"},
    {.event = "jdk.ObjectAllocationOutsideTLAB",
     .kind = "alloc",
     .alternative = 0,
     .value = field,
     .value_field = "allocationSize",
     .class_field = "objectClass"},
    {.event = "jdk.ObjectAllocationSample",
     .kind = "alloc",
     .alternative = 1,
     .value = field,
     .value_field = "weight",
     .class_field = "objectClass"},
    {.event = "datadog.ObjectSample",
     .kind = "alloc",
     .alternative = 2,
     .value = field_times_other,
     .value_field = "size",
     .other_field = "weight",
     .class_field = "objectClass"},
    {.event = "jdk.JavaMonitorEnter",
     .kind = "lock",
     .value = field,
     .value_field = "duration",
     .class_field = "monitorClass"},
    {.event = "jdk.ThreadPark",
     .kind = "park",
     .value = field,
     .value_field = "duration",
     .class_field = "parkedClass"},
}};

}  // namespace

std::span<const KindRow> kind_rows() noexcept { return rows(); }

const KindRow* find_kind(std::string_view name) noexcept {
  for (const KindRow& row : rows()) {
    if (row.description.name == name) return &row;
  }
  return nullptr;
}

std::span<const EventRule> event_rules() noexcept { return rules; }

bool is_wanted(std::span<const std::string> kinds, std::string_view kind) noexcept {
  return kinds.empty() || std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

}  // namespace internal

std::span<const ProfileKindDescription> profile_kinds() noexcept {
  static const std::vector<ProfileKindDescription> descriptions = [] {
    std::vector<ProfileKindDescription> result;
    for (const internal::KindRow& row : internal::kind_rows()) result.push_back(row.description);
    return result;
  }();
  return descriptions;
}

}  // namespace jfrtree
