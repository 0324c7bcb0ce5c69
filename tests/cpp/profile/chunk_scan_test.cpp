#include "profile/chunk_scan.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <tuple>

#include "profile/reading.hpp"
#include "support/standard_chunk.hpp"

using namespace jfrtree;
using namespace jfrtree::internal;
using namespace jfrtree::test;

namespace {

/// A scan that has run.
struct Scanned {
  explicit Scanned(const StandardChunk& chunk, ProfileRequest wanted = {},
                   ScanDepth depth = ScanDepth::stacks)
      : opened(chunk.bytes()),
        request(std::move(wanted)),
        scan(opened.contents(), request, depth, plans, log) {
    scan.run();
  }
  OpenChunk opened;
  ProfileRequest request;
  ScanPlanCache plans;
  ProblemLog log{"test"};
  ChunkScan scan;

  /// `kind event events` for each lane, those left out in brackets.
  [[nodiscard]] std::string lanes() {
    std::string text;
    for (const auto& result : scan.lanes()) {
      const std::string lane =
          result.lane.kind + ' ' + result.lane.event + ' ' + std::to_string(result.lane.events);
      text += (text.empty() ? "" : "; ") + (result.is_left_out ? '(' + lane + ')' : lane);
    }
    return text;
  }
  [[nodiscard]] std::map<std::string, std::uint64_t> counts() const {
    std::map<std::string, std::uint64_t> counts;
    const auto types = opened.metadata().types();
    for (std::size_t i = 0; i < types.size(); ++i) {
      if (scan.type_counts()[i] > 0) counts[types[i].name] = scan.type_counts()[i];
    }
    return counts;
  }
  [[nodiscard]] std::string found() const { return findings(log.entries()); }
};

/// Count and value of all samples of a lane, whatever their stack.
std::pair<std::uint64_t, std::uint64_t> sums_of(Scanned& scanned, std::size_t lane) {
  std::pair<std::uint64_t, std::uint64_t> sums;
  LaneSums& found = *scanned.scan.lanes().at(lane).sums;
  found.sort_groups();
  for (std::uint32_t stack = 0; stack <= scanned.scan.missing_stack(); ++stack) {
    found.for_each_group(stack, [&](std::uint64_t, const SampleSums& sample) {
      sums.first += sample.count;
      sums.second += sample.value;
    });
  }
  return sums;
}

StandardChunk two_kinds() {
  auto chunk = jdk17_chunk();
  const auto stack = chunk.stack({"Main.main"});
  chunk.execution_sample({.stack = stack}).execution_sample({.stack = stack});
  chunk.thread_park({.stack = stack, .duration_ticks = 7});
  return chunk;
}

}  // namespace

TEST_CASE("ChunkScan counts the events of each declared type, metadata and checkpoints not") {
  Scanned scanned(two_kinds(), {}, ScanDepth::counts);
  CHECK(scanned.counts() ==
        std::map<std::string, std::uint64_t>{{"jdk.ExecutionSample", 2}, {"jdk.ThreadPark", 1}});
  CHECK(scanned.scan.event_count() == 3);
  CHECK(scanned.lanes().empty());
}

TEST_CASE("ChunkScan sums samples without stacks when only totals are asked for") {
  Scanned scanned(two_kinds(), {}, ScanDepth::totals);
  CHECK(scanned.lanes() == "cpu jdk.ExecutionSample 2; park jdk.ThreadPark 1");
  CHECK(scanned.scan.lanes()[0].sums->uses(0));
  CHECK_FALSE(scanned.scan.lanes()[0].sums->uses(1));
  CHECK(sums_of(scanned, 1) == std::pair<std::uint64_t, std::uint64_t>(1, 7));
}

TEST_CASE("ChunkScan sums by stack trace id before any stack is looked at") {
  auto chunk = jdk17_chunk();
  const auto first = chunk.stack({"Main.main"});
  const auto second = chunk.stack({"Main.main", "Main.run"});
  for (const auto stack : {first, second, first, first}) chunk.execution_sample({.stack = stack});
  Scanned scanned(chunk);
  REQUIRE(scanned.scan.stack_index() != nullptr);
  CHECK(scanned.scan.stack_index()->size() == 2);
  LaneSums& sums = *scanned.scan.lanes().at(0).sums;
  CHECK(sums.entries()[scanned.scan.stack_index()->find(first)].sums().count == 3);
  CHECK(sums.entries()[scanned.scan.stack_index()->find(second)].sums().count == 1);
}

