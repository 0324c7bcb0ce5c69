#include "profile/lane_sums.hpp"

#include <algorithm>

namespace jfrtree::internal {

bool LaneSums::add(std::uint32_t ordinal, std::uint64_t group, const SampleSums& sums) {
  if (ordinal >= first_.size()) first_.resize(std::size_t{ordinal} + 1);
  Entry& entry = first_[ordinal];
  const bool is_own = !entry.tag().is_none() && entry.tag().group() == group;
  SampleSums all = is_own ? entry.sums() : sums;
  bool is_full = is_own && all.add(sums);
  // Where sums of the group are elsewhere already, its entry was given up: they stay together.
  const bool is_free = entry.tag().is_none() && !entry.has_more();
  if (is_own || is_free) {
    const std::optional<Tag::Form> form = Tag::form_of(all);
    if (form && entry.set(Tag(group, *form), all)) return is_full;
    if (is_own) entry.clear();
  }
  entry.set_more();
  return further(ordinal, group).add(all) || is_full;
}

SampleSums& LaneSums::further(std::uint32_t ordinal, std::uint64_t group) {
  const std::pair<std::uint64_t, std::uint64_t> key(ordinal, group);
  const auto [found, is_new] =
      further_index_.emplace(key, static_cast<std::uint32_t>(further_.size()));
  if (is_new) further_.push_back({ordinal, group, {}});
  return further_[found->second].sums;
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
