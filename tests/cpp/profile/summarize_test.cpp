#include <jfrtree/summary.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "profile/reading.hpp"
#include "support/gzip_writer.hpp"
#include "support/scenarios.hpp"
#include "support/test_paths.hpp"

using namespace jfrtree;
using namespace jfrtree::test;

namespace {

/// `kind: samples, total (events); …`
std::string profiles_of(const RecordingSummary& summary) {
  std::string text;
  for (const ProfileSummary& profile : summary.profiles) {
    text += (text.empty() ? "" : "; ") + profile.kind + ": " + std::to_string(profile.samples) +
            ", " + (profile.total ? std::to_string(*profile.total) : "-") + " (" +
            std::to_string(profile.event_count) + ")";
  }
  return text;
}

RecordingSummary summary_of_file(const std::filesystem::path& path, bool quick = false) {
  const std::vector<std::string> paths{path.string()};
  return summarize(open_sources(paths), quick);
}

StandardChunk allocations() {
  auto chunk = jdk17_chunk().start_nanos(2'000).duration_nanos(500);
  const auto stack = chunk.stack({"Main.main"});
  chunk.jvm_information({.name = "VM", .version = "17"});
  chunk.allocation_outside_tlab({.stack = stack, .allocation_size = 100});
  chunk.allocation_in_new_tlab({.stack = stack, .allocation_size = 10, .tlab_size = 1'000});
  chunk.allocation_sample({.stack = stack, .weight = 77});
  chunk.thread_park({.stack = stack, .duration_ticks = 40});
  return chunk;
}

}  // namespace

TEST_CASE("summarize gives events, kinds with their totals, and what was left out") {
  const RecordingSummary summary = summary_of({allocations().bytes()});
  CHECK(summary.events ==
        std::map<std::string, std::uint64_t>{{"jdk.JVMInformation", 1},
                                             {"jdk.ObjectAllocationInNewTLAB", 1},
                                             {"jdk.ObjectAllocationOutsideTLAB", 1},
                                             {"jdk.ObjectAllocationSample", 1},
                                             {"jdk.ThreadPark", 1}});
  CHECK(profiles_of(summary) == "alloc: 2, 1100 (2); park: 1, 40 (1)");
  CHECK(left_out_of(summary.profiles[0].left_out) == "alloc jdk.ObjectAllocationSample x1");
  CHECK(summary.profiles[1].left_out.empty());
  CHECK(summary.problems.empty());
}

TEST_CASE("summarize describes files and chunks") {
  auto second = three_samples().start_nanos(1'000).duration_nanos(100);
  const Bytes first = allocations().bytes();
  const RecordingSummary summary = summary_of({joined({first, second.bytes()}), second.bytes()});
  REQUIRE(summary.files.size() == 2);
  CHECK(summary.files[0].path == "1.jfr");
  CHECK(summary.files[0].container == "plain");
  CHECK(summary.files[0].bytes == first.size() + second.bytes().size());
  REQUIRE(summary.files[0].chunks.size() == 2);
  CHECK(summary.files[0].chunks[0].info.number == 1);
  CHECK(summary.files[0].chunks[0].events == 5);
  CHECK(summary.files[0].chunks[0].producer == "VM 17");
  CHECK(summary.files[0].chunks[1].info.offset == first.size());
  CHECK(summary.files[0].chunks[1].events == 3);
  CHECK(summary.files[0].chunks[1].producer.empty());
  CHECK(summary.producer == "VM 17");
  CHECK(summary.start_ns == 1'000);
  CHECK(summary.end_ns == 2'500);
}

TEST_CASE("summarize counts the problems of each chunk, also of an input without a path") {
  auto damaged = three_samples();
  damaged.raw_event(damaged.type_id("jdk.ExecutionSample"), damaged.payload().long_value(1));
  const Bytes recording = joined({three_samples().bytes(), damaged.bytes()});
  std::vector<Source> sources{{"", memory_input(recording, "mine")}};
  const RecordingSummary summary = summarize(std::move(sources));
  REQUIRE(summary.files.size() == 1);
  CHECK(summary.files[0].path == "mine");
  CHECK(summary.files[0].chunks[0].problems == 0);
  CHECK(summary.files[0].chunks[1].problems == 1);
  CHECK(summary.problems.size() == 1);
  CHECK(summary.problems[0].file == "mine");
}

TEST_CASE("summarize keeps notes and problems apart") {
  auto chunk = jdk25_chunk();
  chunk.event("jdk.CPUTimeSamplesLost", {{"lostSamples", 3}});
  chunk.thread_park({.duration_ticks = -1});
  const RecordingSummary summary = summary_of({chunk.bytes()});
  CHECK(findings(summary.notes) == "[lost_samples x3 chunk 1 at 0]");
  REQUIRE(summary.problems.size() == 1);
  CHECK(summary.problems[0].code == ErrorCode::value_out_of_range);
}

TEST_CASE("summarize works without samples, and without any event") {
  auto chunk = jdk17_chunk();
  CHECK(summary_of({chunk.bytes()}).profiles.empty());
  chunk.event("jdk.DataLoss", {{"amount", 1}});
  CHECK(summary_of({chunk.bytes()}).events ==
        std::map<std::string, std::uint64_t>{{"jdk.DataLoss", 1}});
}

TEST_CASE("quick summaries count events and give no totals") {
  const RecordingSummary quick = summary_of({allocations().bytes()}, true);
  CHECK(quick.events == summary_of({allocations().bytes()}).events);
  for (const ProfileSummary& profile : quick.profiles) CHECK_FALSE(profile.total);
}

TEST_CASE("summaries say how much was read, and read no stacks") {
  const Bytes chunk = allocations().bytes();
  const Bytes lines = to_bytes("a;b 3\na 2\n");
  const ReadStatistics statistics = summary_of({chunk, lines}).statistics;
  CHECK(statistics.bytes == chunk.size() + 10);
  CHECK(statistics.chunks == 1);
  CHECK(statistics.events == 5);
  CHECK(statistics.collapsed_lines == 2);
  CHECK(statistics.unique_stacks == 0);
  CHECK(statistics.stack_bytes == 0);
  CHECK(statistics.names == 0);
  CHECK(summary_of({chunk}).statistics.stacks_decoded == 0);
}

TEST_CASE("summaries agree with profiles and with the JDK, for a file of ours") {
  const auto path = testdata("jdk17-mixed.jfr");
  const RecordingSummary summary = summary_of_file(path);
  // The JDK's numbers: testdata/README.md. TLAB events 1,908 and 135.
  CHECK(profiles_of(summary) ==
        "cpu: 755, 755000000 (755); alloc: 2043, 1262499720 (2043); lock: 85, 357563926 (85); "
        "native: 218, 4360000000 (218); park: 388, 14774993915 (388); wait: 1, 50075678 (1); "
        "exceptions: 32, 32 (32)");
  CHECK(left_out_of(summary.profiles[1].left_out) == "alloc jdk.ObjectAllocationSample x654");
  CHECK(summary.events.at("jdk.ActiveSetting") == 337);
  const ProfileSet set = read_file(path);
  REQUIRE(set.profiles.size() == summary.profiles.size());
  for (std::size_t i = 0; i < set.profiles.size(); ++i) {
    CHECK(set.profiles[i].kind == summary.profiles[i].kind);
    CHECK(set.profiles[i].count == summary.profiles[i].samples);
    CHECK(set.profiles[i].value == summary.profiles[i].total);
    CHECK(set.profiles[i].event_count == summary.profiles[i].event_count);
    CHECK(set.profiles[i].default_sample_type == summary.profiles[i].default_sample_type);
  }
}

TEST_CASE("a compressed input is described by its container and its events") {
  const RecordingSummary plain = summary_of({allocations().bytes()});
  const RecordingSummary packed = summary_of({gzip(allocations().bytes())});
  CHECK(packed.files[0].container == "gzip");
  CHECK(packed.events == plain.events);
  CHECK(profiles_of(packed) == profiles_of(plain));
}