TEST_CASE("ChunkScan sums events that say the same of a kind in one place") {
  auto chunk = jdk17_chunk();
  const auto stack = chunk.stack({"Main.main"});
  const auto bytes = chunk.class_constant("[B");
  chunk.allocation_in_new_tlab({.stack = stack, .object_class = bytes, .tlab_size = 100});
  chunk.allocation_outside_tlab({.stack = stack, .object_class = bytes, .allocation_size = 7});
  chunk.thread_park({.stack = stack, .duration_ticks = 5});
  Scanned scanned(chunk);
  const auto& lanes = scanned.scan.lanes();
  REQUIRE(lanes.size() == 3);
  CHECK_FALSE(lanes[0].shares_sums);
  CHECK(lanes[1].shares_sums);
  CHECK_FALSE(lanes[2].shares_sums);
  CHECK(lanes[0].lane.events == 1);
  CHECK(lanes[1].lane.events == 1);
  CHECK(sums_of(scanned, 0) == std::pair<std::uint64_t, std::uint64_t>(2, 107));
  CHECK(sums_of(scanned, 2) == std::pair<std::uint64_t, std::uint64_t>(1, 5));
}

TEST_CASE("ChunkScan puts samples without a stack, and with one that is not there, apart") {
  auto chunk = jdk17_chunk();
  chunk.stack({"Main.main"});
  chunk.execution_sample({}).execution_sample({.stack = 4711}).execution_sample({.stack = 4712});
  Scanned scanned(chunk);
  LaneSums& sums = *scanned.scan.lanes().at(0).sums;
  CHECK(sums.entries()[scanned.scan.no_stack()].sums().count == 1);
  CHECK(sums.entries()[scanned.scan.missing_stack()].sums().count == 2);
  CHECK(scanned.found() == "[missing_constant x2 at 0]");
}

TEST_CASE("ChunkScan skips events of types that the metadata does not declare, and counts them") {
  auto chunk = two_kinds();
  chunk.raw_event(4000, chunk.payload().long_value(1));
  chunk.raw_event(std::uint64_t{1} << 40, chunk.payload().long_value(1));
  chunk.execution_sample({});
  Scanned scanned(chunk, kinds({"cpu"}));
  CHECK(scanned.lanes() == "cpu jdk.ExecutionSample 3");
  CHECK(scanned.scan.event_count() == 6);
  REQUIRE(scanned.log.entries().size() == 1);
  CHECK(scanned.log.entries()[0].code == ErrorCode::unknown_event_type);
  CHECK(scanned.log.entries()[0].severity == Severity::note);
  CHECK(scanned.log.entries()[0].count == 2);
}

TEST_CASE("ChunkScan knows event types with ids beyond 32 bits") {
  auto chunk = jdk17_chunk();
  chunk.types().declare(TypeKind::event, "my.Event", (std::uint64_t{1} << 40) + 5,
                        "long startTime @Timestamp(TICKS); StackTrace* stackTrace");
  chunk.event("my.Event", {}).event("my.Event", {});
  CHECK(Scanned(chunk, event("my.Event")).lanes() == "my.Event my.Event 2");
}

TEST_CASE("ChunkScan loses an event whose fields do not fit into its size, and goes on") {
  auto chunk = jdk17_chunk();
  const auto stack = chunk.stack({"Main.main"});
  chunk.execution_sample({.stack = stack});
  chunk.raw_event(chunk.type_id("jdk.ExecutionSample"), chunk.payload().long_value(2000));
  chunk.execution_sample({.stack = stack});
  Scanned scanned(chunk);
  CHECK(scanned.lanes() == "cpu jdk.ExecutionSample 2");
  REQUIRE(scanned.log.entries().size() == 1);
  CHECK(scanned.log.entries()[0].code == ErrorCode::bad_event);
  CHECK(scanned.log.entries()[0].severity == Severity::problem);
}

