#include "profile/lane_sums.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <map>
#include <utility>
#include <vector>

using namespace jfrtree::internal;

namespace {

constexpr std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();

/// Counts by stack and group, as a walk over all stacks gives them.
std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint64_t> counts_of(LaneSums& sums,
                                                                           std::uint32_t stacks) {
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint64_t> counts;
  sums.sort_groups();
  for (std::uint32_t stack = 0; stack < stacks; ++stack) {
    sums.for_each_group(stack, [&](std::uint64_t group, const SampleSums& found) {
      CHECK(counts.emplace(std::pair(stack, group), found.count).second);
    });
  }
  return counts;
}

}  // namespace

TEST_CASE("SampleSums adds count, value and waiting samples") {
  SampleSums sums{.count = 1, .value = 10};
  CHECK_FALSE(sums.add({.count = 2, .value = 5, .extra = 2, .has_value = true}));
  CHECK_FALSE(sums.add({.count = 3}));
  CHECK(sums.count == 6);
  CHECK(sums.value == 15);
  CHECK(sums.extra == 2);
  CHECK(sums.has_value);
}

TEST_CASE("SampleSums stays at the largest number and says so") {
  SampleSums value{.value = largest - 1};
  CHECK_FALSE(value.add({.value = 1}));
  CHECK(value.add({.value = 1}));
  CHECK(value.value == largest);
  SampleSums count{.count = largest};
  CHECK(count.add({.count = 2}));
  CHECK(count.count == largest);
}

TEST_CASE("LaneSums keeps the groups of a stack apart") {
  LaneSums sums;
  const std::pair<std::uint32_t, std::uint64_t> samples[] = {{3, 7}, {0, 1}, {3, 8}, {3, 7}, {3, 9},
                                                             {0, 1}, {5, 1}, {3, 8}, {3, 7}};
  for (const auto& [stack, group] : samples) sums.add(stack, group, {.count = 1});
  CHECK(counts_of(sums, 7) == std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint64_t>{
                                  {{0, 1}, 2}, {{3, 7}, 3}, {{3, 8}, 2}, {{3, 9}, 1}, {{5, 1}, 1}});
}

TEST_CASE(
    "LaneSums gives the groups of a stack in an order that does not depend on the hash seed") {
  LaneSums sums;
  for (const std::uint64_t group : {50U, 40U, 10U, 30U, 20U}) sums.add(2, group, {.count = group});
  sums.sort_groups();
  std::vector<std::uint64_t> groups;
  sums.for_each_group(2, [&](std::uint64_t group, const SampleSums&) { groups.push_back(group); });
  CHECK(groups == std::vector<std::uint64_t>{50, 10, 20, 30, 40});
}

TEST_CASE("LaneSums knows which stacks it uses") {
  LaneSums sums;
  CHECK(sums.empty());
  sums.add(4, 0, {.count = 1});
  CHECK_FALSE(sums.empty());
  CHECK(sums.uses(4));
  CHECK_FALSE(sums.uses(3));
  CHECK_FALSE(sums.uses(5));
  CHECK(counts_of(sums, 10).size() == 1);
}

TEST_CASE("LaneSums takes group numbers of 64 bits") {
  LaneSums sums;
  sums.add(0, largest, {.count = 1});
  sums.add(0, 0, {.count = 2});
  sums.add(0, std::uint64_t{1} << 32, {.count = 3});
  const auto counts = counts_of(sums, 1);
  CHECK(counts.at({0, largest}) == 1);
  CHECK(counts.at({0, 0}) == 2);
  CHECK(counts.at({0, std::uint64_t{1} << 32}) == 3);
}

TEST_CASE("LaneSums adds single samples that are like those an entry has") {
  using Tag = LaneSums::Tag;
  LaneSums sums(8);
  sums.add(3, 7, {.count = 1, .value = 10, .extra = 0, .has_value = true});
  LaneSums::Entry& entry = sums.entries()[3];
  CHECK(entry.add_one(Tag(7, Tag::known), 5));
  CHECK_FALSE(entry.add_one(Tag(8, Tag::known), 5));
  CHECK_FALSE(entry.add_one(Tag(7, Tag::pending), 0));
  CHECK_FALSE(sums.entries()[2].add_one(Tag(7, Tag::known), 5));
  CHECK_FALSE(sums.entries()[2].add_one(Tag(largest, Tag::known), 5));
  CHECK(entry.sums().count == 2);
  CHECK(entry.sums().value == 15);
  CHECK(entry.sums().has_value);
  sums.add(3, 7, {.value = largest});
  CHECK_FALSE(entry.add_one(Tag(7, Tag::known), 1));
  CHECK(entry.sums().count == 2);
  CHECK(entry.sums().value == largest);
  CHECK(sums.add(3, 7, {.count = 1, .value = 1}));
  CHECK(entry.sums().count == 3);
}

TEST_CASE("LaneSums keeps samples together whose values are known and wait") {
  LaneSums sums(8);
  sums.add(3, 7, {.count = 2, .extra = 2});
  sums.add(3, 7, {.count = 1, .value = 10, .has_value = true});
  sums.add(3, 8, {.count = 5});
  sums.add(3, 7, {.count = 3, .extra = 3});
  sums.add(3, 7, {.count = 1, .value = 4, .has_value = true});
  CHECK(sums.uses(3));
  sums.sort_groups();
  std::map<std::uint64_t, SampleSums> found;
  sums.for_each_group(3, [&](std::uint64_t group, const SampleSums& sample) {
    CHECK(found.emplace(group, sample).second);
  });
  REQUIRE(found.size() == 2);
  CHECK(found.at(7).count == 7);
  CHECK(found.at(7).extra == 5);
  CHECK(found.at(7).value == 14);
  CHECK(found.at(7).has_value);
  CHECK(found.at(8).count == 5);
  CHECK_FALSE(found.at(8).has_value);
}

TEST_CASE("LaneSums counts more samples of a stack than an entry holds") {
  using Tag = LaneSums::Tag;
  constexpr std::uint64_t most = 0x7FFF'FFFF;
  LaneSums sums(2);
  sums.add(1, 7, {.count = most, .value = 1, .has_value = true});
  CHECK_FALSE(sums.entries()[1].add_one(Tag(7, Tag::known), 1));
  CHECK_FALSE(sums.add(1, 7, {.count = 1, .value = 1, .has_value = true}));
  CHECK_FALSE(sums.entries()[1].add_one(Tag(7, Tag::known), 1));
  sums.add(0, 7, {.count = most + 2});
  CHECK(counts_of(sums, 2) == std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint64_t>{
                                  {{0, 7}, most + 2}, {{1, 7}, most + 1}});
}
