/// Behaviours of counts and values as users meet them, by the library's own calls. Sums of real
/// recordings are those of the JDK's reader.

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <string>

#include "profile/reading.hpp"
#include "support/scenarios.hpp"
#include "support/test_paths.hpp"

using namespace jfrtree;
using namespace jfrtree::test;

namespace {

constexpr std::string_view kafka =
    "grafana_jfr-parser__cortex-dev-01__kafka-0__cpu_lock0_alloc0__0.jfr.gz";

std::string message_of(const std::vector<Bytes>& recordings, const ProfileRequest& request) {
  try {
    (void)read(recordings, request);
  } catch (const ProfileNotFound& error) {
    return error.what();
  }
  return "found";
}

}  // namespace

TEST_CASE("one WallClockSample stands for many: 352 events, 2,579 samples (wall_tick_sample)") {
  const auto path = recording("grafana_jfr-parser__wall_tick_sample.jfr.gz");
  if (!path) return;
  const ProfileSet set = read_file(*path);
  CHECK(totals_of(set, "wall") == "wall: 2579, - (352) samples/count");
  CHECK(set.find("wall")->events == std::vector<std::string>{"profiler.WallClockSample"});
}

TEST_CASE("WallClockSample: timeSpan where it is not 0, else samples × interval") {
  auto chunk = async_profiler_4_chunk().ticks_per_second(2'000'000'000);
  const auto stack = chunk.stack({"Main.main"});
  chunk.active_setting({.name = "wall", .value = "50000000"});
  chunk.wall_clock_sample({.stack = stack, .samples = 3, .time_span_ticks = 400});
  chunk.wall_clock_sample({.stack = stack, .samples = 2});
  // 400 ticks are 200 ns; two samples are 2 × 50 ms.
  CHECK(totals_of(read({chunk.bytes()}), "wall") == "wall: 5, 100000200 (2) wall/nanoseconds");
}

TEST_CASE("tlabSize, allocationSize and count are three numbers, and sums equal the JDK's") {
  const auto path = recording(kafka);
  if (!path) return;
  // tlabSize 1,598,335,640 of 7,972 events, allocationSize 43,715,768 of 2,238 events.
  CHECK(totals_of(read_file(*path), "alloc") ==
        "alloc: 10210, 1642051408 (10210) alloc_space/bytes");
  const ProfileSet own = read_file(*path, event("jdk.ObjectAllocationInNewTLAB", "allocationSize"));
  CHECK(own.find("jdk.ObjectAllocationInNewTLAB")->value == 11'136'560);
}

TEST_CASE("an allocation in a TLAB of size 0 is as large as the object") {
  auto chunk = jdk17_chunk();
  const auto stack = chunk.stack({"Main.main"});
  const auto bytes = chunk.class_constant("[B");
  chunk.allocation_in_new_tlab({.stack = stack, .object_class = bytes, .allocation_size = 24});
  chunk.allocation_in_new_tlab(
      {.stack = stack, .object_class = bytes, .allocation_size = 24, .tlab_size = 1'000});
  CHECK(lines_of(read({chunk.bytes()}), "alloc") == "Main.main > byte[] 2 1024\n");
}

TEST_CASE("Datadog's allocations are size × weight, rounded per event with halves to even") {
  auto chunk = datadog_chunk();
  const auto stack = chunk.stack({"Main.main"});
  const auto add = [&](std::int64_t size, double weight) {
    chunk.object_sample({.stack = stack, .allocation_size = size, .weight = weight});
  };
  add(1, 0.5);     // 0
  add(1, 1.5);     // 2
  add(1, 2.5);     // 2
  add(3, 100.25);  // 300.75: 301
  CHECK(lines_of(read({chunk.bytes()}), "alloc") == "Main.main > ? 4 305\n");
}

TEST_CASE("durations are ns by the chunk's clock, rounded down per event (cpu_lock0_alloc0)") {
  const auto path = recording(kafka);
  if (!path) return;
  const ProfileSet set = read_file(*path);
  // 2,799,998,547 ticks a second. The sums of the ticks are 1,395,727,359 ns and 36,035,980 ns;
  // each event loses less than 1 ns. Calculated from the ticks that the JDK's reader gives.
  CHECK(totals_of(set, "lock") == "lock: 1773, 1395726533 (1773) delay/nanoseconds");
  CHECK(totals_of(set, "park") == "park: 435, 36035783 (435) delay/nanoseconds");
  CHECK(1'395'727'359 - *set.find("lock")->value < 1'773);
  CHECK(36'035'980 - *set.find("park")->value < 435);
  // `interval` is 0 in this recording: unknown, never assumed.
  CHECK(totals_of(set, "cpu") == "cpu: 582, - (582) samples/count");
}

TEST_CASE("CPU and wall samples of one file are told apart by state (async-profiler)") {
  const auto path = recording("grafana_jfr-parser__async-profiler.jfr.gz");
  if (!path) return;
  // The JDK's reader: 110 in STATE_DEFAULT, 2 runnable, 199,549 sleeping; interval 10 ms, wall
  // 200 ms.
  const ProfileSet set = read_file(*path);
  CHECK(totals_of(set, "cpu") == "cpu: 110, 1100000000 (110) cpu/nanoseconds");
  CHECK(totals_of(set, "wall") == "wall: 199551, 39910200000000 (199551) wall/nanoseconds");
}

TEST_CASE("a chunk with STATE_DEFAULT has CPU samples in that state and wall samples in others") {
  auto chunk = async_profiler_4_chunk();
  const auto stack = chunk.stack({"Main.main"});
  chunk.active_setting({.name = "event", .value = "cpu"});
  chunk.active_setting({.name = "interval", .value = "10"});
  chunk.active_setting({.name = "wall", .value = "1000"});
  for (const char* state : {"STATE_DEFAULT", "STATE_RUNNABLE", "STATE_SLEEPING", "STATE_DEFAULT"}) {
    chunk.execution_sample({.stack = stack, .state = state});
  }
  const ProfileSet set = read({chunk.bytes()});
  CHECK(lines_of(set, "cpu") == "Main.main 2 20\n");
  CHECK(lines_of(set, "wall") == "Main.main 2 2000\n");
}

TEST_CASE("before async-profiler 3.0 the event setting makes all samples wall, in every chunk") {
  const auto path = recording("ocadaruma_jfrs__profiler-multichunk.jfr");
  if (!path) return;
  const ProfileSet set = read_file(*path);
  CHECK(kinds_of(set) == "wall");
  CHECK(totals_of(set, "wall") == "wall: 8888, - (8888) samples/count");
}

TEST_CASE("a recording with Datadog's events only has profiles (tck-test)") {
  const auto path = recording("btraceio_jafar__tck-test.jfr");
  if (!path) return;
  const ProfileSet set = read_file(*path);
  CHECK(totals_of(set, "cpu") == "cpu: 14202, - (14202) samples/count");
  CHECK(totals_of(set, "wall") == "wall: 12813, - (12813) samples/count");
  CHECK(totals_of(set, "alloc") == "alloc: 336, 67107965383 (336) alloc_space/bytes");
  CHECK(set.find("lock")->count == 1);
}

TEST_CASE("CPUTimeSample: failed samples count under [no stack], the period is summed") {
  auto chunk = jdk25_chunk().ticks_per_second(2'000'000'000);
  const auto stack = chunk.stack({"Main.main"});
  chunk.cpu_time_sample({.stack = stack, .sampling_period_ticks = 20'000'000});
  chunk.cpu_time_sample({.stack = stack, .sampling_period_ticks = 40'000'000});
  chunk.cpu_time_sample({.failed = true, .sampling_period_ticks = 20'000'000});
  const ProfileSet set = read({chunk.bytes()});
  CHECK(lines_of(set, "cpu-time") == "Main.main 2 30000000\n[no stack] 1 10000000\n");
  CHECK(totals_of(set, "cpu-time") == "cpu-time: 3, 40000000 (3) cpu/nanoseconds");
}

TEST_CASE("CPU time as the JDK records it: 251 samples of 5 ms, 11 of 10 ms, 2 lost") {
  const ProfileSet set = read_file(testdata("jdk25-cputime.jfr"));
  CHECK(totals_of(set, "cpu-time") == "cpu-time: 262, 1365000000 (262) cpu/nanoseconds");
  CHECK(findings(set.problems) == "[lost_samples x2 chunk 1 at 0]");
}

TEST_CASE("the wall interval comes from the file or is unknown") {
  const auto wall_of = [](const std::vector<std::pair<std::string, std::string>>& settings) {
    auto chunk = async_profiler_4_chunk();
    for (const auto& [name, value] : settings) chunk.active_setting({.name = name, .value = value});
    chunk.execution_sample({.stack = chunk.stack({"Main.main"}), .state = "STATE_SLEEPING"});
    return totals_of(read({chunk.bytes()}), "wall");
  };
  CHECK(wall_of({{"wall", "7"}}) == "wall: 1, 7 (1) wall/nanoseconds");
  CHECK(wall_of({{"event", "wall"}, {"interval", "9"}}) == "wall: 1, 9 (1) wall/nanoseconds");
  CHECK(wall_of({}) == "wall: 1, - (1) samples/count");
  CHECK(wall_of({{"event", "cpu"}, {"interval", "9"}}) == "wall: 1, - (1) samples/count");
  CHECK(wall_of({{"wall", "0"}}) == "wall: 1, - (1) samples/count");
}

TEST_CASE("one pass gives every profile of the file and says what it left out") {
  const auto path = recording("grafana_jfr-parser__event-with-type-zero.jfr.gz");
  if (!path) return;
  // The two chunks that the JDK wrote; the third is by Datadog's profiler.
  Bytes chunks = bytes_of(*path);
  chunks.resize(3'356'469);
  const ProfileSet set = read({chunks});
  // 996 × 20 ms; tlabSize 25,708,804,360 and allocationSize 17,280,056.
  CHECK(kinds_of(set) == "cpu, alloc, native, live, park, wait, exceptions");
  CHECK(totals_of(set, "cpu") == "cpu: 996, 19920000000 (996) samples/count");
  CHECK(totals_of(set, "alloc") == "alloc: 22999, 25726084416 (22999) alloc_space/bytes");
  CHECK(totals_of(set, "park") == "park: 1714, 724332799596 (1714) delay/nanoseconds");
  CHECK(totals_of(set, "native") == "native: 4500, 90000000000 (4500) samples/count");
  CHECK(set.find("live")->count == 65);
  CHECK(set.find("wait")->count == 131 + 52);
  CHECK(set.find("exceptions")->count == 8);
  CHECK(left_out_of(set.left_out) == "alloc jdk.ObjectAllocationSample x11988");
}

TEST_CASE("two kinds of allocation events are told apart per chunk, not per file") {
  auto both = jdk17_chunk();
  both.allocation_outside_tlab({.stack = both.stack({"Main.both"}), .allocation_size = 10});
  both.allocation_sample({.stack = both.stack({"Main.both"}), .weight = 1'000});
  auto sample = jdk17_chunk();
  sample.allocation_sample({.stack = sample.stack({"Main.sample"}), .weight = 7});
  const ProfileSet set = read({joined({both.bytes(), sample.bytes()})});
  CHECK(lines_of(set, "alloc") == "Main.both > ? 1 10\nMain.sample > ? 1 7\n");
  CHECK(left_out_of(set.left_out) == "alloc jdk.ObjectAllocationSample x1");
  CHECK(lines_of(read({both.bytes()}, event("jdk.ObjectAllocationSample", "weight")),
                 "jdk.ObjectAllocationSample") == "Main.both 1 1000\n");
}

TEST_CASE("asking for a kind that is not there lists those that are") {
  auto chunk = jdk17_chunk();
  chunk.thread_park({.duration_ticks = 1}).execution_sample({});
  CHECK(message_of({chunk.bytes()}, kinds({"alloc"})).ends_with(": cpu, park"));
  CHECK(message_of({three_samples().bytes()}, kinds({"cpu", "lock"})).ends_with(": cpu"));
  CHECK(message_of({to_bytes("a;b 1\n")}, kinds({"cpu"})).ends_with(": collapsed"));
  CHECK(message_of({jdk17_chunk().bytes()}, kinds({"cpu"})).ends_with(": none"));
}

TEST_CASE("kinds that are there are listed by what their samples are, not by their event") {
  auto chunk = async_profiler_4_chunk();
  chunk.execution_sample({.state = "STATE_SLEEPING"});
  CHECK(message_of({chunk.bytes()}, kinds({"cpu"})).ends_with(": wall"));
  CHECK(message_of({chunk.bytes()}, kinds({"alloc"})).ends_with(": wall"));
  auto older = async_profiler_2_chunk();
  older.active_setting({.name = "event", .value = "wall"});
  older.execution_sample({.state = "STATE_SLEEPING"});
  CHECK(message_of({older.bytes()}, kinds({"park"})).ends_with(": wall"));
}

TEST_CASE("asking for an event that is not there lists the event types that have stacks") {
  const std::string message = message_of({three_samples().bytes()}, event("jdk.FileRead"));
  CHECK(message.find("jdk.FileRead") != std::string::npos);
  CHECK(message.ends_with(": jdk.ExecutionSample"));
}

TEST_CASE("sums of durations beyond 64 bits saturate and are a problem") {
  auto chunk = jdk17_chunk().ticks_per_second(1);
  const auto stack = chunk.stack({"Main.main"});
  // 10^10 s are 10^19 ns: two of them do not fit.
  for (int i = 0; i < 2; ++i) {
    chunk.thread_park({.stack = stack, .duration_ticks = 10'000'000'000});
  }
  const ProfileSet set = read({chunk.bytes()}, kinds({"park"}));
  CHECK(set.find("park")->value == std::numeric_limits<std::uint64_t>::max());
  CHECK(set.find("park")->count == 2);
  CHECK(findings(set.problems).find("value_out_of_range") != std::string::npos);
}
