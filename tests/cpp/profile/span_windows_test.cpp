#include "profile/span_windows.hpp"

#include <doctest/doctest.h>

using jfrtree::internal::SpanWindows;

TEST_CASE("a window holds its start and not its end") {
  SpanWindows windows;
  windows.add(0, 7, 10, 20);
  windows.finish();
  CHECK(!windows.contains(0, 7, 9));
  CHECK(windows.contains(0, 7, 10));
  CHECK(windows.contains(0, 7, 19));
  CHECK(!windows.contains(0, 7, 20));
}

TEST_CASE("windows of a thread may overlap, nest and come in any order") {
  SpanWindows windows;
  for (const auto& [start, end] : {std::pair(50, 60), {10, 40}, {12, 15}, {35, 45}, {45, 46}}) {
    windows.add(0, 7, start, end);
  }
  windows.finish();
  for (const int moment : {10, 14, 15, 39, 40, 44, 45, 50, 59})
    CHECK(windows.contains(0, 7, moment));
  for (const int moment : {9, 46, 49, 60}) CHECK(!windows.contains(0, 7, moment));
}

TEST_CASE("windows are those of one thread of one file") {
  SpanWindows windows;
  windows.add(1, 7, 10, 20);
  windows.finish();
  CHECK(windows.contains(1, 7, 15));
  CHECK(!windows.contains(0, 7, 15));
  CHECK(!windows.contains(1, 8, 15));
}

TEST_CASE("a window that ends before it begins holds nothing") {
  SpanWindows windows;
  windows.add(0, 7, 20, 10);
  windows.add(0, 7, 5, 5);
  windows.finish();
  CHECK(!windows.contains(0, 7, 15));
  CHECK(!windows.contains(0, 7, 5));
}
