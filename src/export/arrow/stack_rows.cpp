#include "export/arrow/stack_rows.hpp"

#include <algorithm>
#include <numeric>

namespace jfrtree::internal::arrow {

StackRows::StackRows(const Profile& profile) : profile_(profile), stacks_(profile.stacks) {
  if (!profile.has_thread_frame) return;
  order_.resize(stacks_.size());
  std::iota(order_.begin(), order_.end(), 0U);
  std::stable_sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
    const auto left = profile.frames(stacks_[a]).subspan(1);
    const auto right = profile.frames(stacks_[b]).subspan(1);
    return std::lexicographical_compare(left.begin(), left.end(), right.begin(), right.end());
  });
}

bool StackRows::repeats(std::size_t row) const noexcept {
  if (order_.empty() || row == 0) return false;
  const auto one = frames(row - 1);
  const auto other = frames(row);
  return std::equal(one.begin(), one.end(), other.begin(), other.end());
}

}  // namespace jfrtree::internal::arrow
