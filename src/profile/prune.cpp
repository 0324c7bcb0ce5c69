#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include <jfrtree/call_tree.hpp>

#include "profile/cut_nodes.hpp"

namespace jfrtree {
namespace {

/// Which totals stay by rank: those above `number`, and of those equal to it the first `ties`.
struct RankLimit {
  std::uint64_t number = 0;
  std::uint64_t ties = std::numeric_limits<std::uint64_t>::max();

  /// Asked once for each node, in pre-order.
  [[nodiscard]] bool admits(std::uint64_t total) noexcept {
    if (total != number) return total > number;
    if (ties == 0) return false;
    --ties;
    return true;
  }
};

RankLimit rank_limit(const CallTree& tree, const PruneOptions& options) {
  if (options.max_nodes == 0) {
    return {};
  }
  const std::vector<std::uint64_t>& totals = tree.total.at(options.sample_type);
  std::vector<std::uint64_t> candidates;
  candidates.reserve(tree.size());
  for (std::size_t node = 1; node < tree.size(); ++node) {
    if (tree.frame[node] != other_frame) {
      candidates.push_back(totals[node]);
    }
  }
  if (candidates.size() <= options.max_nodes) {
    return {};
  }
  RankLimit limit;
  limit.number = internal::nth_largest(candidates, static_cast<std::size_t>(options.max_nodes));
  if (!options.keep_ties) {
    const auto larger = std::count_if(candidates.begin(), candidates.end(),
                                      [&](std::uint64_t total) { return total > limit.number; });
    limit.ties = options.max_nodes - static_cast<std::uint64_t>(larger);
  }
  return limit;
}

/// Whether a part is at least `percent` of a whole. The tolerance makes up for percentages such as
/// 0.1 that a double cannot hold: a node of exactly that width stays.
bool is_wide_enough(std::uint64_t part, std::uint64_t whole, double percent) noexcept {
  constexpr double tolerance = 1e-12;
  const double needed = percent * static_cast<double>(whole);
  return static_cast<double>(part) * 100.0 >= needed * (1.0 - tolerance);
}

}  // namespace

CallTree prune(const CallTree& tree, const PruneOptions& options) {
  const std::vector<std::uint64_t>& totals = tree.total.at(options.sample_type);
  RankLimit limit = rank_limit(tree, options);
  const bool has_min_width = options.min_width > 0;
  std::vector<bool> kept(tree.size());
  for (std::size_t node = 1; node < tree.size(); ++node) {
    kept[node] = tree.frame[node] != other_frame && limit.admits(totals[node]) &&
                 (!has_min_width || is_wide_enough(totals[node], totals[0], options.min_width));
  }
  return internal::cut_nodes(tree, kept);
}

}  // namespace jfrtree
