/// What each kind counts, event by event. Numbers are those that were written, or by hand.

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "profile/reading.hpp"
#include "support/scenarios.hpp"

using namespace jfrtree;
using namespace jfrtree::test;

namespace {

void thrown(StandardChunk& chunk, std::string_view event, std::uint64_t thrown_class,
            std::uint64_t stack) {
  chunk.event(event, {{"stackTrace", stack}, {"message", "no"}, {"thrownClass", thrown_class}});
}

constexpr std::string_view error_event = "jdk.JavaErrorThrow";
constexpr std::string_view exception_event = "jdk.JavaExceptionThrow";

ProfileRequest without_leaf() {
  ProfileRequest request;
  request.frames.class_leaf = false;
  return request;
}

}  // namespace

TEST_CASE("native: samples in native methods, their time an estimate by the period of the event") {
  auto chunk = jdk17_chunk();
  const auto stack = chunk.stack({"Main.main", "Main.read0"});
  chunk.active_setting({.event = "jdk.NativeMethodSample", .name = "period", .value = "20 ms"});
  chunk.active_setting({.event = "jdk.ExecutionSample", .name = "period", .value = "10 ms"});
  chunk.native_method_sample({.stack = stack}).native_method_sample({.stack = stack});
  const ProfileSet set = read({chunk.bytes()});
  CHECK(lines_of(set, "native") == "Main.main > Main.read0 2 40000000\n");
  // An estimate is not what is shown.
  CHECK(totals_of(set, "native") == "native: 2, 40000000 (2) samples/count");
  CHECK(set.find("native")->sample_types[1].full_name() == "estimated_cpu/nanoseconds");
}

TEST_CASE("native: without its own period the time is unknown, whatever other events say") {
  auto chunk = jdk17_chunk();
  chunk.active_setting({.event = "jdk.ExecutionSample", .name = "period", .value = "10 ms"});
  chunk.native_method_sample({.stack = chunk.stack({"Main.main"})});
  CHECK(lines_of(read({chunk.bytes()}), "native") == "Main.main 1 -\n");
}

TEST_CASE("native: the period may be in an earlier chunk of the process, in whatever order") {
  auto first = jdk17_chunk().start_nanos(1000);
  first.active_setting({.event = "jdk.NativeMethodSample", .name = "period", .value = "1 ms"});
  first.jvm_information({.pid = 5});
  auto second = jdk17_chunk().start_nanos(2000);
  second.native_method_sample({.stack = second.stack({"Main.main"})});
  second.jvm_information({.pid = 5});
  CHECK(lines_of(read({second.bytes(), first.bytes()}), "native") == "Main.main 1 1000000\n");
  // Before the setting nothing is known.
  auto earlier = jdk17_chunk().start_nanos(500);
  earlier.native_method_sample({.stack = earlier.stack({"Main.main"})});
  earlier.jvm_information({.pid = 5});
  CHECK(lines_of(read({first.bytes(), earlier.bytes()}), "native") == "Main.main 1 -\n");
}

TEST_CASE("live: OldObjectSample takes its class from the object, and its size from JDK 18 on") {
  const auto recording = [](StandardChunk chunk, bool has_size) {
    const auto object =
        chunk.constant("OldObject", {{"address", 16}, {"type", chunk.class_constant("[I")}});
    const auto stack = chunk.stack({"Main.main"});
    std::vector<NamedValue> values{{"stackTrace", stack}, {"object", object}};
    if (has_size) values.emplace_back("objectSize", 64);
    chunk.event("jdk.OldObjectSample", values);
    return chunk.bytes();
  };
  CHECK(lines_of(read({recording(jdk25_chunk(), true)}), "live") == "Main.main > int[] 1 64\n");
  CHECK(lines_of(read({recording(jdk25_chunk(), true)}, without_leaf()), "live") ==
        "Main.main 1 64\n");
  const ProfileSet old = read({recording(jdk17_chunk(), false)});
  CHECK(lines_of(old, "live") == "Main.main > int[] 1 -\n");
  CHECK(totals_of(old, "live") == "live: 1, - (1) inuse_objects/count");
}

TEST_CASE("live: an object without an entry in the pool reads ?") {
  auto chunk = jdk25_chunk();
  chunk.event("jdk.OldObjectSample",
              {{"stackTrace", chunk.stack({"Main.main"})}, {"objectSize", 8}, {"object", 77U}});
  CHECK(lines_of(read({chunk.bytes()}), "live") == "Main.main > ? 1 8\n");
}

TEST_CASE("live: Datadog's objects are size × weight, rounded for each event, halves to even") {
  auto chunk = datadog_chunk();
  const auto stack = chunk.stack({"Main.main"});
  const auto add = [&](std::int64_t size, double weight) {
    chunk.event("datadog.HeapLiveObject", {{"stackTrace", stack},
                                           {"objectClass", chunk.class_constant("a/B")},
                                           {"size", size},
                                           {"weight", weight}});
  };
  add(5, 0.5);   // 2.5: 2
  add(10, 2.0);  // 20
  CHECK(lines_of(read({chunk.bytes()}), "live") == "Main.main > a.B 2 22\n");
}

