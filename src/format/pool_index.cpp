#include "format/pool_index.hpp"

#include <algorithm>

namespace jfrtree::internal {

namespace {

constexpr std::uint64_t max_span_per_entry = 16;

}  // namespace

void PoolIndex::build(std::uint64_t granted_span) {
  if (keys_.empty()) return;
  const auto [low, high] = std::minmax_element(keys_.begin(), keys_.end());
  const std::uint64_t span = *high - *low;
  if (span < std::max<std::uint64_t>(max_span_per_entry * keys_.size(), granted_span)) {
    lowest_ = *low;
    table_.assign(span + 1, none);
    for (std::uint32_t i = 0; i < keys_.size(); ++i) table_[keys_[i] - lowest_] = i;
  } else {
    map_.reserve(keys_.size());
    for (std::uint32_t i = 0; i < keys_.size(); ++i) map_[keys_[i]] = i;
  }
  std::vector<std::uint64_t>().swap(keys_);
}

}  // namespace jfrtree::internal
