/// `live`, the state of a process at a moment: the newest counts, and nothing is summed over time.

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "profile/reading.hpp"
#include "support/scenarios.hpp"

using namespace jfrtree;
using namespace jfrtree::test;

namespace {

/// A chunk that says that one object of some size is alive.
StandardChunk snapshot(std::int64_t start, std::int64_t size,
                       std::optional<std::int64_t> pid = std::nullopt) {
  auto chunk = async_profiler_4_chunk();
  chunk.start_nanos(start).duration_nanos(10);
  if (pid) chunk.jvm_information({.pid = *pid});
  chunk.event("profiler.LiveObject", {{"stackTrace", chunk.stack({"Main.main"})},
                                      {"objectClass", chunk.class_constant("[B")},
                                      {"allocationSize", size}});
  return chunk;
}

std::string live_of(const std::vector<Bytes>& inputs, unsigned threads = 1) {
  ReadOptions options;
  options.threads = threads;
  return lines_of(read(inputs, {}, options), "live");
}

}  // namespace

TEST_CASE("of several chunks of a process the newest snapshot counts, the others are left out") {
  const Bytes recording =
      joined({snapshot(1000, 1).bytes(), snapshot(3000, 4).bytes(), snapshot(2000, 2).bytes()});
  const ProfileSet set = read({recording});
  CHECK(lines_of(set, "live") == "Main.main > byte[] 1 4\n");
  CHECK(totals_of(set, "live") == "live: 1, 4 (1) inuse_space/bytes");
  CHECK(set.find("live")->is_snapshot);
  CHECK(left_out_of(set.left_out) == "live profiler.LiveObject x2");
  CHECK(live_of({recording}, 3) == "Main.main > byte[] 1 4\n");
}

TEST_CASE("a chunk without a snapshot does not replace the one before") {
  auto later = async_profiler_4_chunk();
  later.start_nanos(9000);
  later.execution_sample({.stack = later.stack({"Main.main"}), .state = "STATE_DEFAULT"});
  CHECK(live_of({joined({snapshot(1000, 1).bytes(), later.bytes()})}) ==
        "Main.main > byte[] 1 1\n");
}

TEST_CASE("of several files of a process the newest snapshot counts, in any order") {
  const std::array<Bytes, 3> files{snapshot(1000, 1, 7).bytes(), snapshot(3000, 4, 7).bytes(),
                                   snapshot(2000, 2, 7).bytes()};
  std::array<std::size_t, 3> order{0, 1, 2};
  do {
    CHECK(live_of({files[order[0]], files[order[1]], files[order[2]]}) ==
          "Main.main > byte[] 1 4\n");
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST_CASE("snapshots of several processes add up") {
  CHECK(live_of({joined({snapshot(1000, 1, 7).bytes(), snapshot(3000, 4, 8).bytes()})}) ==
        "Main.main > byte[] 2 5\n");
  // Files that do not name a process are a process each.
  CHECK(live_of({snapshot(1000, 1).bytes(), snapshot(3000, 4).bytes()}) ==
        "Main.main > byte[] 2 5\n");
}

TEST_CASE("of two copies of a chunk the one that goes on longer is the newer one") {
  auto cut = snapshot(1000, 1, 7).duration_nanos(5);
  auto whole = snapshot(1000, 2, 7).duration_nanos(8);
  CHECK(live_of({cut.bytes(), whole.bytes()}) == "Main.main > byte[] 1 2\n");
  CHECK(live_of({whole.bytes(), cut.bytes()}) == "Main.main > byte[] 1 2\n");
}

TEST_CASE("a recording that is read twice has one snapshot") {
  const Bytes file = snapshot(1000, 3, 7).bytes();
  CHECK(live_of({file, file}) == "Main.main > byte[] 1 3\n");
}

TEST_CASE("all events of the newest chunk count, whichever chunk the flows come from") {
  auto first = snapshot(1000, 1, 7);
  first.monitor_enter({.stack = first.stack({"Main.main"}), .duration_ticks = 5});
  auto second = snapshot(2000, 10, 7);
  second.event("profiler.LiveObject",
               {{"stackTrace", second.stack({"Main.run"})}, {"allocationSize", 20}});
  second.monitor_enter({.stack = second.stack({"Main.main"}), .duration_ticks = 6});
  const ProfileSet set = read({joined({first.bytes(), second.bytes()})});
  CHECK(lines_of(set, "live") == "Main.main > byte[] 1 10\nMain.run > ? 1 20\n");
  CHECK(lines_of(set, "lock") == "Main.main > ? 2 11\n");
}

TEST_CASE("the summary counts snapshots alike") {
  const RecordingSummary summary =
      summary_of({joined({snapshot(1000, 1).bytes(), snapshot(2000, 2).bytes()})});
  REQUIRE(summary.profiles.size() == 1);
  CHECK(summary.profiles[0].kind == "live");
  CHECK(summary.profiles[0].samples == 1);
  CHECK(summary.profiles[0].total == 2);
  CHECK(left_out_of(summary.profiles[0].left_out) == "live profiler.LiveObject x1");
}
