#include "profile/open_allocations.hpp"

#include <algorithm>
#include <utility>

namespace jfrtree::internal {

void OpenAllocations::allocate(const Allocation& allocation) {
  open_.push_back(allocation);
  if (open_.size() >= next_sweep_) sweep();
}

void OpenAllocations::free(std::uint64_t address, EventTime time) {
  const auto [found, is_new] = last_free_.emplace(address, time);
  if (!is_new && found->second < time) found.value() = time;
}

void OpenAllocations::absorb(OpenAllocations& other, const std::vector<std::uint32_t>* stacks) {
  for (const auto& [address, time] : other.last_free_) free(address, time);
  for (Allocation allocation : other.open_) {
    if (stacks != nullptr) allocation.stack = (*stacks)[allocation.stack];
    allocate(allocation);
  }
  freed_ += other.freed_;
  other = {};
}

const std::vector<Allocation>& OpenAllocations::settle() {
  sweep();
  return open_;
}

/// Drops what was freed. The next time is when as much again has come, so that all sweeps together
/// cost no more than the events.
void OpenAllocations::sweep() {
  freed_ += std::erase_if(open_, [this](const Allocation& allocation) {
    const auto found = last_free_.find(allocation.address);
    return found != last_free_.end() && found->second > allocation.time;
  });
  next_sweep_ = std::max(least_sweep, 2 * open_.size());
}

}  // namespace jfrtree::internal
