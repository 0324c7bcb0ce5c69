#include "profile/stack_table.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

using namespace jfrtree;
using namespace jfrtree::internal;

namespace {

std::vector<FrameId> stack(std::initializer_list<std::uint32_t> frames) {
  std::vector<FrameId> ids;
  for (const std::uint32_t frame : frames) ids.push_back(FrameId{frame});
  return ids;
}

constexpr std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();

}  // namespace

TEST_CASE("StackTable sums equal stacks of a lane into one row") {
  StackTable table;
  CHECK_FALSE(table.add(0, stack({1, 2, 3}), {.count = 1, .value = 10, .has_value = true}));
  CHECK_FALSE(table.add(0, stack({1, 2}), {.count = 5}));
  CHECK_FALSE(table.add(0, stack({1, 2, 3}), {.count = 2, .value = 20, .has_value = true}));
  REQUIRE(table.rows().size() == 2);
  CHECK(table.rows()[0].sums.count == 3);
  CHECK(table.rows()[0].sums.value == 30);
  CHECK(table.rows()[0].sums.has_value);
  CHECK(table.rows()[1].sums.count == 5);
  CHECK_FALSE(table.rows()[1].sums.has_value);
  CHECK(std::ranges::equal(table.frames(table.rows()[0]), stack({1, 2, 3})));
  CHECK(std::ranges::equal(table.frames(table.rows()[1]), stack({1, 2})));
}

TEST_CASE("StackTable keeps lanes apart") {
  StackTable table;
  table.add(0, stack({1}), {.count = 1});
  table.add(1, stack({1}), {.count = 2});
  REQUIRE(table.rows().size() == 2);
  CHECK(table.rows()[0].lane == 0);
  CHECK(table.rows()[1].lane == 1);
  CHECK(table.rows()[1].sums.count == 2);
}

TEST_CASE("StackTable tells stacks apart that have the same frames in another order") {
  StackTable table;
  for (const auto& frames :
       {stack({1, 2, 3, 4, 5}), stack({5, 4, 3, 2, 1}), stack({1, 2, 3, 5, 4}),
        stack({2, 1, 3, 4, 5}), stack({3, 4, 1, 2, 5}), stack({}), stack({0}), stack({0, 0})}) {
    table.add(0, frames, {.count = 1});
  }
  CHECK(table.rows().size() == 8);
}

TEST_CASE("StackTable finds its rows again after it has grown many times") {
  StackTable table;
  constexpr std::uint32_t stacks = 20'000;
  for (std::uint64_t round = 1; round <= 2; ++round) {
    for (std::uint32_t i = 0; i < stacks; ++i) {
      table.add(i % 3, stack({i / 100, i % 100, i, 7}), {.count = i + round});
    }
  }
  REQUIRE(table.rows().size() == stacks);
  for (std::uint32_t i = 0; i < stacks; i += 997) {
    CHECK(table.rows()[i].sums.count == 2 * std::uint64_t{i} + 3);
    CHECK(std::ranges::equal(table.frames(table.rows()[i]), stack({i / 100, i % 100, i, 7})));
  }
}

TEST_CASE("StackTable moves sums to another lane: to the row that is there, or to a new one") {
  StackTable table;
  table.add(9, stack({1, 2}), {.count = 4});
  table.add(0, stack({1, 2}), {.count = 1});
  table.add(9, stack({3}), {.count = 5});
  CHECK_FALSE(table.move(0, 0, {.count = 4, .value = 40, .has_value = true}));
  CHECK_FALSE(table.move(2, 0, {.count = 5}));
  REQUIRE(table.rows().size() == 4);
  CHECK(table.rows()[1].sums.count == 5);
  CHECK(table.rows()[1].sums.value == 40);
  CHECK(table.rows()[3].lane == 0);
  CHECK(table.rows()[3].sums.count == 5);
  CHECK(std::ranges::equal(table.frames(table.rows()[3]), stack({3})));
}

TEST_CASE("StackTable says when a sum is larger than 64 bits") {
  StackTable table;
  CHECK_FALSE(table.add(0, stack({1}), {.value = largest}));
  CHECK(table.add(0, stack({1}), {.value = 1}));
  CHECK(table.rows()[0].sums.value == largest);
  table.add(1, stack({1}), {.value = 5});
  CHECK(table.move(1, 0, {.value = 5}));
}

TEST_CASE("StackTable stores the frames of a stack once") {
  StackTable table;
  for (int i = 0; i < 100; ++i) table.add(0, stack({1, 2, 3}), {.count = 1});
  CHECK(table.frames().size() == 3);
  table.close();
  CHECK(table.rows()[0].sums.count == 100);
}

TEST_CASE("StackTable sums stacks without frames, as totals have them") {
  StackTable table;
  CHECK_FALSE(table.add(2, {}, {.count = 1}));
  CHECK_FALSE(table.add(2, {}, {.count = 4}));
  StackTable::NewRow rows[] = {{2, {}, {.count = 5}}, {3, {}, {.count = 7}}};
  table.set_hashes(rows);
  CHECK_FALSE(table.add_all(rows));
  REQUIRE(table.rows().size() == 2);
  CHECK(table.rows()[0].sums.count == 10);
  CHECK(table.rows()[1].sums.count == 7);
}