TEST_CASE("ChunkScan leaves fields of a lost event out of the next one") {
  auto chunk = datadog_chunk();
  const auto stack = chunk.stack({"Main.main"});
  chunk.execution_sample({.stack = stack, .weight = 5});
  chunk.raw_event(chunk.type_id("datadog.ExecutionSample"), chunk.payload().long_value(2000));
  chunk.execution_sample({.stack = stack, .weight = 7});
  Scanned scanned(chunk);
  CHECK(sums_of(scanned, 0).first == 12);
}

TEST_CASE("ChunkScan makes negative values 0, counts the sample and reports a problem") {
  auto chunk = jdk17_chunk();
  const auto stack = chunk.stack({"Main.main"});
  chunk.thread_park({.stack = stack, .duration_ticks = -5});
  chunk.thread_park({.stack = stack, .duration_ticks = 9});
  Scanned scanned(chunk);
  CHECK(sums_of(scanned, 0) == std::pair<std::uint64_t, std::uint64_t>(2, 9));
  REQUIRE(scanned.log.entries().size() == 1);
  CHECK(scanned.log.entries()[0].code == ErrorCode::value_out_of_range);
  CHECK(scanned.log.entries()[0].severity == Severity::problem);
  CHECK(scanned.log.entries()[0].count == 1);
}

TEST_CASE("ChunkScan makes negative numbers of a chosen field 0 and says so in a note") {
  for (const std::string field : {"int n", "long n @DataAmount(BYTES)", "double n"}) {
    CAPTURE(field);
    auto chunk = jdk17_chunk();
    chunk.types().declare(TypeKind::event, "my.Event", 5000, "StackTrace* stackTrace; " + field);
    const bool is_double = field == "double n";
    chunk.event("my.Event", {{"n", is_double ? FieldValue(-1.0) : FieldValue(-1)}});
    chunk.event("my.Event", {{"n", is_double ? FieldValue(9.0) : FieldValue(9)}});
    Scanned scanned(chunk, event("my.Event", "n"));
    CHECK(sums_of(scanned, 0) == std::pair<std::uint64_t, std::uint64_t>(2, 9));
    REQUIRE(scanned.log.entries().size() == 1);
    CHECK(scanned.log.entries()[0].code == ErrorCode::value_out_of_range);
    CHECK(scanned.log.entries()[0].severity == Severity::note);
    CHECK(scanned.log.entries()[0].message.find("durations") == std::string::npos);
  }
}

TEST_CASE("ChunkScan reports a negative duration as a problem when it is asked for by name too") {
  auto chunk = jdk17_chunk();
  chunk.thread_park({.duration_ticks = -5});
  for (const char* field : {"", "duration"}) {
    Scanned scanned(chunk, event("jdk.ThreadPark", field));
    REQUIRE(scanned.log.entries().size() == 1);
    CHECK(scanned.log.entries()[0].severity == Severity::problem);
  }
}

TEST_CASE("ChunkScan reads unsigned numbers of every size") {
  // The same bits, -2 as a signed number; the first event takes another way than the later ones.
  struct Case {
    std::string type;
    std::uint64_t number;
  };
  for (const Case& one : {Case{"byte", 254}, Case{"short", 65'534}, Case{"int", 4'294'967'294},
                          Case{"long", 18'446'744'073'709'551'614U}}) {
    CAPTURE(one.type);
    auto chunk = jdk17_chunk();
    chunk.types().declare(TypeKind::event, "my.Event", 5000,
                          "StackTrace* stackTrace; " + one.type + " n @Unsigned");
    chunk.event("my.Event", {{"n", 1}});
    chunk.event("my.Event", {{"n", -2}});
    chunk.event("my.Event", {{"n", 0}});
    Scanned scanned(chunk, event("my.Event", "n"));
    CHECK(sums_of(scanned, 0) == std::pair<std::uint64_t, std::uint64_t>(3, one.number + 1));
    CHECK(scanned.found().empty());
  }
}

TEST_CASE("ChunkScan takes the ends of long as not available: counted, value unknown") {
  auto chunk = jdk17_chunk();
  const auto stack = chunk.stack({"Main.main"});
  using Long = std::numeric_limits<std::int64_t>;
  for (const std::int64_t ticks : {Long::min(), Long::max(), std::int64_t{9}}) {
    chunk.thread_park({.stack = stack, .duration_ticks = ticks});
  }
  Scanned scanned(chunk);
  CHECK(sums_of(scanned, 0) == std::pair<std::uint64_t, std::uint64_t>(3, 9));
  CHECK(scanned.scan.lanes()[0].lane.unknown_values == 2);
  CHECK(scanned.found().empty());
}

