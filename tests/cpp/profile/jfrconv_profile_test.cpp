/// Samples, sums and names as async-profiler's converter has them. Whole recordings are compared
/// with the converter itself by tests/compat.

#include "profile/jfrconv_profile.hpp"

#include <doctest/doctest.h>

#include <string>

#include <jfrtree/error.hpp>

#include "profile/reading.hpp"
#include "support/standard_chunk.hpp"

using namespace jfrtree;
using namespace jfrtree::test;

namespace {

ProfileRequest jfrconv(std::string kind, bool by_thread = false) {
  ProfileRequest request = kinds({std::move(kind)});
  request.compat = Compat::jfrconv;
  request.frames.by_thread = by_thread;
  return request;
}

std::string lines(const StandardChunk& chunk, const std::string& kind, bool by_thread = false) {
  return lines_of(read({chunk.bytes()}, jfrconv(kind, by_thread)), kind);
}

}  // namespace

TEST_CASE("jfrconv: frames have slashes, class leaves dots, native frames the symbol alone") {
  auto chunk = async_profiler_4_chunk();
  const auto stack = chunk.stack({FrameSpec::of("a/b/Work$$Lambda$1.0x00007ff264000a08", "run"),
                                  FrameSpec::native("memset", "libc.so.6").type("Native")});
  const auto objects = chunk.class_constant("[Ljava/lang/Object;");
  const auto bytes = chunk.class_constant("[B");
  chunk.allocation_in_new_tlab(
      {.stack = stack, .object_class = objects, .allocation_size = 8, .tlab_size = 800});
  chunk.allocation_in_new_tlab({.stack = stack, .object_class = objects, .allocation_size = 8});
  chunk.allocation_outside_tlab({.stack = stack, .object_class = bytes, .allocation_size = 16});
  chunk.allocation_outside_tlab({.stack = stack, .object_class = 4711, .allocation_size = 24});
  chunk.allocation_outside_tlab({.stack = stack, .allocation_size = 32});
  CHECK(lines(chunk, "alloc") ==
        "a/b/Work$$Lambda$1.0x00007ff264000a08.run > memset 1 32\n"
        "a/b/Work$$Lambda$1.0x00007ff264000a08.run > memset > byte[] 1 16\n"
        "a/b/Work$$Lambda$1.0x00007ff264000a08.run > memset > java.lang.Object[] 2 808\n"
        "a/b/Work$$Lambda$1.0x00007ff264000a08.run > memset > null 1 24\n");
}

TEST_CASE("jfrconv: a method that the chunk does not define is unknown") {
  auto chunk = async_profiler_4_chunk();
  const auto stack = chunk.stack({FrameSpec::of("a/List", ""), FrameSpec::of("", "tick")});
  auto missing = chunk.payload();
  missing.boolean_value(false).count(1).key(4711).int_value(1).int_value(0).key(1);
  chunk.raw_constant("StackTrace", 99, missing);
  chunk.execution_sample({.stack = stack, .state = "STATE_DEFAULT"});
  chunk.execution_sample({.stack = 99, .state = "STATE_DEFAULT"});
  CHECK(lines(chunk, "cpu") ==
        "a/List > tick 1 1\n"
        "unknown 1 1\n");
}

TEST_CASE("jfrconv: cpu is the state STATE_DEFAULT, wall any other, the value the count") {
  auto chunk = async_profiler_4_chunk();
  const auto stack = chunk.stack({"Main.run"});
  chunk.execution_sample({.stack = stack, .state = "STATE_DEFAULT"});
  chunk.execution_sample({.stack = stack, .state = "STATE_RUNNABLE"});
  chunk.wall_clock_sample({.stack = stack, .state = "STATE_SLEEPING", .samples = 7});
  CHECK(lines(chunk, "cpu") == "Main.run 1 1\n");
  CHECK(lines(chunk, "wall") == "Main.run 8 8\n");
  const ProfileSet set = read({chunk.bytes()}, jfrconv("wall"));
  CHECK(set.find("wall")->default_sample_type == 0);
  CHECK(set.find("wall")->sample_types[1].unit == "count");
}

