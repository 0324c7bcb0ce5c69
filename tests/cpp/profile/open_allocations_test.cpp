#include "profile/open_allocations.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

using namespace jfrtree::internal;

namespace {

Allocation allocation(std::uint64_t address, std::int64_t ns, std::uint64_t size) {
  return {.address = address, .time = {ns, ns}, .size = size, .stack = 0};
}

/// Sizes of what is open, in the order in which it came.
std::string open_sizes(OpenAllocations& memory) {
  std::string text;
  for (const Allocation& open : memory.settle()) text += std::to_string(open.size) + ' ';
  return text;
}

}  // namespace

TEST_CASE("an allocation is open until its address is freed later") {
  OpenAllocations memory;
  memory.allocate(allocation(0x10, 100, 1));
  memory.allocate(allocation(0x20, 100, 2));
  memory.allocate(allocation(0x30, 100, 4));
  memory.free(0x10, {101, 101});
  memory.free(0x20, {99, 99});    // before: of something else that was there
  memory.free(0x30, {100, 100});  // not later
  CHECK(open_sizes(memory) == "2 4 ");
  CHECK(memory.freed() == 1);
  CHECK(memory.has_frees());
}

TEST_CASE("the order in which allocations and frees are met does not matter") {
  OpenAllocations memory;
  memory.free(0x10, {50, 50});
  memory.free(0x10, {200, 200});
  memory.free(0x10, {150, 150});
  memory.allocate(allocation(0x10, 199, 1));
  memory.allocate(allocation(0x10, 201, 2));
  CHECK(open_sizes(memory) == "2 ");
  CHECK(memory.freed() == 1);
}

TEST_CASE("ticks tell events of the same nanosecond apart") {
  OpenAllocations memory;
  memory.allocate({.address = 1, .time = {100, 1000}, .size = 1});
  memory.allocate({.address = 1, .time = {100, 1002}, .size = 2});
  memory.free(1, {100, 1001});
  CHECK(open_sizes(memory) == "2 ");
}

TEST_CASE("parts of a process know together what is open") {
  OpenAllocations first;
  first.allocate(allocation(0x10, 100, 1));
  first.allocate(allocation(0x20, 100, 2));
  OpenAllocations second;
  second.free(0x10, {300, 300});
  second.allocate(allocation(0x10, 310, 4));
  OpenAllocations all;
  all.absorb(second);
  all.absorb(first);
  CHECK(open_sizes(all) == "4 2 ");
  CHECK(all.freed() == 1);
}

TEST_CASE("absorbing renumbers stacks, and what was freed before stays counted") {
  OpenAllocations part;
  part.allocate({.address = 1, .time = {10, 10}, .size = 1, .stack = 1});
  part.allocate({.address = 2, .time = {10, 10}, .size = 2, .stack = 0});
  part.free(2, {11, 11});
  CHECK(part.settle().size() == 1);
  OpenAllocations all;
  const std::vector<std::uint32_t> stacks{7, 9};
  all.absorb(part, &stacks);
  REQUIRE(all.settle().size() == 1);
  CHECK(all.settle().front().stack == 9);
  CHECK(all.freed() == 1);
}

TEST_CASE("what was freed is dropped on the way, and counted") {
  OpenAllocations memory;
  for (std::int64_t i = 0; i < 1'000'000; ++i) {
    const auto address = static_cast<std::uint64_t>(i % 100);
    memory.allocate(allocation(address, 10 * i, 1));
    memory.free(address, {10 * i + 5, 10 * i + 5});
  }
  memory.allocate(allocation(3, 100'000'000, 8));
  CHECK(open_sizes(memory) == "8 ");
  CHECK(memory.freed() == 1'000'000);
}

TEST_CASE("many allocations and frees in any order leave what a map of last frees leaves") {
  // Three parts, each beyond the sizes at which they tidy up, in an order of a simple generator.
  std::uint64_t state = 7;
  const auto next = [&state](std::uint64_t below) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return (state >> 33U) % below;
  };
  std::vector<Allocation> all;
  std::map<std::uint64_t, std::int64_t> last_free;
  OpenAllocations parts[3];
  for (OpenAllocations& part : parts) {
    for (int i = 0; i < 150'000; ++i) {
      const std::uint64_t address = next(100'000);
      const auto ns = static_cast<std::int64_t>(next(1'000'000));
      if (i % 2 == 0) {
        all.push_back(allocation(address, ns, 1));
        part.allocate(all.back());
      } else {
        std::int64_t& last = last_free.try_emplace(address, ns).first->second;
        last = std::max(last, ns);
        part.free(address, {ns, ns});
      }
    }
  }
  parts[1].absorb(parts[2]);
  parts[0].absorb(parts[1]);
  const auto open = std::count_if(all.begin(), all.end(), [&](const Allocation& one) {
    const auto found = last_free.find(one.address);
    return found == last_free.end() || found->second <= one.time.ns;
  });
  CHECK(parts[0].settle().size() == static_cast<std::size_t>(open));
  CHECK(parts[0].freed() == all.size() - static_cast<std::size_t>(open));
}
