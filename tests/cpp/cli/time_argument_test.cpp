#include "cli/time_argument.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>

#include <jfrtree/error.hpp>

namespace jfrtree::cli {
namespace {

std::int64_t absolute(const std::string& text) {
  const TimeArgument time = parse_time("--from", text);
  CHECK(time.base == TimeArgument::Base::epoch);
  return time.resolve(std::nullopt, std::nullopt);
}

constexpr std::int64_t known = 1'700'000'000'000'000'000;  // 2023-11-14T22:13:20Z

}  // namespace

TEST_CASE("times with a date need a zone") {
  CHECK(absolute("2023-11-14T22:13:20Z") == known);
  CHECK(absolute("2023-11-14T22:13:20.000000001Z") == known + 1);
  CHECK(absolute("2023-11-14 22:13:20.5z") == known + 500'000'000);
  CHECK(absolute("2023-11-14T23:13:20+01:00") == known);
  CHECK(absolute("2023-11-14T17:43:20-0430") == known);
  CHECK(absolute("2023-11-14T22:13Z") == known - 20'000'000'000);
  CHECK(absolute("1970-01-01T00:00:00Z") == 0);
  CHECK(absolute("2024-02-29T00:00:00Z") == 1'709'164'800'000'000'000);
}

TEST_CASE("numbers since the epoch have the unit of their length") {
  CHECK(absolute("1700000000") == known);
  CHECK(absolute("1700000000000") == known);
  CHECK(absolute("1700000000000000") == known);
  CHECK(absolute("1700000000000000001") == known + 1);
  CHECK(absolute("0") == 0);
}

TEST_CASE("relative times count from the start and from the end") {
  CHECK(parse_time("--to", "+1.5s").resolve(1'000, 9'000) == 1'500'001'000);
  CHECK(parse_time("--to", "-2m").resolve(1'000, 900'000'000'000) == 780'000'000'000);
  CHECK(parse_time("--to", "+7ns").resolve(1'000, 9'000) == 1'007);
  CHECK(parse_time("--to", "+1h").resolve(0, 0) == 3'600'000'000'000);
  CHECK(parse_time("--to", "+1d").resolve(std::numeric_limits<std::int64_t>::max(), 0) ==
        std::numeric_limits<std::int64_t>::max());
}

TEST_CASE("what is no time is refused with the forms there are") {
  for (const char* const text :
       {"", "+", "-", "now", "+5", "5s", "+5x", "2023-11-14", "2023-11-14T22:13:20",
        "2023-02-30T00:00:00Z", "2023-11-14T24:00:00Z", "2023-11-14T22:13:20+99:00",
        "2023-11-14T22:13:20.1234567890Z", "2023-11-14T22:13:20Zx", "99999999999999999999",
        "9999-01-01T00:00:00Z", "+99999999999d"}) {
    CAPTURE(text);
    CHECK_THROWS_WITH_AS((void)parse_time("--from", text), doctest::Contains("--from: '"),
                         UsageError);
  }
}

}  // namespace jfrtree::cli
