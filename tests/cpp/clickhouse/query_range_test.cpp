#include "clickhouse/query/query_range.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <optional>
#include <vector>

#include <jfrtree/error.hpp>

namespace jfrtree::internal {
namespace {

constexpr std::int64_t second = 1'000'000'000;
constexpr std::int64_t hour = 3600;
constexpr std::optional<std::int64_t> open_end{};

TimeRange seconds(std::optional<std::int64_t> from, std::optional<std::int64_t> to) {
  TimeRange range;
  if (from) range.from_ns = *from * second;
  if (to) range.to_ns = *to * second;
  return range;
}

TEST_CASE("a range without ends is read from the hours") {
  const std::vector<RangePart> parts = range_parts({}, false);
  CHECK(parts == std::vector<RangePart>{{Resolution::hour, open_end, open_end}});
  CHECK(range_parts({}, true) == std::vector<RangePart>{{Resolution::finest, open_end, open_end}});
}

TEST_CASE("whole hours need no finer rows") {
  CHECK(range_parts(seconds(hour, 2 * hour), false) ==
        std::vector<RangePart>{{Resolution::hour, hour, 2 * hour}});
  CHECK(range_parts(seconds(60, 120), false) ==
        std::vector<RangePart>{{Resolution::finest, 60, 120}});
  CHECK(range_parts(seconds(hour, 2 * hour), true) ==
        std::vector<RangePart>{{Resolution::finest, hour, 2 * hour}});
}

TEST_CASE("the ends of a long range are finer than its middle") {
  // From 0:59:57 to 5:02:05.
  const std::int64_t from = hour - 3;
  const std::int64_t to = 5 * hour + 125;
  CHECK(range_parts(seconds(from, to), false) ==
        std::vector<RangePart>{{Resolution::finest, from, hour},
                               {Resolution::hour, hour, 5 * hour},
                               {Resolution::finest, 5 * hour, to}});
}

TEST_CASE("parts follow each other without a gap for all kinds of ends") {
  for (std::int64_t from = 3 * hour - 130; from < 3 * hour + 130; from += 7) {
    for (const std::int64_t length : {0L, 1L, 59L, 61L, 600L, 3599L, 3600L, 7200L, 86'399L}) {
      const std::vector<RangePart> parts = range_parts(seconds(from, from + length), false);
      REQUIRE(!parts.empty());
      CHECK(parts.front().from == from);
      CHECK(parts.back().to == from + length);
      for (std::size_t i = 0; i < parts.size(); ++i) {
        if (i > 0) CHECK(parts[i].from == parts[i - 1].to);
        const std::int64_t bucket = parts[i].resolution == Resolution::hour ? hour : 1;
        CHECK(*parts[i].from % bucket == 0);
        CHECK(*parts[i].to % bucket == 0);
      }
    }
  }
}

TEST_CASE("one open end is whole, the other one may not be") {
  CHECK(range_parts(seconds(hour + 1, std::nullopt), false) ==
        std::vector<RangePart>{{Resolution::finest, hour + 1, 2 * hour},
                               {Resolution::hour, 2 * hour, open_end}});
  CHECK(range_parts(seconds(std::nullopt, hour), false) ==
        std::vector<RangePart>{{Resolution::hour, open_end, hour}});
}

TEST_CASE("parts of a second are rounded up, as buckets begin at whole ones") {
  TimeRange range;
  range.from_ns = 10 * second + 1;
  range.to_ns = 20 * second - 1;
  CHECK(range_parts(range, true) == std::vector<RangePart>{{Resolution::finest, 11, 20}});
  range.from_ns = -second - 1;
  CHECK(range_parts(range, true) == std::vector<RangePart>{{Resolution::finest, -1, 20}});
}

TEST_CASE("a range that ends before it begins is refused") {
  CHECK_THROWS_AS((void)range_parts(seconds(2, 1), false), UsageError);
}

}  // namespace
}  // namespace jfrtree::internal
