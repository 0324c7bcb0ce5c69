#include "profile/lane_sums.hpp"

#include <algorithm>

namespace jfrtree::internal {

bool LaneSums::add(std::uint32_t ordinal, std::uint64_t group, const SampleSums& sums) {
  if (ordinal >= first_.size()) first_.resize(std::size_t{ordinal} + 1);
  Entry& entry = first_[ordinal];
  if (!entry.is_used() || entry.group() == group) {
    SampleSums all = entry.sums();
    const bool is_full = all.add(sums);
    entry.set(group, all);
    return is_full;
  }
  const std::pair<std::uint64_t, std::uint64_t> key(ordinal, group);
  const auto [found, is_new] =
      further_index_.emplace(key, static_cast<std::uint32_t>(further_.size()));
  if (is_new) {
    further_.push_back({ordinal, group, {}});
    entry.set_more();
  }
  return further_[found->second].sums.add(sums);
}

void LaneSums::sort_groups() {
  std::sort(further_.begin(), further_.end(), [](const Further& a, const Further& b) {
    return std::pair(a.ordinal, a.group) < std::pair(b.ordinal, b.group);
  });
}

std::size_t LaneSums::first_further(std::uint32_t ordinal) const noexcept {
  const auto found = std::lower_bound(
      further_.begin(), further_.end(), ordinal,
      [](const Further& further, std::uint32_t wanted) { return further.ordinal < wanted; });
  return static_cast<std::size_t>(found - further_.begin());
}

}  // namespace jfrtree::internal
