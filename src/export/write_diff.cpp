#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <jfrtree/diff_export.hpp>

#include "export/collapsed_writer.hpp"
#include "export/diff_summary_writer.hpp"
#include "export/export_checks.hpp"
#include "export/flamebearer_writer.hpp"
#include "export/grafana_writer.hpp"
#include "export/html_contents.hpp"
#include "export/nested_set_writer.hpp"
#include "export/stacks_writer.hpp"
#include "profile/diff_tree.hpp"

namespace jfrtree {
namespace {

using internal::side_columns;

/// A tree to write, and what was cut from it, if anything was.
struct ShownTree {
  CallTree tree;
  std::optional<TreeCut> cut{};
};

/// Of both sides, what was folded on the one on which that is the larger part.
TreeCut describe_cut(const CallTree& tree, const DiffProfile& diff, std::size_t sample_type) {
  TreeCut larger;
  double largest_part = -1;
  for (const std::size_t column : side_columns(tree, sample_type)) {
    const std::uint64_t folded = internal::sum_of_other(tree, column);
    const std::uint64_t total = tree.total[column][0];
    const double part = total == 0 ? 0 : static_cast<double>(folded) / static_cast<double>(total);
    if (part > largest_part) {
      largest_part = part;
      larger.folded = folded;
      larger.total = total;
    }
  }
  larger.kind = diff.left.kind;
  larger.sample_type = tree.sample_types[sample_type];
  return larger;
}

ShownTree make_tree(const DiffProfile& diff, std::size_t sample_type,
                    const FormatDescription& format, const DiffOptions& options) {
  const PruneOptions limits{
      .sample_type = sample_type,
      .max_nodes = options.output.max_nodes.value_or(format.default_max_nodes),
      .min_width = options.output.min_width};
  ShownTree shown{build_diff_tree(diff, options.output.reverse, options.output.tree_nodes)};
  CallTree& tree = shown.tree;
  // Pyroscope counts the root.
  const bool is_flamebearer = format.format == Format::flamebearer;
  const std::size_t counted = tree.size() - (is_flamebearer ? 0 : 1);
  const bool is_above_max = limits.max_nodes != 0 && counted > limits.max_nodes;
  if (is_above_max || limits.min_width > 0) {
    PruneOptions ours = limits;
    ours.max_nodes = is_flamebearer ? 0 : limits.max_nodes;
    tree = internal::prune_diff_tree(tree, side_units(diff, sample_type, options.comparison), ours);
  }
  if (is_flamebearer) {
    tree =
        internal::prune_flamebearer_sides(tree, side_columns(tree, sample_type), limits.max_nodes);
  }
  tree.default_sample_type = sample_type;
  if (std::find(tree.frame.begin(), tree.frame.end(), other_frame) != tree.frame.end()) {
    shown.cut = describe_cut(tree, diff, sample_type);
    shown.cut->max_nodes = is_above_max ? limits.max_nodes : 0;
    shown.cut->min_width = limits.min_width;
  }
  return shown;
}

/// The numbers of a method on both sides, one behind the other as the tree's columns.
MethodSums both_sides(MethodDiff&& method) {
  MethodSums sums = std::move(method.left);
  sums.self.insert(sums.self.end(), method.right.self.begin(), method.right.self.end());
  sums.total.insert(sums.total.end(), method.right.total.begin(), method.right.total.end());
  return sums;
}

/// The comparison that is asked for, or that by share for a profile of a page that has no rates
/// while another one has.
Comparison comparison_of(const DiffProfile& diff, std::size_t sample_type, Comparison wanted,
                         bool may_differ) {
  if (wanted == Comparison::per_second && may_differ) {
    try {
      static_cast<void>(side_units(diff, sample_type, wanted));
    } catch (const UsageError&) {
      return Comparison::share;
    }
  }
  return wanted;
}

std::vector<TreeCut> write_page(Output& output, std::span<const DiffProfile> diffs,
                                std::span<const std::size_t> sample_types,
                                const FormatDescription& format, const DiffOptions& options) {
  std::vector<HtmlProfile> profiles;
  std::vector<TreeCut> cuts;
  for (std::size_t index = 0; index < diffs.size(); ++index) {
    const DiffProfile& diff = diffs[index];
    DiffOptions own = options;
    own.comparison = comparison_of(diff, sample_types[index], options.comparison, diffs.size() > 1);
    ShownTree shown = make_tree(diff, sample_types[index], format, own);
    profiles.push_back(HtmlProfile{.kind = diff.left.kind,
                                   .is_snapshot = diff.left.is_snapshot,
                                   .tree = std::move(shown.tree),
                                   .methods = {}});
    HtmlProfile& profile = profiles.back();
    for (MethodDiff& method : method_diffs(diff, sample_types[index], own.comparison)) {
      profile.methods.push_back(both_sides(std::move(method)));
    }
    if (shown.cut) {
      profile.max_nodes = shown.cut->max_nodes;
      profile.min_width = shown.cut->min_width;
      cuts.push_back(*std::move(shown.cut));
    }
  }
  internal::HtmlSides sides{options.names, options.comparison, {}};
  if (!diffs.empty()) {
    sides.span_ns = diffs.front().span_ns;
  }
  internal::write_html_page(output, {profiles, options.output.title, options.output.notes, &sides,
                                     options.output.labels});
  return cuts;
}

void write_tree_as(Output& output, const CallTree& tree, const DiffProfile& diff,
                   std::size_t sample_type, Format format, const DiffOptions& options) {
  const auto columns = side_columns(tree, sample_type);
  switch (format) {
    case Format::collapsed:
      internal::write_collapsed_sides(output, tree, columns,
                                      side_units(diff, sample_type, options.comparison));
      break;
    case Format::flamebearer:
      internal::write_flamebearer_sides(output, tree, columns);
      break;
    case Format::nested_set:
      internal::write_nested_set(output, tree, columns);
      break;
    case Format::nested_set_json:
      internal::write_nested_set_json(output, tree, columns);
      break;
    case Format::grafana:
      internal::write_grafana(output, tree, columns);
      break;
    default:
      break;  // no trees
  }
}

/// Rates cannot stand in formats that hold the numbers of both sides as they are.
void check_comparison(const FormatDescription& format, Comparison comparison) {
  const bool measures = format.format == Format::html || format.format == Format::collapsed ||
                        format.format == Format::summary;
  if (comparison == Comparison::per_second && !measures) {
    throw UsageError("the format " + std::string(format.name) +
                     " holds the numbers as they are, no rates; html, collapsed and json compare "
                     "per second");
  }
}

void check_no_tree(const FormatDescription& format, const ExportOptions& options) {
  if (internal::changes_stacks(options)) {
    throw UsageError("the format " + std::string(format.name) +
                     " is about whole stacks: it is neither reversed nor cut");
  }
}

}  // namespace

std::vector<TreeCut> write_diff(Output& output, std::span<const DiffProfile> diffs, Format format,
                                const DiffOptions& options) {
  const FormatDescription& description = internal::describe(format, diff_format_descriptions());
  internal::check_profile_count(diffs.size(), description);
  check_comparison(description, options.comparison);
  std::vector<const Profile*> shown;
  for (const DiffProfile& diff : diffs) {
    shown.push_back(&diff.left);
  }
  const std::vector<std::size_t> sample_types =
      internal::shown_sample_types(shown, options.output.sample_type);
  switch (format) {
    case Format::html:
      return write_page(output, diffs, sample_types, description, options);
    case Format::stacks:
      internal::check_whole_stacks(options.output, "stacks");
      internal::write_stacks_sides(output, diffs, options.output.threads);
      return {};
    case Format::summary:
      check_no_tree(description, options.output);
      internal::write_diff_summary(output, diffs.front(), sample_types.front(), options);
      return {};
    default:
      break;
  }
  ShownTree tree = make_tree(diffs.front(), sample_types.front(), description, options);
  write_tree_as(output, tree.tree, diffs.front(), sample_types.front(), format, options);
  std::vector<TreeCut> cuts;
  if (tree.cut) {
    cuts.push_back(*std::move(tree.cut));
  }
  return cuts;
}

}  // namespace jfrtree
