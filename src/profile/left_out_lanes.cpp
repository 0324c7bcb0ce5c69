#include "profile/left_out_lanes.hpp"

#include <algorithm>
#include <map>
#include <string>

namespace jfrtree::internal {

namespace {

/// Calls `visit(class key, sums)` for all sums of a lane.
template <typename Visit>
void for_each_class(ChunkScan& scan, ChunkScan::LaneResult& result, Visit&& visit) {
  result.sums->sort_groups();
  const std::uint32_t end = scan.no_stack() + 2;
  for (std::uint32_t ordinal = 0; ordinal < end; ++ordinal) {
    result.sums->for_each_group(ordinal, [&](std::uint64_t group, const SampleSums& sums) {
      visit(scan.group(group).first, sums);
    });
  }
}

}  // namespace

std::string left_out_alternative(std::string_view kind) {
  return "other events of the same chunk describe the same " + std::string(kind) + " samples";
}

void leave_out_alternatives(std::deque<ChunkScan::LaneResult>& lanes) {
  std::map<std::string, std::uint8_t> lowest;
  for (const ChunkScan::LaneResult& result : lanes) {
    const auto [found, is_new] = lowest.emplace(result.lane.kind, result.lane.alternative);
    found->second = std::min(found->second, result.lane.alternative);
  }
  for (ChunkScan::LaneResult& result : lanes) {
    result.is_left_out = result.lane.alternative > lowest[result.lane.kind];
  }
}

void leave_out_errors(ChunkScan& scan) {
  ChunkScan::LaneResult* errors = nullptr;
  ChunkScan::LaneResult* exceptions = nullptr;
  for (ChunkScan::LaneResult& result : scan.lanes()) {
    if (!result.lane.is_thrown) continue;
    (result.lane.event == "jdk.JavaErrorThrow" ? errors : exceptions) = &result;
  }
  if (errors == nullptr || exceptions == nullptr) return;
  std::vector<std::uint64_t>& classes = exceptions->left_out_classes;
  classes.assign(scan.dropped_errors().begin(), scan.dropped_errors().end());
  for_each_class(scan, *errors,
                 [&](std::uint64_t key, const SampleSums&) { classes.push_back(key); });
  std::sort(classes.begin(), classes.end());
  classes.erase(std::unique(classes.begin(), classes.end()), classes.end());
  for_each_class(scan, *exceptions, [&](std::uint64_t key, const SampleSums& sums) {
    // Each of these events is one sample.
    if (exceptions->leaves_out(key)) exceptions->left_out_events += sums.count;
  });
  exceptions->lane.events -= exceptions->left_out_events;
}

}  // namespace jfrtree::internal
