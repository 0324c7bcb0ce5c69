#include <cstdint>
#include <vector>

#include <jfrtree/call_tree.hpp>

#include "profile/cut_nodes.hpp"
#include "profile/rank_limit.hpp"

namespace jfrtree {

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
