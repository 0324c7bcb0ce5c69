#include "profile/diff_tree.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "profile/cut_nodes.hpp"
#include "profile/rank_limit.hpp"

namespace jfrtree {
namespace {

template <typename T>
void append_all(std::vector<T>& target, std::vector<T>&& source) {
  target.insert(target.end(), std::make_move_iterator(source.begin()),
                std::make_move_iterator(source.end()));
}

}  // namespace

CallTree build_diff_tree(const DiffProfile& diff, bool reverse, std::uint64_t max_nodes) {
  // The same stacks make the same nodes.
  CallTree tree = build_call_tree(diff.left, reverse, max_nodes);
  CallTree right = build_call_tree(diff.right, reverse, max_nodes);
  append_all(tree.self, std::move(right.self));
  append_all(tree.total, std::move(right.total));
  append_all(tree.sample_types, std::move(right.sample_types));
  return tree;
}

namespace internal {

CallTree prune_diff_tree(const CallTree& tree, const SideUnits& units,
                         const PruneOptions& options) {
  const auto columns = side_columns(tree, options.sample_type);
  const auto size_of = [&](std::size_t node) {
    return std::max(tree.total[columns[0]][node],
                    units.right_as_left(tree.total[columns[1]][node]));
  };
  RankLimitFinder finder(options);
  for (std::size_t node = 1; node < tree.size() && options.max_nodes != 0; ++node) {
    finder.add(size_of(node));
  }
  RankLimit limit = finder.limit();
  const auto is_wide = [&](std::size_t node) {
    return options.min_width <= 0 ||
           std::any_of(columns.begin(), columns.end(), [&](std::size_t column) {
             const std::vector<std::uint64_t>& total = tree.total[column];
             return total[node] > 0 && is_wide_enough(total[node], total[0], options.min_width);
           });
  };
  std::vector<bool> kept(tree.size());
  for (std::size_t node = 1; node < tree.size(); ++node) {
    const bool is_admitted = limit.admits(size_of(node));
    kept[node] = is_admitted && is_wide(node);
  }
  return cut_nodes(tree, kept);
}

}  // namespace internal
}  // namespace jfrtree
