/// Work does not grow with the number of events: each used stack is decoded once a chunk, and one
/// sum per stack (and group) leaves the chunk.

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "profile/reading.hpp"
#include "support/standard_chunk.hpp"
#include "support/test_paths.hpp"

using namespace jfrtree;
using namespace jfrtree::test;

namespace {

constexpr int events_per_chunk = 30'000;

/// 30,000 allocations on 7 stacks, of 3 classes by 2 threads; 40 more stacks that nothing uses.
Bytes many_events() {
  auto chunk = jdk17_chunk();
  std::vector<std::uint64_t> stacks;
  for (int i = 0; i < 7; ++i)
    stacks.push_back(chunk.stack({"Main.main", "Main.m" + std::to_string(i)}));
  for (int i = 0; i < 40; ++i) (void)chunk.stack({"Unused.main", "Unused.m" + std::to_string(i)});
  const std::uint64_t classes[] = {chunk.class_constant("[B"), chunk.class_constant("[I"),
                                   chunk.class_constant("java/lang/String")};
  for (int i = 0; i < events_per_chunk; ++i) {
    const auto number = static_cast<std::size_t>(i);
    chunk.allocation_outside_tlab({.stack = stacks[number % 7],
                                   .thread = number % 2 + 1,
                                   .object_class = classes[number % 3],
                                   .allocation_size = 1});
  }
  return chunk.bytes();
}

ProfileRequest request_of(bool class_leaf, bool by_thread) {
  ProfileRequest request = kinds({"alloc"});
  request.frames.class_leaf = class_leaf;
  request.frames.by_thread = by_thread;
  return request;
}

}  // namespace

TEST_CASE("30,000 events on 7 stacks: 7 stacks are decoded and 7 sums inserted per chunk") {
  const Bytes chunk = many_events();
  const ReadStatistics one = read({chunk}, request_of(false, false)).statistics;
  CHECK(one.events == events_per_chunk);
  CHECK(one.samples == events_per_chunk);
  CHECK(one.stacks_decoded == 7);
  CHECK(one.stack_insertions == 7);
  const ReadStatistics three =
      read({joined({chunk, chunk, chunk})}, request_of(false, false)).statistics;
  CHECK(three.samples == 3 * events_per_chunk);
  CHECK(three.stacks_decoded == 3 * 7);
  CHECK(three.stack_insertions == 3 * 7);
}

TEST_CASE("classes and threads multiply the sums, not the stacks that are decoded") {
  const Bytes chunk = many_events();
  const ReadStatistics leaf = read({chunk}, request_of(true, false)).statistics;
  CHECK(leaf.stacks_decoded == 7);
  CHECK(leaf.stack_insertions == 7 * 3);
  const ReadStatistics both = read({chunk}, request_of(true, true)).statistics;
  CHECK(both.stacks_decoded == 7);
  CHECK(both.stack_insertions == 7 * 3 * 2);
}

TEST_CASE("a stack that several kinds use is decoded once") {
  auto chunk = jdk17_chunk();
  const auto stack = chunk.stack({"Main.main"});
  for (int i = 0; i < 10; ++i) {
    chunk.execution_sample({.stack = stack}).thread_park({.stack = stack, .duration_ticks = 1});
  }
  const ReadStatistics both = read({chunk.bytes()}).statistics;
  CHECK(both.stacks_decoded == 1);
  CHECK(both.stack_insertions == 2);
  const ReadStatistics one = read({chunk.bytes()}, kinds({"park"})).statistics;
  CHECK(one.samples == 10);
  CHECK(one.stack_insertions == 1);
}

TEST_CASE("samples of a kind that is not asked for are not inserted") {
  auto chunk = async_profiler_4_chunk();
  const auto cpu = chunk.stack({"Main.cpu"});
  const auto wall = chunk.stack({"Main.wall"});
  chunk.execution_sample({.stack = cpu, .state = "STATE_DEFAULT"});
  for (int i = 0; i < 5; ++i) {
    chunk.execution_sample({.stack = wall, .state = "STATE_SLEEPING"});
  }
  const ReadStatistics statistics = read({chunk.bytes()}, kinds({"cpu"})).statistics;
  CHECK(statistics.samples == 1);
  CHECK(statistics.stacks_decoded == 1);
  CHECK(statistics.stack_insertions == 1);
}

TEST_CASE("samples without a stack are one sum, however many there are") {
  auto chunk = jdk17_chunk();
  for (int i = 0; i < 100; ++i) chunk.execution_sample({});
  const ReadStatistics statistics = read({chunk.bytes()}).statistics;
  CHECK(statistics.stacks_decoded == 0);
  CHECK(statistics.stack_insertions == 1);
}

TEST_CASE("real recordings insert at most as many sums as chunks have used stacks") {
  // Distinct stacks by the JDK's reader, summed over the events; all in one chunk.
  struct Row {
    const char* name;
    const char* event;
    std::uint64_t events;
    std::uint64_t distinct_stacks;
  };
  const Row rows[] = {
      {"grafana_jfr-parser__async-profiler.jfr.gz", "jdk.ExecutionSample", 199'661, 62},
      {"grafana_jfr-parser__cortex-dev-01__kafka-0__cpu_lock0_alloc0__0.jfr.gz",
       "jdk.JavaMonitorEnter", 1'773, 17},
      {"grafana_jfr-parser__object-allocation-sample.jfr.gz", "jdk.ExecutionSample", 1'243, 135}};
  for (const Row& row : rows) {
    const auto path = recording(row.name);
    if (!path) return;
    const ReadStatistics statistics = read_file(*path, event(row.event)).statistics;
    CHECK(statistics.samples == row.events);
    // Stacks that differ in lines or types only are one to the JDK's count.
    CHECK(statistics.stack_insertions == statistics.stacks_decoded);
    CHECK(statistics.stacks_decoded >= row.distinct_stacks);
    CHECK(statistics.stacks_decoded < row.events / 2);
  }
}
