#include "export/export_checks.hpp"

#include <algorithm>

#include "profile/saturating_add.hpp"

namespace jfrtree::internal {

const FormatDescription& describe(Format format, std::span<const FormatDescription> formats) {
  const auto found = std::find_if(formats.begin(), formats.end(),
                                  [&](const auto& each) { return each.format == format; });
  if (found == formats.end()) {
    throw UsageError("there is no such format");
  }
  return *found;
}

void check_profile_count(std::size_t profiles, const FormatDescription& format) {
  if (!format.holds_several_profiles && profiles != 1) {
    throw UsageError("the format " + std::string(format.name) + " holds one profile, not " +
                     std::to_string(profiles) + ": choose a kind with --profile");
  }
}

bool changes_stacks(const ExportOptions& options) noexcept {
  return options.reverse || options.min_width > 0 || options.max_nodes.value_or(0) != 0;
}

void check_whole_stacks(const ExportOptions& options, std::string_view format) {
  if (changes_stacks(options)) {
    throw UsageError("the format " + std::string(format) +
                     " holds every stack, root first: it is neither reversed nor cut; "
                     "use collapsed or a tree format with --reverse, --max-nodes and --min-width");
  }
}

std::vector<std::size_t> shown_sample_types(std::span<const Profile* const> profiles,
                                            const std::string& name) {
  std::vector<std::size_t> shown;
  std::size_t found = 0;
  for (const Profile* const profile : profiles) {
    shown.push_back(profile->default_sample_type);
    if (name.empty()) {
      continue;
    }
    const bool is_last = shown.size() == profiles.size();
    try {
      shown.back() = profile->find_sample_type(name);
      ++found;
    } catch (const UsageError&) {
      if (is_last && found == 0) {
        throw;
      }
    }
  }
  return shown;
}

std::uint64_t sum_of_other(const CallTree& tree, std::size_t column) {
  std::uint64_t sum = 0;
  for (std::size_t node = 1; node < tree.size(); ++node) {
    if (tree.frame[node] == other_frame) {
      add_saturated(sum, tree.total[column][node]);
    }
  }
  return sum;
}

}  // namespace jfrtree::internal
