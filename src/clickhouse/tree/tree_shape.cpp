#include "clickhouse/tree/tree_shape.hpp"

#include <array>
#include <utility>

#include <jfrtree/diff.hpp>
#include <jfrtree/export.hpp>

#include "export/export_checks.hpp"
#include "export/flamebearer_writer.hpp"
#include "profile/build_tree.hpp"
#include "profile/diff_tree.hpp"
#include "profile/pruned_tree.hpp"
#include "profile/saturating_add.hpp"
#include "profile/stack_order.hpp"

namespace jfrtree::internal {
namespace {

Format format_of(TreeShape shape) noexcept {
  switch (shape) {
    case TreeShape::flamebearer:
      return Format::flamebearer;
    case TreeShape::collapsed:
      return Format::collapsed;
    case TreeShape::nested_set:
      break;
  }
  return Format::nested_set;
}

CallTree shape_one(const Profile& profile, StackOrder order, const PruneOptions& limits) {
  const bool is_above_max = limits.max_nodes != 0 && order.node_count() - 1 > limits.max_nodes;
  return is_above_max || limits.min_width > 0 ? build_pruned_tree(profile, order, limits)
                                              : build_call_tree(profile, std::move(order));
}

CallTree shape_two(const Profile& profile, StackOrder order, PruneOptions limits,
                   bool is_flamebearer) {
  CallTree tree = build_call_tree(profile, std::move(order));
  const auto columns = side_columns(tree, 0);
  const std::uint64_t max_nodes = limits.max_nodes;
  // Pyroscope counts the root.
  const std::size_t counted = tree.size() - (is_flamebearer ? 0 : 1);
  if ((max_nodes != 0 && counted > max_nodes) || limits.min_width > 0) {
    limits.max_nodes = is_flamebearer ? 0 : max_nodes;
    const SideUnits shares(tree.total[columns[0]][0], tree.total[columns[1]][0]);
    tree = prune_diff_tree(tree, shares, limits);
  }
  return is_flamebearer ? prune_flamebearer_sides(tree, columns, max_nodes) : tree;
}

}  // namespace

CallTree shape_tree(const Profile& profile, const TreeFilterOptions& options) {
  const FormatDescription& format = describe(format_of(options.shape), format_descriptions());
  const bool is_flamebearer = options.shape == TreeShape::flamebearer;
  const PruneOptions limits{.sample_type = 0,
                            .max_nodes = options.max_nodes.value_or(format.default_max_nodes),
                            .min_width = options.min_width,
                            .keep_ties = is_flamebearer};
  // One column is pruned before there is a tree.
  const std::uint64_t most_copied = options.values == 1 && limits.max_nodes != 0
                                        ? saturating_add(limits.max_nodes, 1)
                                        : ~std::uint64_t{0};
  StackOrder order(profile, options.reverse, options.limits.tree_nodes, most_copied);
  return options.values == 2 ? shape_two(profile, std::move(order), limits, is_flamebearer)
                             : shape_one(profile, std::move(order), limits);
}

}  // namespace jfrtree::internal
