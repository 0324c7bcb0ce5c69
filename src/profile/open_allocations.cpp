#include "profile/open_allocations.hpp"

#include <algorithm>
#include <utility>

namespace jfrtree::internal {

void OpenAllocations::allocate(const Allocation& allocation) {
  open_.push_back(allocation);
  if (open_.size() >= next_sweep_) sweep();
}

void OpenAllocations::free(std::uint64_t address, EventTime time) {
  frees_.push_back({address, time});
  if (frees_.size() >= next_sort_) sort_frees();
}

void OpenAllocations::absorb(OpenAllocations& other, const std::vector<std::uint32_t>* stacks) {
  if (stacks != nullptr) {
    for (Allocation& allocation : other.open_) allocation.stack = (*stacks)[allocation.stack];
  }
  if (frees_.size() + open_.size() < other.frees_.size() + other.open_.size()) {
    std::swap(frees_, other.frees_);
    std::swap(sorted_frees_, other.sorted_frees_);
    std::swap(next_sort_, other.next_sort_);
    std::swap(open_, other.open_);
    std::swap(next_sweep_, other.next_sweep_);
  }
  for (const Free& one : other.frees_) free(one.address, one.time);
  for (const Allocation& allocation : other.open_) allocate(allocation);
  freed_ += other.freed_;
  other = {};
}

const std::vector<Allocation>& OpenAllocations::settle() {
  sweep();
  return open_;
}

/// Leaves the last free of each address. The next time is when half as many have come, so that all
/// times together cost no more than the events.
void OpenAllocations::sort_frees() {
  const auto middle = frees_.begin() + static_cast<std::ptrdiff_t>(sorted_frees_);
  std::sort(middle, frees_.end());
  std::inplace_merge(frees_.begin(), middle, frees_.end());
  std::size_t kept = 0;
  for (std::size_t i = 0; i < frees_.size(); ++i) {
    const bool is_last = i + 1 == frees_.size() || frees_[i + 1].address != frees_[i].address;
    if (is_last) frees_[kept++] = frees_[i];
  }
  frees_.resize(kept);
  sorted_frees_ = kept;
  next_sort_ = std::max(least_sweep, kept + kept / 2);
}

bool OpenAllocations::is_freed(const Allocation& allocation) const noexcept {
  const auto found = std::lower_bound(
      frees_.begin(), frees_.end(), allocation.address,
      [](const Free& one, std::uint64_t address) { return one.address < address; });
  return found != frees_.end() && found->address == allocation.address &&
         found->time > allocation.time;
}

/// Drops what was freed. The next time is when as much again has come, or a part of the frees, so
/// that all sweeps together cost no more than the events.
void OpenAllocations::sweep() {
  sort_frees();
  freed_ +=
      std::erase_if(open_, [this](const Allocation& allocation) { return is_freed(allocation); });
  next_sweep_ = std::max({least_sweep, 2 * open_.size(), frees_.size() / 4});
}

}  // namespace jfrtree::internal
