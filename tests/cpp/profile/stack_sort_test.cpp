#include "profile/stack_sort.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

using namespace jfrtree;
using namespace jfrtree::internal;

namespace {

using Stacks = std::vector<std::vector<std::uint32_t>>;

/// The stacks after sorting. The count of a stack is its position before, so that rows that lose
/// their frames are seen.
Stacks sorted(const Stacks& stacks, std::uint64_t frame_ids = std::uint64_t{1} << 32,
              unsigned threads = 1) {
  std::vector<FrameId> frames;
  std::vector<StackSum> sums;
  for (const auto& stack : stacks) {
    StackSum sum;
    sum.first_frame = frames.size();
    sum.frame_count = static_cast<std::uint32_t>(stack.size());
    sum.count = sums.size();
    for (const std::uint32_t frame : stack) frames.push_back(FrameId{frame});
    sums.push_back(sum);
  }
  ThreadTeam team(threads);
  sort_stacks(sums, frames, frame_ids, team);
  Stacks result;
  for (const StackSum& sum : sums) {
    std::vector<std::uint32_t> stack;
    for (const FrameId frame : std::span(frames).subspan(sum.first_frame, sum.frame_count)) {
      stack.push_back(raw(frame));
    }
    CHECK(stack == stacks[sum.count]);
    result.push_back(stack);
  }
  return result;
}

}  // namespace

TEST_CASE("sort_stacks compares frame by frame, a prefix comes first") {
  CHECK(sorted({{1, 2, 3}, {2}, {1}, {0, 9, 9, 9}, {1, 2}, {1, 0}, {1, 2, 0}}) ==
        Stacks{{0, 9, 9, 9}, {1}, {1, 0}, {1, 2}, {1, 2, 0}, {1, 2, 3}, {2}});
}

TEST_CASE("sort_stacks takes frame 0 as a frame, not as the end") {
  CHECK(sorted({{0, 0, 0}, {0}, {0, 0}, {0, 0, 0, 0}}) ==
        Stacks{{0}, {0, 0}, {0, 0, 0}, {0, 0, 0, 0}});
}

TEST_CASE("sort_stacks compares numbers of 32 bits as unsigned") {
  CHECK(sorted({{0x8000'0000, 1}, {0x7FFF'FFFF, 2}, {1, 0xFFFF'FFF0}, {1, 3}}) ==
        Stacks{{1, 3}, {1, 0xFFFF'FFF0}, {0x7FFF'FFFF, 2}, {0x8000'0000, 1}});
}

TEST_CASE("sort_stacks has nothing to do for none and one") {
  CHECK(sorted({}).empty());
  CHECK(sorted({{4, 5}}) == Stacks{{4, 5}});
}

TEST_CASE("sort_stacks keeps equal stacks side by side") {
  CHECK(sorted({{1, 2}, {1}, {1, 2}, {1}, {1, 2}}) == Stacks{{1}, {1}, {1, 2}, {1, 2}, {1, 2}});
}

TEST_CASE("sort_stacks agrees with comparing whole stacks") {
  std::mt19937 random(20240131);
  Stacks stacks;
  for (int i = 0; i < 3000; ++i) {
    std::vector<std::uint32_t> stack(1 + random() % 9);
    for (std::uint32_t& frame : stack) frame = static_cast<std::uint32_t>(random() % 3);
    stacks.push_back(stack);
  }
  Stacks expected = stacks;
  std::sort(expected.begin(), expected.end());
  // From many frames at a time, as many as fit for 3 ids, to one.
  for (const std::uint64_t ids :
       {3ULL, 4ULL, 100ULL, 65'535ULL, 65'536ULL, 1ULL << 31, 1ULL << 32}) {
    CAPTURE(ids);
    CHECK(sorted(stacks, ids) == expected);
  }
}

TEST_CASE("sort_stacks sorts stacks that differ only at depth 100,000") {
  std::vector<std::uint32_t> deep(100'000, 5);
  auto other = deep;
  deep.push_back(2);
  other.push_back(1);
  const Stacks result = sorted({deep, other, std::vector<std::uint32_t>(100'000, 5)});
  CHECK(result[0].size() == 100'000);
  CHECK(result[1].back() == 1);
  CHECK(result[2].back() == 2);
}

TEST_CASE("sort_stacks gives the same order with any number of threads") {
  // Most stacks share 20 frames; more than are sorted by one thread alone.
  std::mt19937 random(11);
  Stacks stacks;
  for (int i = 0; i < 70'000; ++i) {
    std::vector<std::uint32_t> stack(i % 100 == 0 ? 1 : 20, 3);
    const std::size_t more = random() % 7;
    for (std::size_t j = 0; j < more; ++j)
      stack.push_back(static_cast<std::uint32_t>(random() % 5));
    stacks.push_back(stack);
  }
  Stacks expected = stacks;
  std::sort(expected.begin(), expected.end());
  for (const unsigned threads : {1U, 2U, 3U, 8U}) {
    CAPTURE(threads);
    const bool is_sorted = sorted(stacks, 5, threads) == expected;
    CHECK(is_sorted);
    const bool is_sorted_by_one_frame = sorted(stacks, 1ULL << 32, threads) == expected;
    CHECK(is_sorted_by_one_frame);
  }
}

TEST_CASE("sort_stacks passes over what many equal stacks share") {
  const Stacks stacks(40'000, std::vector<std::uint32_t>(50, 1));
  for (const unsigned threads : {1U, 2U}) CHECK(sorted(stacks, 4, threads) == stacks);
}