TEST_CASE("native-lock: async-profiler's waits for native locks, in ns by the chunk's clock") {
  auto chunk = async_profiler_4_chunk().ticks_per_second(2'000'000'000);
  chunk.event("profiler.NativeLock",
              {{"stackTrace", chunk.stack({"Main.main"})}, {"duration", 301}});
  const ProfileSet set = read({chunk.bytes()});
  CHECK(lines_of(set, "native-lock") == "Main.main 1 150\n");
  CHECK(totals_of(set, "native-lock") == "native-lock: 1, 150 (1) delay/nanoseconds");
}

TEST_CASE("wait: Object.wait below the monitor's class, Thread.sleep without one") {
  auto chunk = jdk17_chunk().ticks_per_second(1'000'000'000);
  const auto stack = chunk.stack({"Main.main"});
  chunk.monitor_wait(
      {.stack = stack, .monitor_class = chunk.class_constant("a/Lock"), .duration_ticks = 30});
  chunk.event("jdk.ThreadSleep", {{"stackTrace", stack}, {"duration", 12}});
  const ProfileSet set = read({chunk.bytes()});
  CHECK(lines_of(set, "wait") == "Main.main 1 12\nMain.main > a.Lock 1 30\n");
  CHECK(set.find("wait")->events ==
        std::vector<std::string>{"jdk.JavaMonitorWait", "jdk.ThreadSleep"});
}

TEST_CASE("exceptions: thrown exceptions and errors, below their class") {
  auto chunk = jdk17_chunk();
  const auto stack = chunk.stack({"Main.main"});
  thrown(chunk, exception_event, chunk.class_constant("a/Refused"), stack);
  thrown(chunk, exception_event, chunk.class_constant("a/Refused"), stack);
  thrown(chunk, error_event, chunk.class_constant("a/Broken"), stack);
  const ProfileSet set = read({chunk.bytes()});
  CHECK(lines_of(set, "exceptions") == "Main.main > a.Broken 1 1\nMain.main > a.Refused 2 2\n");
  CHECK(totals_of(set, "exceptions") == "exceptions: 3, 3 (3) exceptions/count");
  CHECK(set.left_out.empty());
}

TEST_CASE("exceptions: an error that is written twice again as an exception counts once") {
  auto chunk = jdk17_chunk();
  const auto stack = chunk.stack({"Main.main"});
  const auto broken = chunk.class_constant("a/Broken");
  for (int i = 0; i < 100; ++i) {
    thrown(chunk, exception_event, broken, stack);
    thrown(chunk, exception_event, broken, stack);
    thrown(chunk, error_event, broken, stack);
  }
  thrown(chunk, exception_event, chunk.class_constant("a/Refused"), stack);
  const ProfileSet set = read({chunk.bytes()});
  CHECK(lines_of(set, "exceptions") == "Main.main > a.Broken 100 100\nMain.main > a.Refused 1 1\n");
  CHECK(left_out_of(set.left_out) == "exceptions jdk.JavaExceptionThrow x200");
  // Also where classes are not shown, by thread, and without stacks.
  CHECK(lines_of(read({chunk.bytes()}, without_leaf()), "exceptions") == "Main.main 101 101\n");
  ProfileRequest by_thread;
  by_thread.frames.by_thread = true;
  CHECK(read({chunk.bytes()}, by_thread).find("exceptions")->count == 101);
  const RecordingSummary summary = summary_of({chunk.bytes()});
  CHECK(summary.profiles.at(0).samples == 101);
  CHECK(left_out_of(summary.profiles.at(0).left_out) == "exceptions jdk.JavaExceptionThrow x200");
}

TEST_CASE("exceptions: which classes are errors is decided by each chunk for itself") {
  auto both = jdk17_chunk();
  thrown(both, error_event, both.class_constant("a/Broken"), both.stack({"Main.both"}));
  thrown(both, exception_event, both.class_constant("a/Broken"), both.stack({"Main.both"}));
  auto alone = jdk17_chunk();
  thrown(alone, exception_event, alone.class_constant("a/Broken"), alone.stack({"Main.alone"}));
  const ProfileSet set = read({joined({both.bytes(), alone.bytes()})});
  CHECK(lines_of(set, "exceptions") == "Main.alone > a.Broken 1 1\nMain.both > a.Broken 1 1\n");
}

TEST_CASE("exceptions: an event that is named counts all of its events") {
  auto chunk = jdk17_chunk();
  const auto broken = chunk.class_constant("a/Broken");
  thrown(chunk, error_event, broken, chunk.stack({"Main.main"}));
  thrown(chunk, exception_event, broken, chunk.stack({"Main.main"}));
  const ProfileSet set = read({chunk.bytes()}, event("jdk.JavaExceptionThrow"));
  CHECK(set.find("jdk.JavaExceptionThrow")->count == 1);
  CHECK(set.left_out.empty());
}

TEST_CASE("exceptions: where all are left out the events are not named as their source") {
  auto chunk = jdk17_chunk();
  const auto broken = chunk.class_constant("a/Broken");
  thrown(chunk, error_event, broken, chunk.stack({"Main.main"}));
  thrown(chunk, exception_event, broken, chunk.stack({"Main.main"}));
  CHECK(read({chunk.bytes()}).find("exceptions")->events ==
        std::vector<std::string>{"jdk.JavaErrorThrow"});
}

TEST_CASE("method-trace: the traced method is the leaf, unless the stack ends in it") {
  auto chunk = jdk25_chunk().ticks_per_second(1'000'000'000);
  const auto traced = chunk.method("Main.traced");
  const auto add = [&](const std::vector<FrameSpec>& stack, std::uint64_t method) {
    chunk.event("jdk.MethodTrace",
                {{"stackTrace", chunk.stack(stack)}, {"duration", 10}, {"method", method}});
  };
  add({"Main.main", "Main.caller"}, traced);
  add({"Main.main", FrameSpec("Main.traced").line(7)}, traced);
  add({"Main.main", "Main.other"}, 0);  // as async-profiler writes it
  const ProfileSet set = read({chunk.bytes()});
  CHECK(lines_of(set, "method-trace") ==
        "Main.main > Main.caller > Main.traced 1 10\n"
        "Main.main > Main.other 1 10\n"
        "Main.main > Main.traced 1 10\n");
  CHECK(totals_of(set, "method-trace") == "method-trace: 3, 30 (3) duration/nanoseconds");
  CHECK(lines_of(read({chunk.bytes()}, without_leaf()), "method-trace") ==
        "Main.main > Main.caller 1 10\nMain.main > Main.other 1 10\n"
        "Main.main > Main.traced 1 10\n");
}

TEST_CASE("method-trace: a recursive call of the traced method ends in it already") {
  auto chunk = jdk25_chunk();
  // Another method of the same name is another method.
  const auto overloaded = chunk.method(FrameSpec("Main.traced").signature("(I)V"));
  chunk.event("jdk.MethodTrace",
              {{"stackTrace", chunk.stack({"Main.main", "Main.traced"})}, {"method", overloaded}});
  CHECK(lines_of(read({chunk.bytes()}), "method-trace") ==
        "Main.main > Main.traced > Main.traced 1 0\n");
}

TEST_CASE("pinned: virtual threads that blocked their carrier, with their time") {
  auto chunk = jdk25_chunk().ticks_per_second(1'000'000'000);
  chunk.event("jdk.VirtualThreadPinned", {{"stackTrace", chunk.stack({"Main.main"})},
                                          {"duration", 21},
                                          {"pinnedReason", "Native frame"}});
  CHECK(totals_of(read({chunk.bytes()}), "pinned") == "pinned: 1, 21 (1) delay/nanoseconds");
}

TEST_CASE("a negative duration is a problem, counts as 0, and the event stays") {
  auto chunk = async_profiler_4_chunk().ticks_per_second(1'000'000'000);
  const auto stack = chunk.stack({"Main.main"});
  chunk.event("profiler.NativeLock", {{"stackTrace", stack}, {"duration", -5}});
  chunk.event("profiler.NativeLock", {{"stackTrace", stack}, {"duration", 7}});
  const ProfileSet set = read({chunk.bytes()});
  CHECK(lines_of(set, "native-lock") == "Main.main 2 7\n");
  CHECK(findings(set.problems).starts_with("value_out_of_range chunk 1"));
}

TEST_CASE("durations that are not available are unknown, not numbers") {
  auto chunk = jdk25_chunk().ticks_per_second(1'000'000'000);
  const auto stack = chunk.stack({"Main.main"});
  for (const std::int64_t duration : {std::numeric_limits<std::int64_t>::min(),
                                      std::numeric_limits<std::int64_t>::max(), std::int64_t{4}}) {
    chunk.event("jdk.VirtualThreadPinned", {{"stackTrace", stack}, {"duration", duration}});
  }
  const ProfileSet set = read({chunk.bytes()});
  CHECK(totals_of(set, "pinned") == "pinned: 3, - (3) pins/count");
  CHECK(lines_of(set, "pinned") == "Main.main 3 4\n");
  CHECK(findings(set.problems).empty());
}

TEST_CASE("a chunk is async-profiler's by its settings alone: all samples are wall") {
  auto chunk = jdk17_chunk();
  chunk.active_setting({.name = "event", .value = "wall"});
  chunk.active_setting({.name = "interval", .value = "1000"});
  chunk.execution_sample({.stack = chunk.stack({"Main.main"})});
  CHECK(lines_of(read({chunk.bytes()}), "wall") == "Main.main 1 1000\n");
  CHECK(lines_of(read({chunk.bytes()}, kinds({"wall"})), "wall") == "Main.main 1 1000\n");
}
