#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <jfrtree/arrow.hpp>
#include <jfrtree/export.hpp>

#include "export/collapsed_writer.hpp"
#include "export/export_checks.hpp"
#include "export/html_contents.hpp"
#include "profile/build_tree.hpp"
#include "profile/method_sums.hpp"
#include "profile/pruned_tree.hpp"
#include "profile/stack_order.hpp"

namespace jfrtree {
namespace {

using internal::StackOrder;

/// A tree to write, and what was cut from it, if anything was.
struct ShownTree {
  CallTree tree;
  std::optional<TreeCut> cut{};
};

ShownTree make_tree(const Profile& profile, StackOrder order, std::size_t sample_type,
                    const FormatDescription& format, const ExportOptions& options) {
  const PruneOptions limits{.sample_type = sample_type,
                            .max_nodes = options.max_nodes.value_or(format.default_max_nodes),
                            .min_width = options.min_width,
                            .keep_ties = format.format == Format::flamebearer};
  const bool is_above_max = limits.max_nodes != 0 && order.node_count() - 1 > limits.max_nodes;
  const bool is_cut = is_above_max || limits.min_width > 0;
  ShownTree shown{is_cut ? internal::build_pruned_tree(profile, order, limits)
                         : internal::build_call_tree(profile, std::move(order))};
  CallTree& tree = shown.tree;
  tree.default_sample_type = sample_type;
  if (is_cut && std::find(tree.frame.begin(), tree.frame.end(), other_frame) != tree.frame.end()) {
    shown.cut = TreeCut{.kind = profile.kind,
                        .sample_type = tree.sample_types[sample_type],
                        .folded = internal::sum_of_other(tree, sample_type),
                        .total = tree.total[sample_type][0],
                        .max_nodes = is_above_max ? limits.max_nodes : 0,
                        .min_width = limits.min_width};
  }
  return shown;
}

std::vector<TreeCut> write_page(Output& output, std::span<const Profile> profiles,
                                std::span<const std::size_t> sample_types,
                                const FormatDescription& format, const ExportOptions& options) {
  std::vector<HtmlProfile> pages;
  std::vector<TreeCut> cuts;
  for (std::size_t index = 0; index < profiles.size(); ++index) {
    const Profile& profile = profiles[index];
    StackOrder order(profile, options.reverse, options.tree_nodes);
    std::vector<MethodSums> methods =
        options.reverse ? method_sums(profile, sample_types[index])
                        : internal::method_sums(profile, order, sample_types[index]);
    ShownTree shown = make_tree(profile, std::move(order), sample_types[index], format, options);
    pages.push_back(HtmlProfile{.kind = profile.kind,
                                .is_snapshot = profile.is_snapshot,
                                .tree = std::move(shown.tree),
                                .methods = std::move(methods)});
    if (shown.cut) {
      pages.back().max_nodes = shown.cut->max_nodes;
      pages.back().min_width = shown.cut->min_width;
      cuts.push_back(*std::move(shown.cut));
    }
  }
  internal::write_html_page(output, {pages, options.title, options.notes, nullptr, options.labels});
  return cuts;
}

void write_tree_as(Output& output, const CallTree& tree, std::size_t sample_type, Format format) {
  switch (format) {
    case Format::collapsed:
      internal::write_collapsed_tree(output, tree, sample_type);
      break;
    case Format::flamebearer:
      write_flamebearer(output, tree, sample_type);
      break;
    case Format::nested_set:
      write_nested_set(output, tree, sample_type);
      break;
    case Format::nested_set_json:
      write_nested_set_json(output, tree, sample_type);
      break;
    case Format::grafana:
      write_grafana(output, tree, sample_type);
      break;
    case Format::tree:
      write_tree(output, tree, sample_type);
      break;
    case Format::stacks:
    case Format::html:
    case Format::arrow:
    case Format::summary:
      break;  // hold several profiles, or both sides of a diff
  }
}

std::vector<TreeCut> write_one_profile(Output& output, const Profile& profile,
                                       std::size_t sample_type, const FormatDescription& format,
                                       const ExportOptions& options) {
  if (format.format == Format::collapsed && !internal::changes_stacks(options)) {
    options.raw_frames ? write_raw_collapsed(output, profile, sample_type, options.threads)
                       : write_collapsed(output, profile, sample_type, options.threads);
    return {};
  }
  StackOrder order(profile, options.reverse, options.tree_nodes);
  ShownTree shown = make_tree(profile, std::move(order), sample_type, format, options);
  write_tree_as(output, shown.tree, sample_type, format.format);
  std::vector<TreeCut> cuts;
  if (shown.cut) {
    cuts.push_back(*std::move(shown.cut));
  }
  return cuts;
}

}  // namespace

std::vector<TreeCut> write_profiles(Output& output, std::span<const Profile> profiles,
                                    Format format, const ExportOptions& options) {
  const FormatDescription& description = internal::describe(format, format_descriptions());
  internal::check_profile_count(profiles.size(), description);
  std::vector<const Profile*> shown;
  for (const Profile& profile : profiles) {
    shown.push_back(&profile);
  }
  const std::vector<std::size_t> sample_types =
      internal::shown_sample_types(shown, options.sample_type);
  switch (format) {
    case Format::stacks:
      internal::check_whole_stacks(options, description.name);
      write_stacks(output, profiles, options.threads);
      return {};
    case Format::arrow:
      internal::check_whole_stacks(options, description.name);
      write_arrow(output, profiles_table(profiles));
      return {};
    case Format::html:
      return write_page(output, profiles, sample_types, description, options);
    default:
      return write_one_profile(output, profiles.front(), sample_types.front(), description,
                               options);
  }
}

}  // namespace jfrtree
