#include "export/event_cells.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <string>

namespace jfrtree::internal {

namespace {

std::string time_text(std::int64_t epoch_ns) {
  std::string text;
  TimeText().append(text, epoch_ns);
  return text;
}

std::string csv(std::string_view field) {
  std::string text;
  append_csv_text(text, field);
  return text;
}

}  // namespace

TEST_CASE("points in time have nine digits of the second") {
  CHECK(time_text(0) == "1970-01-01T00:00:00.000000000Z");
  CHECK(time_text(-1) == "1969-12-31T23:59:59.999999999Z");
  CHECK(time_text(1'700'000'000'000'000'001) == "2023-11-14T22:13:20.000000001Z");
  // The last second of a leap day, and what follows.
  CHECK(time_text(1'709'251'199'000'000'000) == "2024-02-29T23:59:59.000000000Z");
  CHECK(time_text(1'709'251'200'000'000'000) == "2024-03-01T00:00:00.000000000Z");
  CHECK(time_text(951'782'400'000'000'000) == "2000-02-29T00:00:00.000000000Z");
  CHECK(time_text(std::numeric_limits<std::int64_t>::min()) == "1677-09-21T00:12:43.145224192Z");
  CHECK(time_text(std::numeric_limits<std::int64_t>::max()) == "2262-04-11T23:47:16.854775807Z");
}

TEST_CASE("times of one second after the other are the same as each alone") {
  TimeText times;
  for (const std::int64_t time : {5LL, 999'999'999LL, 1'000'000'000LL, 7LL, -7LL}) {
    std::string text;
    times.append(text, time);
    CHECK(text == time_text(time));
  }
}

TEST_CASE("CSV fields are in quotes where they need them") {
  CHECK(csv("plain text;with 'signs'") == "plain text;with 'signs'");
  CHECK(csv("") == "\"\"");
  CHECK(csv("a,b") == "\"a,b\"");
  CHECK(csv("a\"b\"") == "\"a\"\"b\"\"\"");
  CHECK(csv("a\nb") == "\"a\nb\"");
  CHECK(csv("a\rb") == "\"a\rb\"");
}

}  // namespace jfrtree::internal
