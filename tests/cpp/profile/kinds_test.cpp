#include "profile/kinds.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

using namespace jfrtree;
using namespace jfrtree::internal;

namespace {

std::vector<std::string> events_of(std::string_view kind) {
  std::vector<std::string> events;
  for (const EventRule& rule : event_rules()) {
    if (rule.kind == kind) events.emplace_back(rule.event);
  }
  std::sort(events.begin(), events.end());
  return events;
}

const EventRule& rule_of(std::string_view event) {
  const auto rules = event_rules();
  const auto found = std::find_if(rules.begin(), rules.end(),
                                  [&](const EventRule& rule) { return rule.event == event; });
  REQUIRE(found != rules.end());
  return *found;
}

std::string types_of(std::string_view kind) {
  const KindRow* row = find_kind(kind);
  REQUIRE(row != nullptr);
  return row->count.full_name() + ' ' + row->value.full_name();
}

}  // namespace

TEST_CASE("profile_kinds names each kind once, with a description") {
  std::set<std::string_view> names;
  for (const ProfileKindDescription& kind : profile_kinds()) {
    CAPTURE(kind.name);
    CHECK(names.insert(kind.name).second);
    CHECK_FALSE(kind.description.empty());
  }
  CHECK(names.size() == kind_rows().size());
}

TEST_CASE("profile_kinds looks for a default among cpu, cpu-time, wall, alloc and lock first") {
  const std::vector<std::string_view> wanted{
      "cpu",         "cpu-time",   "wall", "alloc", "lock",       "native",       "live",  "park",
      "native-lock", "native-mem", "wait", "io",    "exceptions", "method-trace", "pinned"};
  std::vector<std::string_view> found;
  for (const ProfileKindDescription& kind : profile_kinds()) found.push_back(kind.name);
  CHECK(found == wanted);
}

TEST_CASE("kinds of objects, exceptions and traced methods have a leaf of their own") {
  std::set<std::string_view> with_leaf;
  for (const ProfileKindDescription& kind : profile_kinds()) {
    if (kind.has_class_leaf) with_leaf.insert(kind.name);
  }
  CHECK(with_leaf == std::set<std::string_view>{"alloc", "live", "lock", "park", "wait",
                                                "exceptions", "method-trace"});
}

TEST_CASE("live is the only kind that is a state at a moment") {
  for (const ProfileKindDescription& kind : profile_kinds()) {
    CHECK(kind.is_snapshot == (kind.name == "live"));
  }
}

TEST_CASE("sample types are named by what they count and their unit") {
  CHECK(types_of("cpu") == "samples/count cpu/nanoseconds");
  CHECK(types_of("cpu-time") == "samples/count cpu/nanoseconds");
  CHECK(types_of("wall") == "samples/count wall/nanoseconds");
  CHECK(types_of("alloc") == "alloc_objects/count alloc_space/bytes");
  CHECK(types_of("lock") == "contentions/count delay/nanoseconds");
  CHECK(types_of("park") == "parks/count delay/nanoseconds");
  CHECK(find_kind("cpu")->estimate == "estimated_cpu");
  CHECK(types_of("native") == "samples/count estimated_cpu/nanoseconds");
  CHECK(types_of("live") == "inuse_objects/count inuse_space/bytes");
  CHECK(types_of("native-lock") == "contentions/count delay/nanoseconds");
  CHECK(types_of("native-mem") == "malloc_calls/count malloc_space/bytes");
  CHECK(types_of("wait") == "waits/count delay/nanoseconds");
  CHECK(types_of("io") == "operations/count io/nanoseconds");
  CHECK(types_of("exceptions") == "samples/count exceptions/count");
  CHECK(types_of("method-trace") == "calls/count duration/nanoseconds");
  CHECK(types_of("pinned") == "pins/count delay/nanoseconds");
}

TEST_CASE("io alone has a third number, bytes") {
  for (const KindRow& row : kind_rows()) {
    CHECK(row.third.name == (row.description.name == "io" ? "io_bytes" : ""));
  }
}

TEST_CASE("find_kind knows no other names") {
  CHECK(find_kind("") == nullptr);
  CHECK(find_kind("CPU") == nullptr);
  CHECK(find_kind("jdk.ExecutionSample") == nullptr);
}

TEST_CASE("events belong to the kinds of the contract") {
  using Names = std::vector<std::string>;
  CHECK(events_of("cpu") == Names{"datadog.ExecutionSample", "jdk.ExecutionSample"});
  CHECK(events_of("cpu-time") == Names{"jdk.CPUTimeSample"});
  CHECK(events_of("wall") == Names{"datadog.MethodSample", "profiler.WallClockSample"});
  CHECK(events_of("alloc") == Names{"datadog.ObjectSample", "jdk.ObjectAllocationInNewTLAB",
                                    "jdk.ObjectAllocationOutsideTLAB",
                                    "jdk.ObjectAllocationSample"});
  CHECK(events_of("lock") == Names{"jdk.JavaMonitorEnter"});
  CHECK(events_of("park") == Names{"jdk.ThreadPark"});
  CHECK(events_of("native") == Names{"jdk.NativeMethodSample"});
  CHECK(events_of("live") ==
        Names{"datadog.HeapLiveObject", "jdk.OldObjectSample", "profiler.LiveObject"});
  CHECK(events_of("native-lock") == Names{"profiler.NativeLock"});
  CHECK(events_of("native-mem") == Names{"profiler.Malloc"});
  CHECK(events_of("wait") == Names{"jdk.JavaMonitorWait", "jdk.ThreadSleep"});
  CHECK(events_of("io") == Names{"jdk.FileForce", "jdk.FileRead", "jdk.FileWrite", "jdk.SocketRead",
                                 "jdk.SocketWrite"});
  CHECK(events_of("exceptions") == Names{"jdk.JavaErrorThrow", "jdk.JavaExceptionThrow"});
  CHECK(events_of("method-trace") == Names{"jdk.MethodTrace"});
  CHECK(events_of("pinned") == Names{"jdk.VirtualThreadPinned"});
}

TEST_CASE("every rule belongs to a kind, and an event has one rule") {
  std::set<std::string_view> events;
  for (const EventRule& rule : event_rules()) {
    CAPTURE(rule.event);
    CHECK(find_kind(rule.kind) != nullptr);
    CHECK(events.insert(rule.event).second);
    CHECK(find_rule(rule.event) == &rule);
    // A sleep is in a kind with a leaf and has none.
    const bool has_leaf = find_kind(rule.kind)->description.has_class_leaf;
    CHECK(rule.leaf_field.empty() == (!has_leaf || rule.event == "jdk.ThreadSleep"));
  }
  CHECK(find_rule("jdk.GarbageCollection") == nullptr);
}

TEST_CASE("TLAB events come before ObjectAllocationSample, that before Datadog's samples") {
  const auto alternative = [](std::string_view event) { return rule_of(event).alternative; };
  CHECK(alternative("jdk.ObjectAllocationInNewTLAB") ==
        alternative("jdk.ObjectAllocationOutsideTLAB"));
  CHECK(alternative("jdk.ObjectAllocationOutsideTLAB") < alternative("jdk.ObjectAllocationSample"));
  CHECK(alternative("jdk.ObjectAllocationSample") < alternative("datadog.ObjectSample"));
}
