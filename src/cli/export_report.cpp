#include "cli/export_report.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>

#include "cli/human.hpp"
#include "cli/profile_arguments.hpp"
#include "cli/text.hpp"

namespace jfrtree::cli {
namespace {

// Lines about the input that a page shows to its reader.
constexpr std::size_t most_page_notes = 50;

/// Whether a format writes its numbers as JSON numbers, which many readers hold as doubles.
bool writes_json_numbers(Format format) {
  return format == Format::flamebearer || format == Format::nested_set_json ||
         format == Format::grafana || format == Format::tree || format == Format::summary;
}

/// Whether doubles cannot hold every number of a profile.
bool has_large_numbers(const Profile& profile) {
  constexpr std::uint64_t largest_exact = std::uint64_t{1} << 53;
  return profile.count > largest_exact || profile.value.value_or(0) > largest_exact ||
         std::any_of(profile.further_numbers.begin(), profile.further_numbers.end(),
                     [](std::uint64_t number) { return number > largest_exact; });
}

/// Whether so much was folded that who reads the output has to know.
bool is_worth_telling(const TreeCut& cut) {
  constexpr double least_share = 0.01;
  return cut.folded > 0 &&
         static_cast<double>(cut.folded) >= least_share * static_cast<double>(cut.total);
}

std::string cut_text(const TreeCut& cut) {
  std::vector<std::string> options;
  if (cut.max_nodes != 0) {
    options.push_back("--max-nodes " + std::to_string(cut.max_nodes));
  }
  if (cut.min_width > 0) {
    std::array<char, 32> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), cut.min_width).ptr;
    options.push_back("--min-width " + std::string(digits.data(), end));
  }
  return cut.kind + ": " + percent_text(cut.folded, cut.total) + " of " + cut.sample_type.name +
         " is in (other), cut by " + join(options, " and ") + " (0 keeps all)";
}

}  // namespace

std::vector<std::string> page_notes(const ProfileSet& set) {
  std::vector<std::string> notes;
  for (const Finding& finding : findings_of(set.problems)) {
    notes.push_back(finding_text(finding));
  }
  for (const LeftOut& left_out : set.left_out) {
    notes.push_back(left_out_text(left_out));
  }
  if (notes.size() > most_page_notes) {
    const std::size_t more = notes.size() - most_page_notes;
    notes.resize(most_page_notes);
    notes.push_back("... and " + count_text(more) + " more");
  }
  return notes;
}

std::string shown_file_name(const std::string& path) {
  if (path == "-") {
    return "standard input";
  }
  const std::filesystem::path name = std::filesystem::path(path).filename();
  return name.empty() ? path : name.string();
}

void report_cuts(std::span<const TreeCut> cuts, const Console& console) {
  for (const TreeCut& cut : cuts) {
    if (is_worth_telling(cut)) {
      console.message(cut_text(cut));
    }
  }
}

void report_large_numbers(Format format, std::span<const Profile* const> profiles,
                          const Console& console) {
  const bool has_large = std::any_of(profiles.begin(), profiles.end(), [](const Profile* profile) {
    return has_large_numbers(*profile);
  });
  if (writes_json_numbers(format) && has_large) {
    console.message(
        "numbers above 2^53 were written exactly; readers that hold JSON numbers as "
        "doubles round them");
  }
}

std::string profile_text(const std::string& kind, std::uint64_t samples, std::uint64_t stacks) {
  return kind + " (" + counted(samples, "sample", "samples") + ", " +
         counted(stacks, "stack", "stacks") + ")";
}

}  // namespace jfrtree::cli
