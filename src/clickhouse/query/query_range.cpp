#include "clickhouse/query/query_range.hpp"

#include <jfrtree/error.hpp>

namespace jfrtree::internal {

namespace {

constexpr std::int64_t nanoseconds_per_second = 1'000'000'000;
constexpr std::int64_t hour = 3'600;
/// The coarser table is worth a part of its own from so many hours on.
constexpr std::int64_t fewest_hours = 3;

[[nodiscard]] std::int64_t floor_to(std::int64_t number, std::int64_t step) noexcept {
  const std::int64_t rest = number % step;
  return number - (rest < 0 ? rest + step : rest);
}

[[nodiscard]] std::int64_t ceil_to(std::int64_t number, std::int64_t step) noexcept {
  const std::int64_t down = floor_to(number, step);
  return down == number ? number : down + step;
}

[[nodiscard]] std::optional<std::int64_t> seconds_of(const std::optional<std::int64_t>& ns) {
  if (!ns) return std::nullopt;
  const std::int64_t seconds = *ns / nanoseconds_per_second;
  return *ns > seconds * nanoseconds_per_second ? seconds + 1 : seconds;
}

void divide(std::vector<RangePart>& parts, const std::optional<std::int64_t>& from,
            const std::optional<std::int64_t>& to) {
  const auto begin = from ? std::optional(ceil_to(*from, hour)) : std::nullopt;
  const auto end = to ? std::optional(floor_to(*to, hour)) : std::nullopt;
  const bool is_whole = begin == from && end == to;
  if (begin && end && *end - *begin < (is_whole ? 1 : fewest_hours) * hour) {
    parts.push_back({Resolution::finest, from, to});
    return;
  }
  if (begin != from) parts.push_back({Resolution::finest, from, begin});
  parts.push_back({Resolution::hour, begin, end});
  if (end != to) parts.push_back({Resolution::finest, end, to});
}

}  // namespace

const char* table_of(Resolution resolution) noexcept {
  return resolution == Resolution::hour ? "profile_samples_1h" : "profile_samples";
}

std::vector<RangePart> range_parts(const TimeRange& range, bool only_finest) {
  if (range.from_ns && range.to_ns && *range.from_ns > *range.to_ns) {
    throw UsageError("the range of time ends before it begins");
  }
  std::vector<RangePart> parts;
  const auto from = seconds_of(range.from_ns);
  const auto to = seconds_of(range.to_ns);
  if (only_finest) {
    parts.push_back({Resolution::finest, from, to});
  } else {
    divide(parts, from, to);
  }
  return parts;
}

}  // namespace jfrtree::internal
