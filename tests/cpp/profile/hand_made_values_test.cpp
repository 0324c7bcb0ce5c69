/// Small recordings with sums worked out by hand, each after a fault that users met in some reader:
/// sums of rounded and unrounded times, clocks taken from another chunk, numbers cut to 32 bits,
/// zeros and negative numbers.

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "profile/reading.hpp"
#include "support/standard_chunk.hpp"

using namespace jfrtree;
using namespace jfrtree::test;

namespace {

constexpr std::int64_t largest_int = 2'147'483'647;

ProfileRequest without_leaf(std::vector<std::string> names) {
  ProfileRequest request = kinds(std::move(names));
  request.frames.class_leaf = false;
  return request;
}

/// One wait for a lock on the stack Main.main.
Bytes lock_recording(std::int64_t ticks_per_second, std::int64_t duration_ticks) {
  auto chunk = jdk17_chunk().ticks_per_second(ticks_per_second);
  chunk.monitor_enter({.stack = chunk.stack({"Main.main"}), .duration_ticks = duration_ticks});
  return chunk.bytes();
}

std::string lock_lines(const std::vector<Bytes>& recordings) {
  return lines_of(read(recordings, without_leaf({"lock"})), "lock");
}

}  // namespace

TEST_CASE("by hand: three durations of a third of a second are 999,999,999 ns, not a second") {
  auto chunk = jdk17_chunk().ticks_per_second(3);
  const auto stack = chunk.stack({"Main.main"});
  for (int i = 0; i < 3; ++i) chunk.monitor_enter({.stack = stack, .duration_ticks = 1});
  CHECK(lock_lines({chunk.bytes()}) == "Main.main 3 999999999\n");
}

TEST_CASE("by hand: a second of a clock of 2,799,998,547 ticks, and a tick less") {
  CHECK(lock_lines({lock_recording(2'799'998'547, 2'799'998'547)}) == "Main.main 1 1000000000\n");
  CHECK(lock_lines({lock_recording(2'799'998'547, 2'799'998'546)}) == "Main.main 1 999999999\n");
}

