/// Behaviours of reading as users meet them, by the library's own calls.

#include <doctest/doctest.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "profile/reading.hpp"
#include "support/scenarios.hpp"
#include "support/test_paths.hpp"

using namespace jfrtree;
using namespace jfrtree::test;

namespace {

/// A chunk in which the same keys mean `name` and a park lasts 1,000 ticks.
Bytes jvm_with(const std::string& name, std::int64_t ticks_per_second) {
  auto chunk = jdk17_chunk().ticks_per_second(ticks_per_second);
  const auto stack = chunk.stack({"Main.main", "Main." + name});
  chunk.execution_sample({.stack = stack});
  chunk.thread_park({.stack = stack, .duration_ticks = 1'000});
  return chunk.bytes();
}

ProfileRequest without_class() {
  ProfileRequest request;
  request.frames.class_leaf = false;
  return request;
}

}  // namespace

TEST_CASE("recordings of two JVMs joined with cat sum up, though equal ids mean other names") {
  const Bytes first = jvm_with("first", 2'000'000'000);
  const Bytes second = jvm_with("second", 500'000'000);
  const ProfileSet set = read({joined({first, second})}, without_class());
  CHECK(lines_of(set, "cpu") == "Main.main > Main.first 1 -\nMain.main > Main.second 1 -\n");
  // 1,000 ticks are 500 ns by the one clock and 2,000 ns by the other.
  CHECK(lines_of(set, "park") == "Main.main > Main.first 1 500\nMain.main > Main.second 1 2000\n");
  CHECK(set.statistics.chunks == 2);
}

TEST_CASE("a pool that comes 160 times in a chunk loses nothing (object-allocation-sample)") {
  const auto path = recording("grafana_jfr-parser__object-allocation-sample.jfr.gz");
  if (!path) return;
  const ProfileSet set = read_file(*path);
  CHECK(totals_of(set, "alloc") == "alloc: 10694, 32922398872 (10694) alloc_space/bytes");
  CHECK(totals_of(set, "park") == "park: 799, 362425381359 (799) delay/nanoseconds");
  CHECK(findings(set.problems).find("missing_constant") == std::string::npos);
}

TEST_CASE("a pool in several checkpoints of a chunk is one pool") {
  const ProfileSet set = read({scenario("several_checkpoints")});
  CHECK(set.find("cpu")->count == 100);
  CHECK(set.find("cpu")->stacks.size() == 100);
  CHECK(findings(set.problems).empty());
}

TEST_CASE("pools without entries and dummy String pools are fine") {
  const std::pair<const char*, std::uint64_t> samples[] = {
      {"grafana_jfr-parser__FastSlow_2024_01_16_180855.jfr.gz", 1'012},
      {"grafana_jfr-parser__event-with-type-zero.jfr.gz", 996},
      {"grafana_jfr-parser__parse_failure_repro1.jfr.gz", 1'500}};
  for (const auto& [name, count] : samples) {
    const auto path = recording(name);
    if (!path) return;
    const ProfileSet set = read_file(*path, event("jdk.ExecutionSample"));
    CHECK(set.find("jdk.ExecutionSample")->count == count);
    for (const Problem& problem : set.problems) CHECK(problem.severity == Severity::note);
  }
  auto chunk = async_profiler_4_chunk();
  const auto stack = chunk.stack({"Main.main"});
  chunk.execution_sample({.stack = stack, .state = "STATE_DEFAULT"});
  Pool dummy{chunk.type_id("String")};
  dummy.entry(0, chunk.payload().null_string());
  chunk.checkpoint({.pools = {Pool{chunk.type_id("Package")}, dummy, dummy}});
  const ProfileSet set = read({chunk.bytes()});
  CHECK(lines_of(set, "cpu") == "Main.main 1 -\n");
  CHECK(findings(set.problems).empty());
}

TEST_CASE("ids above 2^32 stay apart, also those of stacks") {
  auto chunk = jdk17_chunk();
  const std::uint64_t high = std::uint64_t{1} << 40;
  const auto first = chunk.stack({"Main.first"}, {.key = 5});
  const auto second = chunk.stack({"Main.second"}, {.key = high + 5});
  const auto third = chunk.stack({"Main.third"}, {.key = (std::uint64_t{1} << 63) + 5});
  for (const auto stack : {first, second, third, third}) chunk.execution_sample({.stack = stack});
  CHECK(lines_of(read({chunk.bytes()}), "cpu") ==
        "Main.first 1 -\nMain.second 1 -\nMain.third 2 -\n");
}

TEST_CASE("ids above 2^32 of real recordings are found (uint64-ref-id, tck-test)") {
  for (const char* name :
       {"grafana_jfr-parser__uint64-ref-id.jfr.gz", "btraceio_jafar__tck-test.jfr"}) {
    const auto path = recording(name);
    if (!path) return;
    const ProfileSet set = read_file(*path, kinds({"cpu", "alloc"}));
    CHECK(set.find("cpu") != nullptr);
    CHECK(findings(set.problems).find("missing_constant") == std::string::npos);
  }
}

TEST_CASE("a symbol in any string encoding is the same frame") {
  auto chunk = jdk17_chunk();
  const auto main = chunk.class_constant("Main");
  const auto pooled = chunk.string_constant("grüß");
  const auto encoded = [&](StringEncoding encoding) {
    return chunk.payload().string("grüß", encoding);
  };
  std::uint64_t key = 100;
  for (const ByteWriter& text :
       {encoded(StringEncoding::utf8), encoded(StringEncoding::utf16),
        chunk.payload().pooled_string(pooled),
        chunk.payload().claimed_string(4, "gr\xfc\xdf", StringEncoding::latin1)}) {
    chunk.raw_constant("Symbol", key, text);
    chunk.constant("Method", key, {{"type", main}, {"name", key}});
    chunk.raw_constant(
        "StackTrace", key,
        chunk.payload().boolean_value(false).count(1).key(key).int_value(1).int_value(0).key(1));
    chunk.execution_sample({.stack = key++});
  }
  CHECK(lines_of(read({chunk.bytes()}), "cpu") == "Main.grüß 4 -\n");
}

TEST_CASE("fields that a known event has more or less are skipped by metadata") {
  auto chunk = jdk17_chunk();
  chunk.types().declare(TypeKind::plain, "my.Point", 6000, "int x; double[] weights; String text");
  chunk.types().declare(
      TypeKind::event, "my.Event", 6001,
      "float before; double other; Point[] points; Point point; long startTime @Timestamp(TICKS);"
      "StackTrace* stackTrace; String[] texts; long duration @Timespan(TICKS); float after;"
      "long contextId");
  const auto stack = chunk.stack({"Main.main"});
  const ByteWriter point =
      chunk.payload().int_value(-3).count(2).double_value(1).double_value(2).string("p");
  ByteWriter payload = chunk.payload().float_value(1.5F).double_value(2.5).count(2);
  payload.raw(point.bytes()).raw(point.bytes()).raw(point.bytes()).long_value(2000).key(stack);
  payload.count(1).string("t").long_value(77).float_value(3).long_value(9);
  chunk.raw_event(6001, payload);
  const ProfileSet set = read({chunk.bytes()}, event("my.Event"));
  CHECK(lines_of(set, "my.Event") == "Main.main 1 77\n");
  CHECK(findings(set.problems).empty());
}

TEST_CASE("extra fields of forks do not disturb the kinds (dump1)") {
  const auto path = recording("grafana_jfr-parser__dump1.jfr.gz");
  if (!path) return;
  // 2,188 samples, itimer with an interval of 10 ms.
  CHECK(totals_of(read_file(*path), "cpu") == "cpu: 2188, 21880000000 (2188) cpu/nanoseconds");
}

TEST_CASE("several metadata events in a chunk: type 0 is never a sample") {
  auto chunk = three_samples();
  chunk.metadata_event(chunk.types().metadata());
  const auto stack = chunk.stack({"Main.main"});
  chunk.execution_sample({.stack = stack});
  chunk.metadata_event(chunk.types().metadata());
  const ProfileSet set = read({chunk.bytes()});
  CHECK(set.find("cpu")->count == 4);
  CHECK(set.statistics.events == 4);
}

TEST_CASE("recordings read one after the other leave no state behind, from many threads neither") {
  const Bytes first = jvm_with("first", 1'000'000'000);
  const Bytes second = jvm_with("second", 1'000'000'000);
  const std::string of_first = documents_of(read({first}));
  const std::string of_second = documents_of(read({second}));
  CHECK(of_first != of_second);
  CHECK(documents_of(read({first})) == of_first);
  std::vector<std::string> found(8);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < found.size(); ++i) {
    threads.emplace_back([&, i] {
      for (int round = 0; round < 20; ++round) {
        found[i] = documents_of(read({i % 2 == 0 ? first : second}));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < found.size(); ++i) {
    CHECK(found[i] == (i % 2 == 0 ? of_first : of_second));
  }
}

TEST_CASE("5,000 threads, 726 checkpoints and 30,000 symbols take no quadratic time") {
  auto chunk = jdk17_chunk();
  std::vector<std::uint64_t> threads;
  for (int i = 1; i <= 5'000; ++i) {
    threads.push_back(chunk.thread({.java_name = "thread " + std::to_string(i), .java_id = i}));
  }
  for (int i = 0; i < 30'000; ++i) {
    const auto stack = chunk.stack({"Main.main", "Main.method" + std::to_string(i)});
    chunk.execution_sample(
        {.stack = stack, .thread = threads[static_cast<std::size_t>(i) % threads.size()]});
    if (i % 41 == 0) chunk.flush();  // 732 times
  }
  const Bytes recording = chunk.bytes();
  ProfileRequest request;
  request.frames.by_thread = true;
  const auto start = std::chrono::steady_clock::now();
  const ProfileSet set = read({recording}, request);
  // Well under a second on an idle machine.
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(20));
  CHECK(set.find("cpu")->count == 30'000);
  CHECK(set.statistics.stacks_decoded == 30'000);
  CHECK(set.statistics.stack_insertions == 30'000);
}

TEST_CASE("ids that differ in their high bits only are found as fast as others") {
  for (const int shift : {16, 32, 44}) {
    auto chunk = jdk17_chunk();
    const auto method = chunk.method("Main.main");
    constexpr std::uint64_t stacks = 100'000;
    for (std::uint64_t i = 1; i <= stacks; ++i) {
      chunk.raw_constant(
          "StackTrace", i << shift,
          chunk.payload().boolean_value(false).count(1).key(method).int_value(1).int_value(0).key(
              1));
      chunk.execution_sample({.stack = i << shift});
    }
    const Bytes recording = chunk.bytes();
    const auto start = std::chrono::steady_clock::now();
    const ProfileSet set = read({recording});
    // Collisions of all keys would take 5 × 10^9 steps; without them it is a fraction of a second.
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(10));
    CHECK(lines_of(set, "cpu") == "Main.main 100000 -\n");
  }
}
