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

TEST_CASE("profile_kinds looks for a default in the order cpu, cpu-time, wall, alloc, lock, park") {
  const std::vector<std::string_view> wanted{"cpu", "cpu-time", "wall", "alloc", "lock", "park"};
  std::vector<std::string_view> found;
  for (const ProfileKindDescription& kind : profile_kinds()) {
    if (std::find(wanted.begin(), wanted.end(), kind.name) != wanted.end()) {
      found.push_back(kind.name);
    }
  }
  CHECK(found == wanted);
}

TEST_CASE("alloc, lock and park have the class as their leaf, cpu, cpu-time and wall have none") {
  for (const char* kind : {"alloc", "lock", "park"}) {
    CHECK(find_kind(kind)->description.has_class_leaf);
  }
  for (const char* kind : {"cpu", "cpu-time", "wall"}) {
    CHECK_FALSE(find_kind(kind)->description.has_class_leaf);
    CHECK_FALSE(find_kind(kind)->description.is_snapshot);
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
}

TEST_CASE("every rule belongs to a kind, and an event has one rule") {
  std::set<std::string_view> events;
  for (const EventRule& rule : event_rules()) {
    CAPTURE(rule.event);
    CHECK(find_kind(rule.kind) != nullptr);
    CHECK(events.insert(rule.event).second);
    CHECK_MESSAGE(rule.class_field.empty() != find_kind(rule.kind)->description.has_class_leaf,
                  "a class field where the kind has a class leaf, and nowhere else");
  }
}

TEST_CASE("TLAB events come before ObjectAllocationSample, that before Datadog's samples") {
  const auto alternative = [](std::string_view event) { return rule_of(event).alternative; };
  CHECK(alternative("jdk.ObjectAllocationInNewTLAB") ==
        alternative("jdk.ObjectAllocationOutsideTLAB"));
  CHECK(alternative("jdk.ObjectAllocationOutsideTLAB") < alternative("jdk.ObjectAllocationSample"));
  CHECK(alternative("jdk.ObjectAllocationSample") < alternative("datadog.ObjectSample"));
}
