#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <jfrtree/export.hpp>

#include "export/collapsed_writer.hpp"

namespace jfrtree {
namespace {

const FormatDescription& describe(Format format) {
  const auto formats = format_descriptions();
  const auto found = std::find_if(formats.begin(), formats.end(),
                                  [&](const auto& each) { return each.format == format; });
  if (found == formats.end()) {
    throw UsageError("there is no such format");
  }
  return *found;
}

void check_profile_count(std::span<const Profile> profiles, const FormatDescription& format) {
  if (!format.holds_several_profiles && profiles.size() != 1) {
    throw UsageError("the format " + std::string(format.name) + " holds one profile, not " +
                     std::to_string(profiles.size()) + ": choose a kind with --profile");
  }
}

/// The sample type to show of each profile. Of several profiles, those that lack the one asked for
/// show their default.
std::vector<std::size_t> shown_sample_types(std::span<const Profile> profiles,
                                            const std::string& name) {
  std::vector<std::size_t> shown;
  std::size_t found = 0;
  for (const Profile& profile : profiles) {
    shown.push_back(profile.default_sample_type);
    if (name.empty()) {
      continue;
    }
    const auto last = &profile == &profiles.back();
    try {
      shown.back() = profile.find_sample_type(name);
      ++found;
    } catch (const UsageError&) {
      if (last && found == 0) {
        throw;
      }
    }
  }
  return shown;
}

CallTree make_tree(const Profile& profile, std::size_t sample_type, const FormatDescription& format,
                   const ExportOptions& options) {
  CallTree tree = build_call_tree(profile, options.reverse, options.tree_nodes);
  tree.default_sample_type = sample_type;
  const PruneOptions cut{.sample_type = sample_type,
                         .max_nodes = options.max_nodes.value_or(format.default_max_nodes),
                         .min_width = options.min_width,
                         .keep_ties = format.format == Format::flamebearer};
  return cut.max_nodes == 0 && !(cut.min_width > 0) ? tree : prune(tree, cut);
}

bool changes_stacks(const ExportOptions& options) noexcept {
  return options.reverse || options.min_width > 0 || options.max_nodes.value_or(0) != 0;
}

void write_all_stacks(Output& output, std::span<const Profile> profiles,
                      const ExportOptions& options) {
  if (changes_stacks(options)) {
    throw UsageError(
        "the format stacks holds every stack, root first: it is neither reversed nor cut; "
        "use collapsed or a tree format with --reverse, --max-nodes and --min-width");
  }
  write_stacks(output, profiles);
}

void write_page(Output& output, std::span<const Profile> profiles,
                std::span<const std::size_t> sample_types, const FormatDescription& format,
                const ExportOptions& options) {
  std::vector<HtmlProfile> pages;
  for (std::size_t index = 0; index < profiles.size(); ++index) {
    const Profile& profile = profiles[index];
    pages.push_back(HtmlProfile{.kind = profile.kind,
                                .is_snapshot = profile.is_snapshot,
                                .tree = make_tree(profile, sample_types[index], format, options),
                                .methods = method_sums(profile, sample_types[index])});
  }
  write_html(output, pages, options.title, options.notes);
}

void write_one_profile(Output& output, const Profile& profile, std::size_t sample_type,
                       const FormatDescription& format, const ExportOptions& options) {
  if (format.format == Format::collapsed && !changes_stacks(options)) {
    write_collapsed(output, profile, sample_type);
    return;
  }
  const CallTree tree = make_tree(profile, sample_type, format, options);
  switch (format.format) {
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
    case Format::tree:
      write_tree(output, tree, sample_type);
      break;
    case Format::stacks:
    case Format::html:
      break;  // hold several profiles
  }
}

}  // namespace

void write_profiles(Output& output, std::span<const Profile> profiles, Format format,
                    const ExportOptions& options) {
  const FormatDescription& description = describe(format);
  check_profile_count(profiles, description);
  const std::vector<std::size_t> sample_types = shown_sample_types(profiles, options.sample_type);
  switch (format) {
    case Format::stacks:
      write_all_stacks(output, profiles, options);
      break;
    case Format::html:
      write_page(output, profiles, sample_types, description, options);
      break;
    default:
      write_one_profile(output, profiles.front(), sample_types.front(), description, options);
  }
}

}  // namespace jfrtree
