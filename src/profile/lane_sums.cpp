#include "profile/lane_sums.hpp"

#include <algorithm>

namespace jfrtree::internal {

SampleSums& LaneSums::other_entry(Entry& entry, std::uint32_t ordinal, std::uint64_t group) {
  if (!entry.is_used) {
    entry.is_used = true;
    entry.group = group;
    return entry.sums;
  }
  const std::pair<std::uint64_t, std::uint64_t> key(ordinal, group);
  const auto found = further_index_.find(key);
  if (found != further_index_.end()) return further_[found->second].sums;
  further_index_.emplace(key, static_cast<std::uint32_t>(further_.size()));
  return further_.emplace_back(Further{ordinal, group, {}}).sums;
}

void LaneSums::sort_groups() {
  std::sort(further_.begin(), further_.end(), [](const Further& a, const Further& b) {
    return std::pair(a.ordinal, a.group) < std::pair(b.ordinal, b.group);
  });
  next_further_ = 0;
}

}  // namespace jfrtree::internal