TEST_CASE("by hand: durations of joined recordings are by the clock of their own chunk") {
  // 500 ticks are 500 ns, 250 ns and half a microsecond of 3 GHz: 166 ns.
  const Bytes all = joined({lock_recording(1'000'000'000, 500), lock_recording(2'000'000'000, 500),
                            lock_recording(3'000'000'000, 500)});
  CHECK(lock_lines({all}) == "Main.main 3 916\n");
}

TEST_CASE("by hand: durations near 2^62 ticks do not overflow on their way to nanoseconds") {
  constexpr std::int64_t ticks = std::int64_t{1} << 62;
  CHECK(lock_lines({lock_recording(1'000'000'000, ticks)}) == "Main.main 1 4611686018427387904\n");
  // 2^62 / 3 = 1,537,228,672,809,129,301.33
  CHECK(lock_lines({lock_recording(3'000'000'000, ticks)}) == "Main.main 1 1537228672809129301\n");
  // Two of them are 2^63, beyond a signed number.
  const Bytes one = lock_recording(1'000'000'000, ticks);
  CHECK(lock_lines({joined({one, one})}) == "Main.main 2 9223372036854775808\n");
}

TEST_CASE("by hand: a clock of 1,000 ticks a second counts milliseconds") {
  CHECK(lock_lines({lock_recording(1'000, 86'400'000)}) == "Main.main 1 86400000000000\n");
}

TEST_CASE("by hand: a negative duration counts as 0 beside good ones, and is a problem") {
  auto chunk = jdk17_chunk().ticks_per_second(1'000'000'000);
  const auto stack = chunk.stack({"Main.main"});
  for (const std::int64_t ticks : {40, -40, 2}) {
    chunk.monitor_enter({.stack = stack, .duration_ticks = ticks});
  }
  const ProfileSet set = read({chunk.bytes()}, without_leaf({"lock"}));
  CHECK(lines_of(set, "lock") == "Main.main 3 42\n");
  REQUIRE(set.problems.size() == 1);
  CHECK(set.problems.front().code == ErrorCode::value_out_of_range);
}

TEST_CASE("by hand: parks without a blocker read ? below the method, apart from those with one") {
  auto chunk = jdk17_chunk().ticks_per_second(1'000'000'000);
  const auto stack = chunk.stack({"Main.main", "Unsafe.park"});
  chunk.thread_park({.stack = stack, .duration_ticks = 5});
  chunk.thread_park(
      {.stack = stack, .monitor_class = chunk.class_constant("a/Queue"), .duration_ticks = 7});
  CHECK(lines_of(read({chunk.bytes()}), "park") ==
        "Main.main > Unsafe.park > ? 1 5\nMain.main > Unsafe.park > a.Queue 1 7\n");
}

TEST_CASE("by hand: locks of one class in two chunks with different class ids are one row") {
  const auto recording = [](const std::vector<std::string>& classes_before, std::int64_t ticks) {
    auto chunk = jdk17_chunk().ticks_per_second(1'000'000'000);
    for (const std::string& name : classes_before) chunk.class_constant(name);
    chunk.monitor_enter({.stack = chunk.stack({"Main.main"}),
                         .monitor_class = chunk.class_constant("a/Lock"),
                         .duration_ticks = ticks});
    return chunk.bytes();
  };
  const ProfileSet set = read({joined({recording({}, 10), recording({"x/Y", "z/Z"}, 5)})});
  CHECK(lines_of(set, "lock") == "Main.main > a.Lock 2 15\n");
}

TEST_CASE("by hand: io sums time and bytes of reads and writes, each by its own field") {
  auto chunk = jdk17_chunk().ticks_per_second(2'000'000'000);
  const auto stack = chunk.stack({"Main.main"});
  chunk.event("jdk.FileRead", {{"stackTrace", stack}, {"duration", 9}, {"bytesRead", 100}});
  chunk.event("jdk.SocketRead", {{"stackTrace", stack}, {"duration", 9}, {"bytesRead", 11}});
  const ProfileSet set = read({chunk.bytes()});
  const Profile* io = set.find("io");
  REQUIRE(io != nullptr);
  // 9 ticks are 4.5 ns, rounded down for each.
  CHECK(lines_of(*io) == "Main.main 2 8\n");
  CHECK(io->number(io->stacks.front(), 2) == 111);
}

TEST_CASE(
    "by hand: allocation counts the TLAB, outside of one the object, never both of an event") {
  auto chunk = jdk17_chunk();
  const auto stack = chunk.stack({"Main.main"});
  const auto bytes = chunk.class_constant("[B");
  chunk.allocation_in_new_tlab(
      {.stack = stack, .object_class = bytes, .allocation_size = 24, .tlab_size = 1'000'000});
  chunk.allocation_in_new_tlab(
      {.stack = stack, .object_class = bytes, .allocation_size = 32, .tlab_size = 0});
  chunk.allocation_outside_tlab({.stack = stack, .object_class = bytes, .allocation_size = 4096});
  CHECK(lines_of(read({chunk.bytes()}), "alloc") == "Main.main > byte[] 3 1004128\n");
}

TEST_CASE("by hand: an allocation of no bytes is one allocation") {
  auto chunk = jdk17_chunk();
  chunk.allocation_in_new_tlab(
      {.stack = chunk.stack({"Main.main"}), .object_class = chunk.class_constant("a/B")});
  CHECK(lines_of(read({chunk.bytes()}), "alloc") == "Main.main > a.B 1 0\n");
}

TEST_CASE("by hand: sizes above 2^32 are not cut") {
  auto chunk = jdk17_chunk();
  const auto stack = chunk.stack({"Main.main"});
  const auto longs = chunk.class_constant("[J");
  for (int i = 0; i < 2; ++i) {
    chunk.allocation_outside_tlab(
        {.stack = stack, .object_class = longs, .allocation_size = 5'000'000'001});
  }
  CHECK(lines_of(read({chunk.bytes()}), "alloc") == "Main.main > long[] 2 10000000002\n");
}

TEST_CASE("by hand: allocation samples are summed by weight where no TLAB event is in the chunk") {
  auto samples = jdk17_chunk();
  const auto stack = samples.stack({"Main.main"});
  const auto object = samples.class_constant("a/B");
  samples.allocation_sample({.stack = stack, .object_class = object, .weight = 1000});
  samples.allocation_sample({.stack = stack, .object_class = object, .weight = 24});
  auto tlabs = jdk17_chunk();
  tlabs.allocation_in_new_tlab({.stack = tlabs.stack({"Main.main"}),
                                .object_class = tlabs.class_constant("a/B"),
                                .tlab_size = 7});
  tlabs.allocation_sample({.stack = tlabs.stack({"Main.main"}),
                           .object_class = tlabs.class_constant("a/B"),
                           .weight = 500});
  const ProfileSet set = read({samples.bytes(), tlabs.bytes()});
  CHECK(lines_of(set, "alloc") == "Main.main > a.B 3 1031\n");
  CHECK(left_out_of(set.left_out) == "alloc jdk.ObjectAllocationSample x1");
}

TEST_CASE("by hand: a weight that is no number leaves the value unknown, and the sample counts") {
  auto chunk = datadog_chunk();
  const auto stack = chunk.stack({"Main.main"});
  const auto object = chunk.class_constant("a/B");
  for (const double weight : {std::numeric_limits<double>::quiet_NaN(), 2.0}) {
    chunk.object_sample(
        {.stack = stack, .object_class = object, .allocation_size = 10, .weight = weight});
  }
  const ProfileSet set = read({chunk.bytes()});
  CHECK(totals_of(set, "alloc") == "alloc: 2, - (2) alloc_objects/count");
  CHECK(lines_of(set, "alloc") == "Main.main > a.B 2 20\n");
}

TEST_CASE("by hand: live objects of one chunk are all counted, two of one stack and class too") {
  auto chunk = async_profiler_4_chunk();
  const auto stack = chunk.stack({"Main.main"});
  for (const std::int64_t size : {16, 24}) {
    chunk.event("profiler.LiveObject", {{"stackTrace", stack},
                                        {"objectClass", chunk.class_constant("a/B")},
                                        {"allocationSize", size}});
  }
  CHECK(lines_of(read({chunk.bytes()}), "live") == "Main.main > a.B 2 40\n");
}

TEST_CASE("by hand: malloc of 0 bytes is a call, and one of 2^63 bytes is not negative") {
  auto chunk = async_profiler_4_chunk();
  const auto stack = chunk.stack({"Main.main", FrameSpec::native("malloc")});
  for (const std::int64_t size : {std::int64_t{0}, std::int64_t{3}}) {
    chunk.event("profiler.Malloc", {{"stackTrace", stack}, {"address", 16}, {"size", size}});
  }
  const ProfileSet set = read({chunk.bytes()});
  CHECK(lines_of(set, "native-mem") == "Main.main > malloc 2 3\n");
  CHECK(set.problems.empty());
}

TEST_CASE("by hand: one stack in three states is one CPU sample and two wall samples") {
  auto chunk = async_profiler_4_chunk();
  const auto stack = chunk.stack({"Main.main"});
  chunk.active_setting({.event = "jdk.ExecutionSample", .name = "interval", .value = "10000000"});
  chunk.active_setting({.event = "jdk.ExecutionSample", .name = "wall", .value = "50000000"});
  chunk.active_setting({.event = "jdk.ExecutionSample", .name = "event", .value = "cpu"});
  for (const char* state : {"STATE_DEFAULT", "STATE_SLEEPING", "STATE_RUNNABLE"}) {
    chunk.execution_sample({.stack = stack, .state = state});
  }
  const ProfileSet set = read({chunk.bytes()});
  CHECK(lines_of(set, "cpu") == "Main.main 1 10000000\n");
  CHECK(lines_of(set, "wall") == "Main.main 2 100000000\n");
}

TEST_CASE("by hand: wall samples that stand for 2^31 - 1 samples each are not cut to 32 bits") {
  auto chunk = async_profiler_4_chunk();
  const auto stack = chunk.stack({"Main.main"});
  chunk.active_setting({.event = "jdk.ExecutionSample", .name = "wall", .value = "10"});
  for (int i = 0; i < 3; ++i) {
    chunk.wall_clock_sample({.stack = stack, .samples = static_cast<std::int32_t>(largest_int)});
  }
  const ProfileSet set = read({chunk.bytes()});
  CHECK(totals_of(set, "wall") == "wall: 6442450941, 64424509410 (3) wall/nanoseconds");
}

TEST_CASE("by hand: a wall sample with a span and one without, in one stack") {
  auto chunk = async_profiler_4_chunk().ticks_per_second(2'000'000'000);
  const auto stack = chunk.stack({"Main.main"});
  chunk.active_setting({.event = "jdk.ExecutionSample", .name = "wall", .value = "1000"});
  chunk.wall_clock_sample({.stack = stack, .samples = 4, .time_span_ticks = 4'001});  // 2,000 ns
  chunk.wall_clock_sample({.stack = stack, .samples = 3});                            // 3,000 ns
  CHECK(lines_of(read({chunk.bytes()}), "wall") == "Main.main 7 5000\n");
}

TEST_CASE("by hand: of two settings in a chunk the last one counts for all of its samples") {
  auto chunk = jdk17_chunk();
  const auto stack = chunk.stack({"Main.main"});
  chunk.active_setting({.event = "jdk.NativeMethodSample", .name = "period", .value = "10 ms"});
  chunk.native_method_sample({.stack = stack});
  chunk.active_setting({.event = "jdk.NativeMethodSample", .name = "period", .value = "20 ms"});
  chunk.native_method_sample({.stack = stack});
  CHECK(lines_of(read({chunk.bytes()}), "native") == "Main.main 2 40000000\n");
}

TEST_CASE("by hand: failed CPU time samples have their period and no stack") {
  auto chunk = jdk25_chunk().ticks_per_second(1'000'000'000);
  const auto stack = chunk.stack({"Main.main"});
  chunk.cpu_time_sample({.stack = stack, .sampling_period_ticks = 10'000'000});
  chunk.cpu_time_sample({.failed = true, .sampling_period_ticks = 20'000'000});
  chunk.cpu_time_sample({.failed = true, .sampling_period_ticks = 5});
  const ProfileSet set = read({chunk.bytes()});
  CHECK(lines_of(set, "cpu-time") == "Main.main 1 10000000\n[no stack] 2 20000005\n");
}

TEST_CASE("by hand: exceptions of a class that is an error in another chunk count there") {
  const auto recording = [](bool has_error) {
    auto chunk = jdk17_chunk();
    const auto stack = chunk.stack({"Main.main"});
    const auto thrown = chunk.class_constant("a/Broken");
    chunk.event("jdk.JavaExceptionThrow", {{"stackTrace", stack}, {"thrownClass", thrown}});
    chunk.event("jdk.JavaExceptionThrow", {{"stackTrace", stack}, {"thrownClass", thrown}});
    if (has_error) {
      chunk.event("jdk.JavaErrorThrow", {{"stackTrace", stack}, {"thrownClass", thrown}});
    }
    return chunk.bytes();
  };
  // 1 error of the first chunk, 2 exceptions of the second.
  CHECK(lines_of(read({joined({recording(true), recording(false)})}), "exceptions") ==
        "Main.main > a.Broken 3 3\n");
}

TEST_CASE("by hand: pinned threads without a duration count, with 0 ns") {
  auto chunk = jdk25_chunk().ticks_per_second(1'000'000'000);
  const auto stack = chunk.stack({"Main.main"});
  chunk.event("jdk.VirtualThreadPinned", {{"stackTrace", stack}, {"duration", 0}});
  chunk.event("jdk.VirtualThreadPinned", {{"stackTrace", stack}, {"duration", 21}});
  CHECK(lines_of(read({chunk.bytes()}), "pinned") == "Main.main 2 21\n");
}

TEST_CASE("by hand: Datadog's samples of weight 3 count three times, of weight 0 not at all") {
  auto chunk = datadog_chunk();
  chunk.execution_sample({.stack = chunk.stack({"Main.a"}), .weight = 3});
  chunk.execution_sample({.stack = chunk.stack({"Main.a"}), .weight = 2});
  chunk.execution_sample({.stack = chunk.stack({"Main.b"}), .weight = 0});
  const ProfileSet set = read({chunk.bytes()});
  CHECK(set.find("cpu")->count == 5);
  CHECK(set.find("cpu")->event_count == 3);
}

TEST_CASE("by hand: a value field of fractions is rounded for each event, halves to even") {
  auto chunk = jdk17_chunk();
  chunk.types().declare(TypeKind::event, "my.Load", 900,
                        "long startTime @Timestamp(TICKS); StackTrace* stackTrace; double load");
  for (const double load : {0.5, 1.5, 2.5, 0.49}) {  // 0, 2, 2, 0
    chunk.event("my.Load", {{"stackTrace", chunk.stack({"Main.main"})}, {"load", load}});
  }
  CHECK(lines_of(read({chunk.bytes()}, event("my.Load", "load")), "my.Load") == "Main.main 4 4\n");
}

TEST_CASE("by hand: floats, an array of structs and texts in front of a duration move nothing") {
  auto chunk = jdk17_chunk().ticks_per_second(1'000'000'000);
  chunk.types().declare(TypeKind::plain, "my.Point", 901, "float x; double y; String name");
  chunk.types().declare(
      TypeKind::event, "my.Step", 900,
      "long startTime @Timestamp(TICKS); float ratio; Point[] points; String note; "
      "StackTrace* stackTrace; long duration @Timespan(TICKS)");
  const auto stack = chunk.stack({"Main.main"});
  // startTime, ratio, two points, a text, the stack, 40 ticks.
  ByteWriter payload = chunk.payload();
  payload.long_value(1'000).float_value(1.5F).count(2);
  payload.float_value(0).double_value(0.5).string("a").float_value(-1).double_value(9).string("");
  payload.string("note").key(stack).long_value(40);
  chunk.raw_event(900, payload);
  CHECK(lines_of(read({chunk.bytes()}, event("my.Step")), "my.Step") == "Main.main 1 40\n");
}
