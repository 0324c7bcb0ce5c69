#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <jfrtree/export.hpp>

namespace jfrtree::internal {

/// The description of a format. Throws UsageError when it is not among `formats`.
[[nodiscard]] const FormatDescription& describe(Format format,
                                                std::span<const FormatDescription> formats);

/// Throws UsageError when a format cannot hold so many profiles.
void check_profile_count(std::size_t profiles, const FormatDescription& format);

/// Whether stacks are not written as they are.
[[nodiscard]] bool changes_stacks(const ExportOptions& options) noexcept;

/// Throws UsageError when the stacks of a loss-free format were to be changed.
void check_whole_stacks(const ExportOptions& options, std::string_view format);

/// The sample type to show of each profile. Of several profiles, those that lack the one asked for
/// show their default; throws UsageError when all lack it.
[[nodiscard]] std::vector<std::size_t> shown_sample_types(std::span<const Profile* const> profiles,
                                                          const std::string& name);

/// What lies in the `(other)` nodes of a column; none has another below it.
[[nodiscard]] std::uint64_t sum_of_other(const CallTree& tree, std::size_t column);

}  // namespace jfrtree::internal
