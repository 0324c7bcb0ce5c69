/// The time that chunks cover: overlaps count once, gaps do not count.

#include <doctest/doctest.h>

#include <limits>

#include "profile/covered_time.hpp"

using jfrtree::internal::CoveredTime;

TEST_CASE("covered time: nothing covers nothing, and neither does an empty interval") {
  CoveredTime time;
  CHECK(time.length_ns() == 0);
  time.add(5, 5);
  time.add(7, 6);
  CHECK(time.length_ns() == 0);
}

TEST_CASE("covered time: gaps do not count, in whatever order intervals come") {
  CoveredTime time;
  time.add(100, 110);
  time.add(0, 10);
  time.add(50, 55);
  CHECK(time.length_ns() == 25);
}

TEST_CASE("covered time: what overlaps, touches or lies inside counts once") {
  CoveredTime time;
  time.add(0, 10);
  time.add(5, 15);   // overlaps
  time.add(15, 20);  // touches
  time.add(2, 3);    // inside
  CHECK(time.length_ns() == 20);
  time.add(30, 40);
  time.add(-5, 35);  // closes the gap
  CHECK(time.length_ns() == 45);
}

TEST_CASE("covered time: between two points alone") {
  CoveredTime time;
  time.add(0, 10);
  time.add(20, 30);
  CHECK(time.length_ns(5) == 15);
  CHECK(time.length_ns({}, 25) == 15);
  CHECK(time.length_ns(12, 18) == 0);
  CHECK(time.length_ns(5, 25) == 10);
}

TEST_CASE("covered time: the whole range of 64 bits") {
  CoveredTime time;
  time.add(std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max());
  CHECK(time.length_ns() == std::numeric_limits<std::uint64_t>::max());
}