TEST_CASE("ChunkScan chooses among alternatives of a kind, whatever their order in the chunk") {
  auto chunk = jdk17_chunk();
  chunk.allocation_sample({.weight = 100}).allocation_sample({.weight = 200});
  CHECK(Scanned(chunk).lanes() == "alloc jdk.ObjectAllocationSample 2");
  chunk.allocation_outside_tlab({.allocation_size = 10});
  CHECK(Scanned(chunk).lanes() ==
        "(alloc jdk.ObjectAllocationSample 2); alloc jdk.ObjectAllocationOutsideTLAB 1");
  chunk.allocation_in_new_tlab({.allocation_size = 10, .tlab_size = 1000});
  CHECK(Scanned(chunk).lanes() ==
        "(alloc jdk.ObjectAllocationSample 2); alloc jdk.ObjectAllocationOutsideTLAB 1; "
        "alloc jdk.ObjectAllocationInNewTLAB 1");
}

TEST_CASE("ChunkScan groups by class, and by class and thread when threads are asked for") {
  auto chunk = jdk17_chunk();
  const auto stack = chunk.stack({"Main.main"});
  const auto bytes = chunk.class_constant("[B");
  const auto text = chunk.class_constant("java/lang/String");
  const auto add = [&](std::uint64_t object_class, std::uint64_t thread) {
    chunk.allocation_outside_tlab({.stack = stack, .thread = thread, .object_class = object_class});
  };
  add(bytes, 1);
  add(text, 1);
  add(bytes, 2);
  const auto groups_of = [&](ProfileRequest request) {
    Scanned scanned(chunk, std::move(request));
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> groups;
    LaneSums& sums = *scanned.scan.lanes().at(0).sums;
    sums.sort_groups();
    sums.for_each_group(0, [&](std::uint64_t group, const SampleSums& found) {
      groups[scanned.scan.group(group)] = found.count;
    });
    return groups;
  };
  using Groups = std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t>;
  ProfileRequest request;
  CHECK(groups_of(request) == Groups{{{bytes, 0}, 2}, {{text, 0}, 1}});
  request.frames.class_leaf = false;
  CHECK(groups_of(request) == Groups{{{0, 0}, 3}});
  request.frames.by_thread = true;
  CHECK(groups_of(request) == Groups{{{0, 1}, 2}, {{0, 2}, 1}});
  request.frames.class_leaf = true;
  CHECK(groups_of(request) == Groups{{{bytes, 1}, 1}, {{text, 1}, 1}, {{bytes, 2}, 1}});
}

TEST_CASE("ChunkScan throws for a value field that the event type lacks or that is no number") {
  CHECK_THROWS_AS(Scanned(two_kinds(), event("jdk.ThreadPark", "missing")), UsageError);
  CHECK_THROWS_AS(Scanned(two_kinds(), event("jdk.ThreadPark", "eventThread")), UsageError);
  CHECK_THROWS_AS(Scanned(two_kinds(), event("jdk.ThreadPark", "stackTrace")), UsageError);
}

TEST_CASE("ChunkScan says what unit the value of an event has") {
  CHECK(Scanned(two_kinds(), event("jdk.ThreadPark")).scan.event_unit() == "nanoseconds");
  CHECK(Scanned(two_kinds(), event("jdk.ThreadPark", "address")).scan.event_unit() == "count");
  CHECK(Scanned(two_kinds(), event("jdk.FileRead", "bytesRead")).scan.event_unit() == "bytes");
  CHECK(Scanned(two_kinds(), event("jdk.ExecutionSample")).scan.event_unit().empty());
}

TEST_CASE("ChunkScan reports a record whose size cannot be right, with its place") {
  auto chunk = two_kinds();
  const std::uint64_t where = chunk.writer().offset();
  auto writer = chunk.writer();
  writer.raw(Bytes(3));
  const OpenChunk opened(writer.bytes());
  ProblemLog log("test");
  const ProfileRequest request;
  ScanPlanCache plans;
  ChunkScan scan(opened.contents(), request, ScanDepth::counts, plans, log);
  scan.run();
  CHECK(scan.event_count() == 3);
  CHECK(findings(log.entries()) == "bad_event at " + std::to_string(where));
}