TEST_CASE("jfrconv: samples of the JDK are wall, and cpu says where they are") {
  auto chunk = jdk17_chunk();
  const auto stack = chunk.stack({"Main.run"});
  chunk.execution_sample({.stack = stack, .state = "STATE_RUNNABLE"});
  chunk.native_method_sample({.stack = stack, .state = "STATE_SLEEPING"});
  CHECK(lines(chunk, "wall") == "Main.run 2 2\n");
  CHECK_THROWS_WITH_AS(read({chunk.bytes()}, jfrconv("cpu")), doctest::Contains("-p wall"),
                       ProfileNotFound);
}

TEST_CASE("jfrconv: samples without a stack are left out and noted") {
  auto chunk = async_profiler_4_chunk();
  const auto stack = chunk.stack({"Main.run"});
  chunk.execution_sample({.stack = stack, .state = "STATE_DEFAULT"});
  chunk.execution_sample({.state = "STATE_DEFAULT"});
  chunk.execution_sample({.stack = 4711, .state = "STATE_DEFAULT"});
  const ProfileSet set = read({chunk.bytes()}, jfrconv("cpu"));
  CHECK(lines_of(set, "cpu") == "Main.run 1 1\n");
  CHECK(findings(set.problems) == "[left_out x2 chunk 1 at 0]");
}

TEST_CASE("jfrconv: both kinds of allocation events add up, with a note") {
  auto chunk = jdk17_chunk();
  const auto stack = chunk.stack({"Main.run"});
  chunk.allocation_in_new_tlab({.stack = stack, .allocation_size = 8, .tlab_size = 100});
  chunk.allocation_sample({.stack = stack, .weight = 1000});
  const ProfileSet set = read({chunk.bytes()}, jfrconv("alloc"));
  CHECK(lines_of(set, "alloc") == "Main.run 2 1100\n");
  CHECK(findings(set.problems) == "[left_out chunk 1 at 0]");
}

TEST_CASE("jfrconv: durations are summed in ticks by stack and class, then cut to nanoseconds") {
  auto chunk = jdk17_chunk().ticks_per_second(1'500'000'000);
  const auto stack = chunk.stack({"Main.run"});
  const auto type = chunk.class_constant("a/Lock");
  // 1 tick is 0.67 ns: 5 ticks are 3 ns together, each cut by itself they would be 2.
  chunk.monitor_enter({.stack = stack, .monitor_class = type, .duration_ticks = 2});
  chunk.thread_park({.stack = stack, .monitor_class = type, .duration_ticks = 2});
  chunk.monitor_enter({.stack = stack, .monitor_class = type, .duration_ticks = 1});
  CHECK(lines(chunk, "lock") == "Main.run > a.Lock 3 3\n");
}

TEST_CASE("jfrconv: threads have the key of their constant") {
  auto chunk = jdk17_chunk();
  const auto stack = chunk.stack({"Main.run"});
  const auto main =
      chunk.thread({.java_name = "main", .os_name = "java", .java_id = 1, .os_id = 500});
  const auto nameless = chunk.thread({.os_id = 501, .key = 52});
  const auto os = chunk.thread({.os_name = "GC", .os_id = 502, .key = 53});
  for (const std::uint64_t thread : {main, nameless, os, std::uint64_t{4711}}) {
    chunk.execution_sample({.stack = stack, .thread = thread, .state = "STATE_RUNNABLE"});
  }
  CHECK(lines(chunk, "wall", true) ==
        "[GC tid=53] > Main.run 1 1\n"
        "[main tid=1] > Main.run 1 1\n"
        "[tid=4711] > Main.run 1 1\n"
        "[tid=52] > Main.run 1 1\n");
}

TEST_CASE("jfrconv: reads one of its kinds at a time") {
  const auto bytes = jdk17_chunk().bytes();
  ProfileRequest none;
  none.compat = Compat::jfrconv;
  CHECK_THROWS_AS(read({bytes}, none), UsageError);
  ProfileRequest several = jfrconv("cpu");
  several.kinds.emplace_back("wall");
  CHECK_THROWS_AS(read({bytes}, several), UsageError);
  CHECK_THROWS_WITH_AS(read({bytes}, jfrconv("park")), doctest::Contains("it has cpu, wall"),
                       UsageError);
}
