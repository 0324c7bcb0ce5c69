/// Filters on events: time, duration, thread, state and context.

#include <doctest/doctest.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "profile/reading.hpp"
#include "support/standard_chunk.hpp"
#include "support/test_paths.hpp"

using namespace jfrtree;
using namespace jfrtree::test;

namespace {

constexpr std::int64_t start_ns = 1'700'000'000'000'000'000;

TimePoint at(std::int64_t ns) { return {TimePoint::Base::epoch, ns}; }

/// Lines of a kind under filters.
std::string lines(const std::vector<Bytes>& recordings, const FilterOptions& filters,
                  std::string_view kind = "cpu") {
  ProfileRequest request = kinds({std::string(kind)});
  request.filters = filters;
  return lines_of(read(recordings, request), kind);
}

FilterOptions with(const std::function<void(FilterOptions&)>& set) {
  FilterOptions filters;
  set(filters);
  return filters;
}

std::string error_of(const std::vector<Bytes>& recordings, const ProfileRequest& request) {
  try {
    (void)read(recordings, request);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

/// Samples of one method each: A, B, C at ticks 2000, 3000, 4000 (1, 2 and 3 µs behind the start).
StandardChunk three_samples() {
  StandardChunk chunk = jdk17_chunk();
  std::int64_t ticks = 2000;
  for (const char* name : {"Main.a", "Main.b", "Main.c"}) {
    chunk.execution_sample({.stack = chunk.stack({name}), .start_ticks = ticks});
    ticks += 1000;
  }
  return chunk;
}

}  // namespace

TEST_CASE("a time range holds what begins at its start and not what begins at its end") {
  const std::vector<Bytes> recording{three_samples().bytes()};
  const auto range = [&](std::int64_t from, std::int64_t to) {
    return lines(recording, with([&](FilterOptions& filters) {
                   filters.from = {at(start_ns + from)};
                   filters.to = {at(start_ns + to)};
                 }));
  };
  CHECK(range(0, 5000) == "Main.a 1 -\nMain.b 1 -\nMain.c 1 -\n");
  CHECK(range(1000, 2000) == "Main.a 1 -\n");
  CHECK(range(1001, 2001) == "Main.b 1 -\n");
  CHECK(range(2000, 3000) == "Main.b 1 -\n");
  CHECK(range(3001, 5000) == "");
}

TEST_CASE("one end of a time range may be open") {
  const std::vector<Bytes> recording{three_samples().bytes()};
  CHECK(lines(recording, with([](FilterOptions& filters) {
                filters.from = {at(start_ns + 2000)};
              })) == "Main.b 1 -\nMain.c 1 -\n");
  CHECK(lines(recording, with([](FilterOptions& filters) {
                filters.to = {at(start_ns + 2000)};
              })) == "Main.a 1 -\n");
}

TEST_CASE("of several times the earliest from and the latest to count") {
  const std::vector<Bytes> recording{three_samples().bytes()};
  CHECK(lines(recording, with([](FilterOptions& filters) {
                filters.from = {at(start_ns + 3000), at(start_ns + 2000)};
                filters.to = {at(start_ns + 2500), at(start_ns + 1)};
              })) == "Main.b 1 -\n");
}

TEST_CASE("an empty time range is an empty profile, one that ends before it begins an error") {
  const std::vector<Bytes> recording{three_samples().bytes()};
  ProfileRequest request;
  request.filters.from = {at(start_ns)};
  request.filters.to = {at(start_ns)};
  const ProfileSet set = read(recording, request);
  CHECK(kinds_of(set) == "cpu");
  CHECK(totals_of(set, "cpu") == "cpu: 0, 0 (0) samples/count");
  request.filters.to = {at(start_ns - 1)};
  CHECK(error_of(recording, request) ==
        "--from and --to contradict each other: --from is the later one");
}

TEST_CASE("the time of an event is that of its own chunk's clock (3 ticks a ns and 1 tick a ns)") {
  auto fast = jdk17_chunk().ticks_per_second(3'000'000'000).start_ticks(500);
  fast.execution_sample({.stack = fast.stack({"Main.fast"}), .start_ticks = 500 + 3000});
  auto slow = jdk17_chunk().start_ticks(9'000'000);
  slow.execution_sample({.stack = slow.stack({"Main.slow"}), .start_ticks = 9'000'000 + 1000});
  // An event that began before its chunk.
  auto early = jdk17_chunk().start_ticks(9'000'000);
  early.execution_sample({.stack = early.stack({"Main.early"}), .start_ticks = 9'000'000 - 7});
  const std::vector<Bytes> recording{joined({fast.bytes(), slow.bytes(), early.bytes()})};
  const auto range = [&](std::int64_t from, std::int64_t to) {
    return lines(recording, with([&](FilterOptions& filters) {
                   filters.from = {at(start_ns + from)};
                   filters.to = {at(start_ns + to)};
                 }));
  };
  CHECK(range(1000, 1001) == "Main.fast 1 -\nMain.slow 1 -\n");
  CHECK(range(-7, -6) == "Main.early 1 -\n");
  CHECK(range(1001, 10'000) == "");
}

TEST_CASE("times of the second of two joined JVMs are by its own clock (jdk15)") {
  const auto path = recording("openjdk_jmc__jdk15.jfr");
  if (!path) return;
  // The JDK's reader on the second chunk as a file of its own, whose clock has 1.6e9 ticks a
  // second; the first one has 3.4e9 and began in 2018.
  constexpr std::int64_t first = 1'601'585'077'596'056'168;
  constexpr std::int64_t second = 1'601'585'081'145'291'782;
  constexpr std::int64_t recording_start = 1'544'646'036'395'000'064;
  const auto dumps = [&](const TimePoint& from, const TimePoint& to) {
    ProfileRequest request = event("jdk.HeapDump");
    request.filters.from = {from};
    request.filters.to = {to};
    return read_file(*path, request).find("jdk.HeapDump")->count;
  };
  // The JDK calculates with doubles, which is right to the nanosecond.
  CHECK(dumps(at(first - 1), at(first + 2)) == 1);
  CHECK(dumps(at(first + 2), at(second - 1)) == 0);
  CHECK(dumps(at(second - 1), at(second + 2)) == 1);
  CHECK(dumps(at(first - 1), at(second + 2)) == 2);
  const auto behind_start = [](std::int64_t ns) {
    return TimePoint{TimePoint::Base::recording_start, ns - recording_start};
  };
  CHECK(dumps(behind_start(first - 1), behind_start(first + 2)) == 1);
  CHECK(dumps(behind_start(0), behind_start(first - 1)) == 0);
}

TEST_CASE("threads are chosen by a pattern on their name or by their id") {
  auto chunk = jdk17_chunk();
  const auto add = [&chunk](const char* method, const ThreadSpec& thread) {
    chunk.execution_sample({.stack = chunk.stack({method}), .thread = chunk.thread(thread)});
  };
  add("Main.pool",
      {.java_name = "pool-1-thread-7", .os_name = "x", .java_id = 3, .os_id = 11, .key = 101});
  add("Main.gc", {.os_name = "GC Thread#0", .os_id = 12, .key = 102});
  add("Main.nameless", {.os_id = 13, .key = 103});
  add("Main.java", {.java_name = "main", .java_id = 1, .key = 104});
  chunk.execution_sample({.stack = chunk.stack({"Main.unknown"}), .thread = 77});
  const std::vector<Bytes> recording{chunk.bytes()};
  const auto by_name = [&](std::vector<std::string> patterns) {
    return lines(recording, with([&](FilterOptions& filters) { filters.threads = patterns; }));
  };
  const auto by_id = [&](std::vector<std::uint64_t> ids) {
    return lines(recording, with([&](FilterOptions& filters) { filters.thread_ids = ids; }));
  };
  CHECK(by_name({"pool-\\d+"}) == "Main.pool 1 -\n");
  CHECK(by_name({"^thread"}) == "");
  CHECK(by_name({"^main$", "GC"}) == "Main.gc 1 -\nMain.java 1 -\n");
  CHECK(by_name({"^tid=13$"}) == "Main.nameless 1 -\n");
  CHECK(by_name({"^unknown thread$"}) == "Main.unknown 1 -\n");
  CHECK(by_id({11, 12}) == "Main.gc 1 -\nMain.pool 1 -\n");
  CHECK(by_id({1}) == "Main.java 1 -\n");
  CHECK(by_id({3}) == "");
  CHECK(lines(recording, with([](FilterOptions& filters) {
                filters.threads = {"pool", "GC"};
                filters.thread_ids = {12, 13};
              })) == "Main.gc 1 -\n");
}

TEST_CASE("thread states are chosen by name, with STATE_ or without, in any case") {
  auto chunk = async_profiler_4_chunk();
  const auto add = [&chunk](const char* method, std::string_view state) {
    chunk.execution_sample({.stack = chunk.stack({method}), .state = state});
  };
  add("Main.cpu", "STATE_DEFAULT");
  add("Main.run", "STATE_RUNNABLE");
  add("Main.sleep", "STATE_SLEEPING");
  const std::vector<Bytes> recording{chunk.bytes()};
  const auto in = [&](std::vector<std::string> states, std::string_view kind) {
    return lines(recording, with([&](FilterOptions& filters) { filters.states = states; }), kind);
  };
  CHECK(in({"SLEEPING"}, "wall") == "Main.sleep 1 -\n");
  CHECK(in({"STATE_SLEEPING", "runnable"}, "wall") == "Main.run 1 -\nMain.sleep 1 -\n");
  CHECK(in({"DEFAULT"}, "cpu") == "Main.cpu 1 -\n");
  CHECK(in({"DEFAULT"}, "wall") == "");
}

TEST_CASE("a state that the recording does not know is an error that lists those it knows") {
  auto chunk = async_profiler_4_chunk();
  chunk.execution_sample({.stack = chunk.stack({"Main.run"}), .state = "STATE_RUNNABLE"});
  ProfileRequest request;
  request.filters.states = {"SLEEP"};
  CHECK(error_of({chunk.bytes()}, request) ==
        "1.jfr: --state: no thread state is called SLEEP; the recording has: DEFAULT, RUNNABLE, "
        "SLEEPING");
}

TEST_CASE("the shortest duration is compared in ns by the chunk's clock") {
  auto chunk = jdk17_chunk().ticks_per_second(2'000'000'000);
  // 1999, 2000 and 2001 ticks are 999, 1000 and 1000 ns.
  for (const std::int64_t ticks : {1999, 2000, 2001}) {
    const std::string method = "Main.ticks" + std::to_string(ticks);
    chunk.monitor_enter({.stack = chunk.stack({method}), .duration_ticks = ticks});
  }
  ProfileRequest request = kinds({"lock"});
  request.frames.class_leaf = false;
  request.filters.min_duration_ns = 1000;
  CHECK(lines_of(read({chunk.bytes()}, request), "lock") ==
        "Main.ticks2000 1 1000\nMain.ticks2001 1 1000\n");
  request.filters.min_duration_ns = 0;
  CHECK(read({chunk.bytes()}, request).find("lock")->count == 3);
}

TEST_CASE("samples without a duration pass no least duration, which is said") {
  ProfileRequest request = kinds({"cpu"});
  request.filters.min_duration_ns = 1;
  CHECK(error_of({three_samples().bytes()}, request) ==
        "1.jfr: --min-duration: no event of the profiles asked for has a duration");
}

TEST_CASE("context fields are compared as numbers, hexadecimal ids and texts") {
  auto chunk = jdk17_chunk();
  chunk.types().declare(TypeKind::event, "my.Sample", 900,
                        "long startTime @Timestamp(TICKS); Thread* eventThread; "
                        "StackTrace* stackTrace; long spanId; String* spanName; "
                        "long traceIdHigh; long traceIdLow; String endpoint");
  const auto add = [&chunk](const char* method, std::int64_t id, const char* name,
                            const char* endpoint) {
    chunk.event("my.Sample", {{"stackTrace", chunk.stack({method})},
                              {"spanId", id},
                              {"spanName", chunk.string_constant(name)},
                              {"traceIdHigh", 0x4bf92f3577b34da6},
                              {"traceIdLow", id},
                              {"endpoint", endpoint}});
  };
  add("Main.a", 0x00f067aa0ba902b7, "GET /cart", "/cart");
  add("Main.b", -2, "GET /pay", "/pay");
  const std::vector<Bytes> recording{chunk.bytes()};
  const auto of = [&](std::vector<std::pair<std::string, std::string>> context) {
    ProfileRequest request = event("my.Sample");
    request.filters.context = std::move(context);
    return lines_of(read(recording, request), "my.Sample");
  };
  CHECK(of({{"spanId", "67667974448284343"}}) == "Main.a 1 -\n");
  CHECK(of({{"spanId", "0xf067aa0ba902b7"}}) == "Main.a 1 -\n");
  CHECK(of({{"spanId", "00f067aa0ba902b7"}}) == "Main.a 1 -\n");
  CHECK(of({{"spanId", "-2"}}) == "Main.b 1 -\n");
  CHECK(of({{"spanId", "18446744073709551614"}}) == "Main.b 1 -\n");
  CHECK(of({{"spanName", "GET /pay"}}) == "Main.b 1 -\n");
  CHECK(of({{"spanName", "GET"}}) == "");
  CHECK(of({{"endpoint", "/cart"}}) == "Main.a 1 -\n");
  CHECK(of({{"traceId", "4bf92f3577b34da600f067aa0ba902b7"}}) == "Main.a 1 -\n");
  CHECK(of({{"traceId", "4bf92f3577b34da6fffffffffffffffe"}}) == "Main.b 1 -\n");
  CHECK(of({{"spanId", "-2"}, {"spanId", "67667974448284343"}}) == "Main.a 1 -\nMain.b 1 -\n");
  CHECK(of({{"spanId", "-2"}, {"spanName", "GET /cart"}}) == "");
  ProfileRequest request = event("my.Sample");
  request.filters.context = {{"contextId", "1"}};
  CHECK(error_of(recording, request) ==
        "1.jfr: --context: no event of the profiles asked for has a field contextId; fields with "
        "a context: spanId, spanName, traceIdHigh, traceIdLow");
}

TEST_CASE("context: null is no text, booleans are true or false, fractions are refused") {
  auto chunk = jdk17_chunk();
  chunk.types().declare(TypeKind::event, "my.Order", 900,
                        "long startTime @Timestamp(TICKS); StackTrace* stackTrace; "
                        "String customer; boolean paid; double price; Class* kind");
  const auto add = [&chunk](const char* method, FieldValue customer, bool paid) {
    chunk.event("my.Order", {{"stackTrace", chunk.stack({method})},
                             {"customer", customer},
                             {"paid", paid ? 1 : 0},
                             {"price", 2.5}});
  };
  add("Main.none", nullptr, false);
  add("Main.empty", "", true);
  const std::vector<Bytes> recording{chunk.bytes()};
  const auto of = [&](const char* name, const char* value) {
    ProfileRequest request = event("my.Order");
    request.filters.context = {{name, value}};
    return lines_of(read(recording, request), "my.Order");
  };
  CHECK(of("customer", "") == "Main.empty 1 -\n");
  CHECK(of("paid", "true") == "Main.empty 1 -\n");
  CHECK(of("paid", "0") == "Main.none 1 -\n");
  for (const char* name : {"price", "kind"}) {
    ProfileRequest request = event("my.Order");
    request.filters.context = {{name, "2.5"}};
    CHECK(error_of(recording, request) ==
          "1.jfr: --context: the field " + std::string(name) +
              " is no whole number, text or boolean, with which alone values are compared");
  }
}

TEST_CASE("contextId of a recording of Pyroscope's profiler (dump1)") {
  const auto path = recording("grafana_jfr-parser__dump1.jfr.gz");
  if (!path) return;
  const std::uint64_t all = read_file(*path, kinds({"cpu"})).find("cpu")->count;
  ProfileRequest request = kinds({"cpu"});
  request.filters.context = {{"contextId", "0"}};
  const ProfileSet without = read_file(*path, request);
  const std::uint64_t none = without.find("cpu")->count;
  CHECK(none > 0);
  CHECK(none < all);
}

TEST_CASE("kinds that were not asked for and have nothing left are left out") {
  auto chunk = jdk17_chunk();
  const auto stack = chunk.stack({"Main.main"});
  chunk.execution_sample({.stack = stack, .start_ticks = 2000});
  chunk.monitor_enter({.stack = stack, .duration_ticks = 5, .start_ticks = 3000});
  ProfileRequest request;
  request.filters.from = {at(start_ns + 2000)};
  CHECK(kinds_of(read({chunk.bytes()}, request)) == "lock");
  request.kinds = {"cpu", "lock"};
  const ProfileSet set = read({chunk.bytes()}, request);
  CHECK(kinds_of(set) == "cpu, lock");
  CHECK(set.find("cpu")->events.empty());
}

TEST_CASE("which allocation events count does not depend on the filters") {
  auto chunk = jdk17_chunk();
  const auto stack = chunk.stack({"Main.main"});
  const auto type = chunk.class_constant("java/lang/String");
  chunk.allocation_in_new_tlab(
      {.stack = stack, .object_class = type, .tlab_size = 100, .start_ticks = 2000});
  chunk.allocation_sample({.stack = stack, .object_class = type, .weight = 7, .start_ticks = 3000});
  ProfileRequest request = kinds({"alloc"});
  request.filters.from = {at(start_ns + 2000)};
  CHECK(totals_of(read({chunk.bytes()}, request), "alloc") == "alloc: 0, 0 (0) alloc_space/bytes");
}
