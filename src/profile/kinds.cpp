#include "profile/kinds.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace jfrtree {

namespace internal {

namespace {

using enum ValueRule;

const std::array<KindRow, 15>& rows() {
  static const std::array<KindRow, 15> kinds = {{
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
      {{"native", "threads in native methods, most of them waiting: samples, estimated time", false,
        false},
       {"samples", "count"},
       {"estimated_cpu", "nanoseconds"}},
      {{"live", "sampled objects that were alive at the end: objects, bytes; the class is the leaf",
        true, true},
       {"inuse_objects", "count"},
       {"inuse_space", "bytes"}},
      {{"park", "parked threads: events, time parked; the class parked on is the leaf", false,
        true},
       {"parks", "count"},
       {"delay", "nanoseconds"}},
      {{"native-lock", "contended locks of native code: events, time blocked", false, false},
       {"contentions", "count"},
       {"delay", "nanoseconds"}},
      {{"native-mem", "memory taken by native code (malloc): calls, bytes", false, false},
       {"malloc_calls", "count"},
       {"malloc_space", "bytes"}},
      {{"wait", "Object.wait and Thread.sleep: events, time; the monitor's class is the leaf",
        false, true},
       {"waits", "count"},
       {"delay", "nanoseconds"}},
      {{"io", "files and sockets: operations, time, bytes read and written", false, false},
       {"operations", "count"},
       {"io", "nanoseconds"},
       {},
       {"io_bytes", "bytes"}},
      {{"exceptions", "exceptions and errors thrown: events; the class thrown is the leaf", false,
        true},
       {"samples", "count"},
       {"exceptions", "count"}},
      {{"method-trace", "calls of traced methods: calls, time; the method is the leaf", false,
        true},
       {"calls", "count"},
       {"duration", "nanoseconds"}},
      {{"pinned", "virtual threads that blocked their carrier: events, time", false, false},
       {"pins", "count"},
       {"delay", "nanoseconds"}},
  }};
  return kinds;
}

constexpr EventRule io(std::string_view event, std::string_view bytes) {
  return {.event = event,
          .kind = "io",
          .value = field_and_other,
          .value_field = "duration",
          .other_field = bytes};
}

constexpr EventRule thrown(std::string_view event) {
  return {.event = event,
          .kind = "exceptions",
          .value = count,
          .leaf_field = "thrownClass",
          .is_thrown = true};
}

constexpr std::array<EventRule, 28> rules = {{
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
     .leaf_field = "objectClass"},
    {.event = "jdk.ObjectAllocationOutsideTLAB",
     .kind = "alloc",
     .alternative = 0,
     .value = field,
     .value_field = "allocationSize",
     .leaf_field = "objectClass"},
    {.event = "jdk.ObjectAllocationSample",
     .kind = "alloc",
     .alternative = 1,
     .value = field,
     .value_field = "weight",
     .leaf_field = "objectClass"},
    {.event = "datadog.ObjectSample",
     .kind = "alloc",
     .alternative = 2,
     .value = field_times_other,
     .value_field = "size",
     .other_field = "weight",
     .leaf_field = "objectClass"},
    {.event = "jdk.JavaMonitorEnter",
     .kind = "lock",
     .value = field,
     .value_field = "duration",
     .leaf_field = "monitorClass"},
    {.event = "jdk.ThreadPark",
     .kind = "park",
     .value = field,
     .value_field = "duration",
     .leaf_field = "parkedClass"},
    {.event = "jdk.NativeMethodSample",
     .kind = "native",
     .value = period,
     .period = PeriodRule::jdk_sampler},
    {.event = "profiler.LiveObject",
     .kind = "live",
     .value = field,
     .value_field = "allocationSize",
     .leaf_field = "objectClass"},
    {.event = "jdk.OldObjectSample",
     .kind = "live",
     .value = field,
     .value_field = "objectSize",
     .leaf_field = "object",
     .leaf = LeafRule::old_object},
    {.event = "datadog.HeapLiveObject",
     .kind = "live",
     .value = field_times_other,
     .value_field = "size",
     .other_field = "weight",
     .leaf_field = "objectClass"},
    {.event = "profiler.NativeLock",
     .kind = "native-lock",
     .value = field,
     .value_field = "duration"},
    {.event = "profiler.Malloc", .kind = "native-mem", .value = field, .value_field = "size"},
    {.event = "jdk.JavaMonitorWait",
     .kind = "wait",
     .value = field,
     .value_field = "duration",
     .leaf_field = "monitorClass"},
    {.event = "jdk.ThreadSleep", .kind = "wait", .value = field, .value_field = "duration"},
    io("jdk.SocketRead", "bytesRead"),
    io("jdk.SocketWrite", "bytesWritten"),
    io("jdk.FileRead", "bytesRead"),
    io("jdk.FileWrite", "bytesWritten"),
    io("jdk.FileForce", ""),
    thrown("jdk.JavaErrorThrow"),
    thrown("jdk.JavaExceptionThrow"),
    {.event = "jdk.MethodTrace",
     .kind = "method-trace",
     .value = field,
     .value_field = "duration",
     .leaf_field = "method",
     .leaf = LeafRule::method},
    {.event = "jdk.VirtualThreadPinned",
     .kind = "pinned",
     .value = field,
     .value_field = "duration"},
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

const EventRule* find_rule(std::string_view event) noexcept {
  const auto found = std::find_if(rules.begin(), rules.end(),
                                  [event](const EventRule& rule) { return rule.event == event; });
  return found == rules.end() ? nullptr : &*found;
}

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
