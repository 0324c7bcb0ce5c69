#include "profile/bucket_clock.hpp"

#include <algorithm>
#include <limits>

#include "profile/event_filter.hpp"

namespace jfrtree::internal {

namespace {

/// The number in the middle, rounded down, without an overflow.
[[nodiscard]] std::int64_t middle(std::int64_t low, std::int64_t high) noexcept {
  const std::uint64_t distance = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + distance / 2);
}

}  // namespace

std::int64_t bucket_start_of(std::int64_t time_ns, std::uint64_t bucket_ns) noexcept {
  const auto length = static_cast<std::int64_t>(bucket_ns);
  time_ns = std::max(time_ns, std::numeric_limits<std::int64_t>::min() + length);
  const std::int64_t rest = time_ns % length;
  return time_ns - (rest < 0 ? rest + length : rest);
}

/// Times grow with the numbers of the file: the first and the last one of a bucket are found by
/// halving.
void BucketClock::find(const Field& field, std::int64_t time, const ChunkInfo& chunk,
                       std::uint64_t bucket_ns) noexcept {
  const auto start_at = [&](std::int64_t number) {
    return bucket_start_of(time_of(field, static_cast<std::uint64_t>(number), chunk), bucket_ns);
  };
  start_ = start_at(time);
  std::int64_t low = std::numeric_limits<std::int64_t>::min();
  std::int64_t high = time;
  while (low < high) {
    const std::int64_t number = middle(low, high);
    if (start_at(number) >= start_) {
      high = number;
    } else {
      low = number + 1;
    }
  }
  first_ = low;
  low = time;
  high = std::numeric_limits<std::int64_t>::max();
  while (low < high) {
    const std::int64_t number = middle(low, high);
    if (start_at(number + 1) <= start_) {
      low = number + 1;
    } else {
      high = number;
    }
  }
  last_ = low;
}

}  // namespace jfrtree::internal
