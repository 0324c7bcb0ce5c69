#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <jfrtree/time_range.hpp>

namespace jfrtree::internal {

/// The tables of samples, by how long their buckets are.
enum class Resolution : std::uint8_t { finest, hour };

[[nodiscard]] const char* table_of(Resolution resolution) noexcept;

/// A part of a range of time, in whole seconds since the epoch, and the table that it is read from.
struct RangePart {
  Resolution resolution = Resolution::finest;
  std::optional<std::int64_t> from;
  std::optional<std::int64_t> to;

  bool operator==(const RangePart&) const = default;
};

/// Divides a range so that each part is read from the coarsest table that gives its sums exactly:
/// whole hours in the middle, finest rows at the ends. Hours that would be few are left to the
/// finest table. Open ends are whole. An empty range has one part, of the finest table.
/// Throws UsageError for a range that ends before it begins.
[[nodiscard]] std::vector<RangePart> range_parts(const TimeRange& range, bool only_finest);

}  // namespace jfrtree::internal
