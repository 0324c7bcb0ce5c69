/// Times and lengths of time from text. Expected numbers are those of `date -d TEXT +%s`.

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <utility>

#include <jfrtree/error.hpp>
#include <jfrtree/filter.hpp>

using namespace jfrtree;

namespace {

constexpr std::int64_t second = 1'000'000'000;

std::int64_t epoch_ns(std::string_view text) {
  const TimePoint point = parse_time_point(text);
  CHECK(point.base == TimePoint::Base::epoch);
  return point.ns;
}

std::string refusal(std::string_view text) {
  try {
    (void)parse_time_point(text);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no refusal";
}

bool is_refused(std::string_view text) { return refusal(text) != "no refusal"; }

}  // namespace

TEST_CASE("a date and time with a zone is a point in time") {
  CHECK(epoch_ns("2024-01-16T18:08:55Z") == 1'705'428'535 * second);
  CHECK(epoch_ns("2024-01-16T19:08:55+01:00") == 1'705'428'535 * second);
  CHECK(epoch_ns("2024-01-16T13:38:55-0430") == 1'705'428'535 * second);
  CHECK(epoch_ns("2024-01-16 19:08:55+01") == 1'705'428'535 * second);
  CHECK(epoch_ns("2024-01-16t18:08z") == 1'705'428'480 * second);
  CHECK(epoch_ns("1970-01-01T00:00:00Z") == 0);
  CHECK(epoch_ns("1969-12-31T23:59:59.5Z") == -second / 2);
  CHECK(epoch_ns("2000-02-29T12:00:00Z") == 951'825'600 * second);
  CHECK(epoch_ns("2100-03-01T00:00:00Z") == 4'107'542'400 * second);
}

TEST_CASE("fractions of a second are taken to the nanosecond") {
  CHECK(epoch_ns("2024-01-16T18:08:55.123456789Z") == 1'705'428'535 * second + 123'456'789);
  CHECK(epoch_ns("2024-01-16T18:08:55.1234567899Z") == 1'705'428'535 * second + 123'456'789);
  CHECK(epoch_ns("2024-01-16T18:08:55,25Z") == 1'705'428'535 * second + second / 4);
}

TEST_CASE("a number is a time since the epoch in the unit that its length tells") {
  CHECK(epoch_ns("1705428535") == 1'705'428'535 * second);
  CHECK(epoch_ns("1705428535.5") == 1'705'428'535 * second + second / 2);
  CHECK(epoch_ns("1705428535123") == 1'705'428'535 * second + 123'000'000);
  CHECK(epoch_ns("1705428535123456") == 1'705'428'535 * second + 123'456'000);
  CHECK(epoch_ns("1705428535123456789") == 1'705'428'535 * second + 123'456'789);
  CHECK(epoch_ns("99999999999ms") == 99'999'999'999 * 1'000'000);
  CHECK(epoch_ns("0") == 0);
}

TEST_CASE("a sign makes a time relative to the start or the end") {
  CHECK(parse_time_point("+30s").base == TimePoint::Base::recording_start);
  CHECK(parse_time_point("+30s").ns == 30 * second);
  CHECK(parse_time_point("+0s").ns == 0);
  CHECK(parse_time_point("-2m").base == TimePoint::Base::recording_end);
  CHECK(parse_time_point("-2m").ns == -120 * second);
  CHECK(parse_time_point("-1.5h").ns == -5400 * second);
  CHECK(parse_time_point("+0.0000000019s").ns == 1);
}

TEST_CASE("what is no time is refused with what is missing") {
  CHECK(refusal("2024-01-16T18:08:55") ==
        "'2024-01-16T18:08:55' has no zone: add Z for UTC, or an offset as in +01:00");
  CHECK(refusal("+30") ==
        "'+30' is no time: behind + or - stands a number and a unit, as in +30s or -2m");
  CHECK(refusal("2023-02-29T00:00:00Z") ==
        "'2023-02-29T00:00:00Z' is no time that there is, or none between the years 1678 and 2261");
  for (const char* text :
       {"", "yesterday", "2024-13-01T00:00:00Z", "2024-01-16T24:00:00Z", "2024-01-16T18:60:00Z",
        "2024-01-16", "18:08:55", "9999-01-01T00:00:00Z", "99999999999999999999", "+s", "-", "+1x",
        "1705428535 ", "2024-01-16T18:08:55.Z", "2024-01-16T18:08:55+1",
        "2024-01-16T18:08:55+25:00", "+9999999999999d"}) {
    CAPTURE(std::string(text));
    CHECK(is_refused(text));
  }
}

TEST_CASE("a length of time is a decimal number and a unit") {
  const std::pair<const char*, std::uint64_t> lengths[] = {{"7ns", 7},
                                                           {"3us", 3'000},
                                                           {"10ms", 10'000'000},
                                                           {"1s", 1'000'000'000},
                                                           {"2.5s", 2'500'000'000},
                                                           {"1m", 60'000'000'000},
                                                           {"1min", 60'000'000'000},
                                                           {"1h", 3'600'000'000'000},
                                                           {"1d", 86'400'000'000'000},
                                                           {"0.5ns", 0}};
  for (const auto& [text, ns] : lengths) {
    const std::string name = text;
    CAPTURE(name);
    CHECK(parse_time_length(name) == ns);
  }
  CHECK_THROWS_AS((void)parse_time_length("10"), UsageError);
  CHECK_THROWS_AS((void)parse_time_length("-1s"), UsageError);
  CHECK_THROWS_AS((void)parse_time_length("ms"), UsageError);
  CHECK_THROWS_AS((void)parse_time_length("1.s"), UsageError);
}
