#include "profile/covered_time.hpp"

#include <algorithm>
#include <iterator>

namespace jfrtree::internal {

void CoveredTime::add(std::int64_t start_ns, std::int64_t end_ns) {
  if (end_ns <= start_ns) return;
  auto next = end_by_start_.upper_bound(start_ns);
  if (next != end_by_start_.begin() && std::prev(next)->second >= start_ns) {
    --next;
    start_ns = next->first;
  }
  while (next != end_by_start_.end() && next->first <= end_ns) {
    end_ns = std::max(end_ns, next->second);
    next = end_by_start_.erase(next);
  }
  end_by_start_.emplace(start_ns, end_ns);
}

std::uint64_t CoveredTime::length_ns(std::optional<std::int64_t> from_ns,
                                     std::optional<std::int64_t> to_ns) const noexcept {
  std::uint64_t length = 0;
  for (const auto& [start, end] : end_by_start_) {
    const std::int64_t first = std::max(start, from_ns.value_or(start));
    const std::int64_t last = std::min(end, to_ns.value_or(end));
    if (last > first)
      length += static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first);
  }
  return length;
}

}  // namespace jfrtree::internal
