#pragma once

#include <span>
#include <string>
#include <vector>

#include <jfrtree/export.hpp>
#include <jfrtree/profile.hpp>

#include "cli/console.hpp"

namespace jfrtree::cli {

/// What was found in an input, as lines for the reader of a page.
[[nodiscard]] std::vector<std::string> page_notes(const ProfileSet& set);

/// The last part of a path, "standard input" for `-`: where a recording lies does not concern the
/// reader of a page.
[[nodiscard]] std::string shown_file_name(const std::string& path);

/// Says what was folded into `(other)`, where that is enough to matter.
void report_cuts(std::span<const TreeCut> cuts, const Console& console);

/// Says that a format's numbers are too large for readers that hold them as doubles.
void report_large_numbers(Format format, std::span<const Profile* const> profiles,
                          const Console& console);

/// `cpu (12 samples, 3 stacks)`.
[[nodiscard]] std::string profile_text(const std::string& kind, std::uint64_t samples,
                                       std::uint64_t stacks);

}  // namespace jfrtree::cli
