#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <jfrtree/ids.hpp>

#include "profile/chunk_history.hpp"
#include "profile/chunk_profile.hpp"
#include "profile/open_allocations.hpp"
#include "profile/stack_table.hpp"

namespace jfrtree::internal {

/// Matches the allocations of native memory of all chunks with what frees them, process by process.
class LeakTracker {
 public:
  /// Takes over the memory of the chunk that has the facts.
  void merge(ChunkProfile& chunk, const ChunkFacts& facts, std::size_t position);

  struct Result {
    std::uint64_t open = 0;
    std::uint64_t freed = 0;
    std::uint64_t unknown_sizes = 0;  ///< of those that are open
    /// Allocations of processes whose recording has no event about freed memory.
    std::uint64_t unmatched = 0;
    bool has_overflow = false;
  };
  /// Adds what is open to a lane of a table of stacks. Once, at the end.
  [[nodiscard]] Result finish(const ChunkHistory& history, StackTable& stacks, std::uint32_t lane);

  [[nodiscard]] std::size_t frame_count() noexcept { return stacks_.frames().size(); }

 private:
  /// Chunks of one process.
  struct Group {
    std::size_t chunk = 0;  // one of them
    OpenAllocations memory;
  };
  [[nodiscard]] Group& group_of(const ChunkFacts& facts, std::size_t position);

  StackTable stacks_;
  std::vector<Group> groups_;
  std::map<ProcessId, std::size_t> by_process_;
  std::map<std::pair<std::size_t, std::uint64_t>, std::size_t> by_place_;  // file and chunk number
};

}  // namespace jfrtree::internal
