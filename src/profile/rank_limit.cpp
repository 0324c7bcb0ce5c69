#include "profile/rank_limit.hpp"

#include <algorithm>

#include "profile/cut_nodes.hpp"
#include "profile/saturating_add.hpp"

namespace jfrtree::internal {

RankLimitFinder::RankLimitFinder(const PruneOptions& options)
    : max_nodes_(static_cast<std::size_t>(options.max_nodes)),
      most_held_(static_cast<std::size_t>(saturating_add(options.max_nodes, options.max_nodes))),
      keep_ties_(options.keep_ties) {}

void RankLimitFinder::drop_small() {
  floor_ = nth_largest(largest_, max_nodes_);
  largest_.resize(max_nodes_);
}

RankLimit RankLimitFinder::limit() {
  if (max_nodes_ == 0 || count_ <= max_nodes_) {
    return {};
  }
  RankLimit limit;
  limit.number = nth_largest(largest_, max_nodes_);
  if (!keep_ties_) {
    const auto larger = std::count_if(largest_.begin(), largest_.end(),
                                      [&](std::uint64_t total) { return total > limit.number; });
    limit.ties = max_nodes_ - static_cast<std::uint64_t>(larger);
  }
  return limit;
}

}  // namespace jfrtree::internal
