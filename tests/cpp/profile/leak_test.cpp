/// Native memory: what was allocated, and with `leak` what was not freed.

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "profile/reading.hpp"
#include "support/scenarios.hpp"
#include "support/test_paths.hpp"

using namespace jfrtree;
using namespace jfrtree::test;

namespace {

struct MallocFields {
  std::int64_t address = 0;
  std::int64_t size = 0;
  std::int64_t at = 0;
  std::uint64_t stack = 0;
  std::uint64_t thread = 0;
};

void malloc_event(StandardChunk& chunk, const MallocFields& fields) {
  chunk.event("profiler.Malloc", {{"startTime", fields.at},
                                  {"eventThread", fields.thread},
                                  {"stackTrace", fields.stack},
                                  {"address", fields.address},
                                  {"size", fields.size}});
}

void free_event(StandardChunk& chunk, std::int64_t address, std::int64_t at) {
  chunk.event("profiler.Free", {{"startTime", at}, {"address", address}});
}

/// A chunk of a process whose clock counts nanoseconds from `start` on.
StandardChunk chunk_at(std::int64_t start, std::optional<std::int64_t> pid = 1) {
  auto chunk = async_profiler_4_chunk();
  chunk.start_nanos(start).start_ticks(0).ticks_per_second(1'000'000'000);
  if (pid) chunk.jvm_information({.pid = *pid});
  return chunk;
}

ReadOptions with_threads(unsigned threads) {
  ReadOptions options;
  options.threads = threads;
  return options;
}

ProfileRequest leaks() {
  ProfileRequest request = kinds({"native-mem"});
  request.leak = true;
  return request;
}

}  // namespace

TEST_CASE("native-mem counts the calls of malloc and their bytes, and no frees") {
  auto chunk = chunk_at(0);
  const auto stack = chunk.stack({"Main.main"});
  malloc_event(chunk, {.address = 1, .size = 100, .at = 10, .stack = stack});
  malloc_event(chunk, {.address = 2, .size = 30, .at = 20, .stack = stack});
  free_event(chunk, 1, 30);
  const ProfileSet set = read({chunk.bytes()});
  CHECK(kinds_of(set) == "native-mem");
  CHECK(lines_of(set, "native-mem") == "Main.main 2 130\n");
  CHECK(totals_of(set, "native-mem") == "native-mem: 2, 130 (2) malloc_space/bytes");
}

TEST_CASE("leak keeps what no later free of the same address ends, and says what it left out") {
  auto chunk = chunk_at(0);
  const auto kept = chunk.stack({"Main.keep"});
  const auto freed = chunk.stack({"Main.drop"});
  malloc_event(chunk, {.address = 1, .size = 100, .at = 10, .stack = freed});
  free_event(chunk, 1, 20);
  malloc_event(chunk, {.address = 1, .size = 7, .at = 30, .stack = kept});
  malloc_event(chunk, {.address = 2, .size = 8, .at = 30, .stack = kept});
  const ProfileSet set = read({chunk.bytes()}, leaks());
  CHECK(lines_of(set, "native-mem") == "Main.keep 2 15\n");
  CHECK(left_out_of(set.left_out) == "native-mem profiler.Malloc x1");
  CHECK(findings(set.problems).empty());
}

TEST_CASE("events of a chunk are matched by their time, not by their order") {
  auto chunk = chunk_at(0);
  const auto stack = chunk.stack({"Main.main"});
  free_event(chunk, 1, 20);
  malloc_event(chunk, {.address = 1, .size = 7, .at = 30, .stack = stack});
  malloc_event(chunk, {.address = 1, .size = 100, .at = 10, .stack = stack});
  CHECK(lines_of(read({chunk.bytes()}, leaks()), "native-mem") == "Main.main 1 7\n");
}

TEST_CASE("a free in a later chunk or file of the process ends an allocation, in any order") {
  auto early = chunk_at(1000);
  malloc_event(early, {.address = 1, .size = 100, .at = 10, .stack = early.stack({"Main.a"})});
  malloc_event(early, {.address = 2, .size = 50, .at = 11, .stack = early.stack({"Main.b"})});
  auto late = chunk_at(5000);
  free_event(late, 1, 10);
  malloc_event(late, {.address = 1, .size = 9, .at = 20, .stack = late.stack({"Main.a"})});
  const std::string expected = "Main.a 1 9\nMain.b 1 50\n";
  for (const auto& inputs : {std::vector<Bytes>{joined({early.bytes(), late.bytes()})},
                             std::vector<Bytes>{early.bytes(), late.bytes()},
                             std::vector<Bytes>{late.bytes(), early.bytes()}}) {
    CHECK(lines_of(read(inputs, leaks()), "native-mem") == expected);
    CHECK(lines_of(read(inputs, leaks(), with_threads(3)), "native-mem") == expected);
  }
}

TEST_CASE("a free in another process ends nothing") {
  auto one = chunk_at(1000, 1);
  malloc_event(one, {.address = 1, .size = 100, .at = 10, .stack = one.stack({"Main.main"})});
  auto other = chunk_at(5000, 2);
  malloc_event(other, {.address = 2, .size = 4, .at = 10, .stack = other.stack({"Main.main"})});
  free_event(other, 1, 11);
  free_event(other, 2, 12);
  const ProfileSet set = read({joined({one.bytes(), other.bytes()})}, leaks());
  CHECK(lines_of(set, "native-mem") == "Main.main 1 100\n");
  // Nothing tells what the first process freed.
  CHECK(findings(set.problems) == "[left_out]");
}

TEST_CASE("chunks that name no process are of the one that their file names, or of the file") {
  auto named = chunk_at(1000, 1);
  auto second = chunk_at(2000, std::nullopt);
  malloc_event(second, {.address = 1, .size = 100, .at = 10, .stack = second.stack({"Main.a"})});
  auto third = chunk_at(3000, std::nullopt);
  free_event(third, 1, 10);
  malloc_event(third, {.address = 2, .size = 3, .at = 20, .stack = third.stack({"Main.b"})});
  const std::string expected = "Main.b 1 3\n";
  CHECK(lines_of(read({joined({named.bytes(), second.bytes(), third.bytes()})}, leaks()),
                 "native-mem") == expected);
  CHECK(lines_of(read({joined({second.bytes(), third.bytes(), named.bytes()})}, leaks()),
                 "native-mem") == expected);
  CHECK(lines_of(read({joined({second.bytes(), third.bytes()})}, leaks()), "native-mem") ==
        expected);
  // Two files that name none are two processes.
  CHECK(lines_of(read({second.bytes(), third.bytes()}, leaks()), "native-mem") ==
        "Main.a 1 100\nMain.b 1 3\n");
}

TEST_CASE("without any event about freed memory all allocations count, with a note") {
  auto chunk = chunk_at(0);
  const auto stack = chunk.stack({"Main.main"});
  malloc_event(chunk, {.address = 1, .size = 100, .at = 10, .stack = stack});
  malloc_event(chunk, {.address = 1, .size = 1, .at = 20, .stack = stack});
  const ProfileSet set = read({chunk.bytes()}, leaks());
  CHECK(lines_of(set, "native-mem") == "Main.main 2 101\n");
  CHECK(findings(set.problems) == "[left_out x2]");
}

TEST_CASE("a recording that freed everything has an empty profile of leaks") {
  auto chunk = chunk_at(0);
  malloc_event(chunk, {.address = 1, .size = 100, .at = 10});
  free_event(chunk, 1, 20);
  const ProfileSet set = read({chunk.bytes()}, leaks());
  CHECK(totals_of(set, "native-mem") == "native-mem: 0, 0 (0) malloc_space/bytes");
  CHECK(lines_of(set, "native-mem").empty());
}

TEST_CASE("leaks by thread stand under their threads") {
  auto chunk = chunk_at(0);
  const auto stack = chunk.stack({"Main.main"});
  const auto one = chunk.thread({.java_name = "one", .os_id = 11});
  const auto two = chunk.thread({.java_name = "two", .os_id = 12});
  malloc_event(chunk, {.address = 1, .size = 5, .at = 10, .stack = stack, .thread = one});
  malloc_event(chunk, {.address = 2, .size = 6, .at = 10, .stack = stack, .thread = two});
  free_event(chunk, 1, 5);
  ProfileRequest request = leaks();
  request.frames.by_thread = true;
  CHECK(lines_of(read({chunk.bytes()}, request), "native-mem") ==
        "[one tid=11] > Main.main 1 5\n[two tid=12] > Main.main 1 6\n");
}

TEST_CASE("leak changes no other kind, and needs the kind native-mem") {
  auto chunk = chunk_at(0);
  chunk.monitor_enter({.stack = chunk.stack({"Main.main"}), .duration_ticks = 9});
  malloc_event(chunk, {.address = 1, .size = 5, .at = 10});
  ProfileRequest request;
  request.leak = true;
  CHECK(kinds_of(read({chunk.bytes()}, request)) == "lock, native-mem");
  request.kinds = {"lock"};
  CHECK_THROWS_AS((void)read({chunk.bytes()}, request), UsageError);
  request = event("jdk.JavaMonitorEnter");
  request.leak = true;
  CHECK_THROWS_AS((void)read({chunk.bytes()}, request), UsageError);
}

TEST_CASE("leaks of a real recording: 32 of 57 allocations, 17,619 of 34,861 bytes (nativemem)") {
  const auto path = recording("grafana_jfr-parser__nativemem.jfr.gz");
  if (!path) return;
  // Calculated from what the JDK's reader prints of the 57 allocations and 28 frees.
  CHECK(totals_of(read_file(*path), "native-mem") ==
        "native-mem: 57, 34861 (57) malloc_space/bytes");
  const ProfileSet set = read_file(*path, leaks());
  CHECK(totals_of(set, "native-mem") == "native-mem: 32, 17619 (32) malloc_space/bytes");
  CHECK(left_out_of(set.left_out) == "native-mem profiler.Malloc x25");
}
