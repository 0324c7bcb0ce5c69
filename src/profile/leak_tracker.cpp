#include "profile/leak_tracker.hpp"

#include <algorithm>

namespace jfrtree::internal {

/// The group of a chunk, so that as few as possible are kept apart until the end. A chunk that does
/// not name its process is of that of the chunk before it, whichever that is.
LeakTracker::Group& LeakTracker::group_of(const ChunkFacts& facts, std::size_t position) {
  std::size_t group = groups_.size();
  if (facts.process) {
    group = by_process_.emplace(*facts.process, group).first->second;
  } else {
    const auto before = by_place_.find({facts.file, facts.info.number - 1});
    if (before != by_place_.end()) group = before->second;
  }
  by_place_[{facts.file, facts.info.number}] = group;
  if (group == groups_.size()) groups_.push_back({position, {}});
  return groups_[group];
}

void LeakTracker::merge(ChunkProfile& chunk, const ChunkFacts& facts, std::size_t position) {
  std::vector<std::uint32_t> numbers;
  for (const StackRows::Row& row : chunk.memory_stacks.rows) {
    const auto stack =
        std::span(chunk.memory_stacks.frames).subspan(row.first_frame, row.frame_count);
    numbers.push_back(stacks_.row_of(0, stack));
  }
  group_of(facts, position).memory.absorb(chunk.memory, &numbers);
}

LeakTracker::Result LeakTracker::finish(const ChunkHistory& history, StackTable& stacks,
                                        std::uint32_t lane) {
  std::map<ChunkHistory::Owner, OpenAllocations> by_owner;
  for (Group& group : groups_) by_owner[history.owner(group.chunk)].absorb(group.memory);
  Result result;
  std::vector<SampleSums> sums(stacks_.rows().size());
  for (auto& [owner, memory] : by_owner) {
    const std::vector<Allocation>& open = memory.settle();
    for (const Allocation& allocation : open) {
      // Filters drop stacks by leaving them without frames.
      if (stacks_.rows()[allocation.stack].frame_count == 0) continue;
      ++result.open;
      const SampleSums one{.count = 1, .value = allocation.size, .has_value = allocation.has_size};
      result.has_overflow = sums[allocation.stack].add(one) || result.has_overflow;
      if (!allocation.has_size) ++result.unknown_sizes;
    }
    result.freed += memory.freed();
    if (!memory.has_frees()) result.unmatched += open.size();
  }
  for (std::size_t row = 0; row < sums.size(); ++row) {
    if (sums[row].count == 0) continue;
    const auto frames = stacks_.frames(stacks_.rows()[row]);
    result.has_overflow = stacks.add(lane, frames, sums[row]) || result.has_overflow;
  }
  return result;
}

}  // namespace jfrtree::internal
