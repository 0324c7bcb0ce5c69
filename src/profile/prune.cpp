#include <algorithm>
#include <cstdint>
#include <vector>

#include <jfrtree/call_tree.hpp>

#include "profile/cut_nodes.hpp"
#include "profile/rank_limit.hpp"

namespace jfrtree {
namespace internal {

RankLimitFinder::RankLimitFinder(const PruneOptions& options)
    : max_nodes_(static_cast<std::size_t>(options.max_nodes)),
      most_held_(max_nodes_ > largest_.max_size() / 2 ? largest_.max_size() : 2 * max_nodes_),
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

}  // namespace internal

CallTree prune(const CallTree& tree, const PruneOptions& options) {
  const std::vector<std::uint64_t>& totals = tree.total.at(options.sample_type);
  internal::RankLimitFinder finder(options);
  for (std::size_t node = 1; node < tree.size(); ++node) {
    if (options.max_nodes != 0 && tree.frame[node] != other_frame) {
      finder.add(totals[node]);
    }
  }
  internal::RankLimit limit = finder.limit();
  const bool has_min_width = options.min_width > 0;
  std::vector<bool> kept(tree.size());
  for (std::size_t node = 1; node < tree.size(); ++node) {
    kept[node] =
        tree.frame[node] != other_frame && limit.admits(totals[node]) &&
        (!has_min_width || internal::is_wide_enough(totals[node], totals[0], options.min_width));
  }
  return internal::cut_nodes(tree, kept);
}

}  // namespace jfrtree
