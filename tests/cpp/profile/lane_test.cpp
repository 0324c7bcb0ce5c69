#include "profile/lane.hpp"

#include <doctest/doctest.h>

using namespace jfrtree::internal;

namespace {

LaneMeaning meaning(SampleOrigin origin, const Settings& settings,
                    const char* event = "jdk.ExecutionSample", const char* kind = "cpu") {
  static Lane lane;  // the meaning refers to the name of its kind
  lane.kind = kind;
  lane.event = event;
  lane.origin = origin;
  return meaning_of(lane, settings);
}

constexpr auto jdk = SampleOrigin::jdk_sampler;
constexpr auto cpu = SampleOrigin::profiler_cpu;
constexpr auto wall = SampleOrigin::profiler_wall;
constexpr auto undecided = SampleOrigin::profiler_undecided;

}  // namespace

TEST_CASE("samples of the JDK's sampler are cpu and an estimate by the period of their own event") {
  const Settings settings{{"period of jdk.ExecutionSample", "20 ms"},
                          {"period of jdk.NativeMethodSample", "10 ms"},
                          {"interval", "1000"},
                          {"event", "cpu"}};
  const LaneMeaning found = meaning(jdk, settings);
  CHECK(found.kind == "cpu");
  CHECK(found.period_ns == 20'000'000);
  CHECK(found.is_estimate);
  CHECK(found.is_complete);
  CHECK(meaning(jdk, settings, "jdk.NativeMethodSample").period_ns == 10'000'000);
}

TEST_CASE("the JDK's period is unknown when it is absent, 0 or no time") {
  const LaneMeaning absent = meaning(jdk, {});
  CHECK_FALSE(absent.period_ns);
  CHECK_FALSE(absent.is_complete);
  for (const char* value : {"0 ms", "everyChunk", ""}) {
    const LaneMeaning found = meaning(jdk, {{"period of jdk.ExecutionSample", value}});
    CHECK_FALSE(found.period_ns);
    CHECK(found.is_complete);
  }
}

TEST_CASE("async-profiler's interval is a time for cpu, itimer, ctimer and wall only") {
  for (const char* event : {"cpu", "itimer", "ctimer", "wall"}) {
    const LaneMeaning found = meaning(cpu, {{"event", event}, {"interval", "10000000"}});
    CHECK(found.kind == "cpu");
    CHECK(found.period_ns == 10'000'000);
    CHECK_FALSE(found.is_estimate);
    CHECK(found.is_complete);
  }
  for (const char* event :
       {"cycles", "cache-misses", "java.lang.Thread.start", "alloc", "", "CPU"}) {
    CHECK_FALSE(meaning(cpu, {{"event", event}, {"interval", "10000000"}}).period_ns);
  }
}

TEST_CASE("async-profiler's interval is unknown without its event, and where it is 0") {
  CHECK_FALSE(meaning(cpu, {{"interval", "10000000"}}).period_ns);
  CHECK_FALSE(meaning(cpu, {{"interval", "10000000"}}).is_complete);
  CHECK_FALSE(meaning(cpu, {{"event", "cpu"}}).period_ns);
  CHECK_FALSE(meaning(cpu, {{"event", "cpu"}}).is_complete);
  const LaneMeaning zero = meaning(cpu, {{"event", "cpu"}, {"interval", "0"}});
  CHECK_FALSE(zero.period_ns);
  CHECK(zero.is_complete);
}

TEST_CASE("wall samples take the wall setting, else the interval of the event wall") {
  const LaneMeaning both =
      meaning(wall, {{"event", "cpu"}, {"interval", "10000000"}, {"wall", "200000000"}});
  CHECK(both.kind == "wall");
  CHECK(both.period_ns == 200'000'000);
  CHECK(both.is_complete);
  CHECK(meaning(wall, {{"event", "wall"}, {"interval", "50000000"}}).period_ns == 50'000'000);
  // What async-profiler writes when wall clock profiling has no interval of its own.
  CHECK(meaning(wall, {{"event", "wall"}, {"interval", "50000000"}, {"wall", "-1"}}).period_ns ==
        50'000'000);
  CHECK(meaning(wall, {{"wall", "50000000"}}).is_complete);
}

TEST_CASE("a wall interval is never taken from the CPU interval") {
  CHECK_FALSE(meaning(wall, {{"event", "cpu"}, {"interval", "10000000"}}).period_ns);
  CHECK_FALSE(meaning(wall, {{"interval", "10000000"}}).period_ns);
  CHECK_FALSE(meaning(wall, {}).period_ns);
}

TEST_CASE("wall samples wait for earlier chunks as long as those could change their interval") {
  CHECK_FALSE(meaning(wall, {}).is_complete);
  CHECK_FALSE(meaning(wall, {{"event", "wall"}}).is_complete);
  CHECK_FALSE(meaning(wall, {{"event", "cpu"}, {"interval", "10000000"}}).is_complete);
  CHECK_FALSE(meaning(wall, {{"wall", "0"}, {"event", "wall"}}).is_complete);
  CHECK(meaning(wall, {{"wall", "0"}, {"event", "cpu"}, {"interval", "1"}}).is_complete);
}

TEST_CASE("before release 3.0 the event setting tells whether samples are cpu or wall") {
  const LaneMeaning as_wall = meaning(undecided, {{"event", "wall"}, {"interval", "5000000"}});
  CHECK(as_wall.kind == "wall");
  CHECK(as_wall.period_ns == 5'000'000);
  const LaneMeaning as_cpu = meaning(undecided, {{"event", "itimer"}, {"interval", "5000000"}});
  CHECK(as_cpu.kind == "cpu");
  CHECK(as_cpu.period_ns == 5'000'000);
  const LaneMeaning unknown = meaning(undecided, {});
  CHECK(unknown.kind == "cpu");
  CHECK_FALSE(unknown.is_complete);
}

TEST_CASE("other events keep their kind and need no setting") {
  const LaneMeaning found = meaning(SampleOrigin::direct, {}, "jdk.ThreadPark", "park");
  CHECK(found.kind == "park");
  CHECK(found.is_complete);
  CHECK_FALSE(found.is_estimate);
}
