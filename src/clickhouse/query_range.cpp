#include "clickhouse/query_range.hpp"

#include <jfrtree/error.hpp>

namespace jfrtree::internal {

namespace {

constexpr std::int64_t nanoseconds_per_second = 1'000'000'000;
/// A coarser table is worth a part of its own from so many of its buckets on.
constexpr std::int64_t fewest_buckets = 3;

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

[[nodiscard]] std::int64_t bucket_seconds(Resolution resolution) noexcept {
  constexpr std::int64_t minute = 60;
  return resolution == Resolution::hour ? 60 * minute : minute;
}

void divide(std::vector<RangePart>& parts, Resolution resolution,
            const std::optional<std::int64_t>& from, const std::optional<std::int64_t>& to) {
  if (resolution == Resolution::finest) {
    parts.push_back({resolution, from, to});
    return;
  }
  const std::int64_t bucket = bucket_seconds(resolution);
  const auto finer = resolution == Resolution::hour ? Resolution::minute : Resolution::finest;
  const auto begin = from ? std::optional(ceil_to(*from, bucket)) : std::nullopt;
  const auto end = to ? std::optional(floor_to(*to, bucket)) : std::nullopt;
  const bool is_whole = begin == from && end == to;
  if (begin && end && *end - *begin < (is_whole ? 1 : fewest_buckets) * bucket) {
    divide(parts, finer, from, to);
    return;
  }
  if (begin != from) divide(parts, finer, from, begin);
  parts.push_back({resolution, begin, end});
  if (end != to) divide(parts, finer, end, to);
}

}  // namespace

const char* table_of(Resolution resolution) noexcept {
  switch (resolution) {
    case Resolution::minute:
      return "profile_samples_1m";
    case Resolution::hour:
      return "profile_samples_1h";
    default:
      return "profile_samples";
  }
}

std::vector<RangePart> range_parts(const TimeRange& range, bool only_finest) {
  if (range.from_ns && range.to_ns && *range.from_ns > *range.to_ns) {
    throw UsageError("the range of time ends before it begins");
  }
  std::vector<RangePart> parts;
  divide(parts, only_finest ? Resolution::finest : Resolution::hour, seconds_of(range.from_ns),
         seconds_of(range.to_ns));
  return parts;
}

}  // namespace jfrtree::internal
