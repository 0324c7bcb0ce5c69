#include "format/pool_index.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

namespace jfrtree::internal {

namespace {

/// Entry number i has the offset 1000 + i.
PoolIndex index_of(const std::vector<std::uint64_t>& keys) {
  PoolIndex index;
  for (std::size_t i = 0; i < keys.size(); ++i) index.add(keys[i], 1000 + i);
  index.build();
  return index;
}

std::vector<std::uint64_t> shifted(unsigned shift, std::uint64_t count) {
  std::vector<std::uint64_t> keys;
  for (std::uint64_t i = 0; i < count; ++i) keys.push_back(i << shift);
  return keys;
}

void check_finds_all(const std::vector<std::uint64_t>& keys) {
  const PoolIndex index = index_of(keys);
  REQUIRE(index.size() == keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    REQUIRE(index.find(keys[i]) == i);
    REQUIRE(index.offset(index.find(keys[i])) == 1000 + i);
  }
}

}  // namespace

TEST_CASE("an index without entries finds nothing") {
  const PoolIndex index = index_of({});
  CHECK(index.size() == 0);
  CHECK(index.find(0) == PoolIndex::none);
  CHECK(index.find(1) == PoolIndex::none);
  CHECK(index.find(~std::uint64_t{0}) == PoolIndex::none);
}

TEST_CASE("key 0 is found only where it has an entry") {
  CHECK(index_of({0, 1, 2}).find(0) == 0);
  CHECK(index_of({1, 2, 3}).find(0) == PoolIndex::none);
  CHECK(index_of({1, 1'000'000}).find(0) == PoolIndex::none);
}

TEST_CASE("few keys far apart are in a table when the caller grants one as long") {
  PoolIndex index;
  index.add(70, 1000);
  index.add(1069, 1001);
  index.add(70, 1002);
  SUBCASE("as long as their span") {
    index.build(1000);
    CHECK(index.table().size == 1000);
  }
  SUBCASE("not when it is one too short") {
    index.build(999);
    CHECK(index.table().size == 0);
  }
  CHECK(index.find(70) == 2);
  CHECK(index.find(1069) == 1);
  CHECK(index.find(69) == PoolIndex::none);
  CHECK(index.find(1070) == PoolIndex::none);
  CHECK(index.find(~std::uint64_t{0}) == PoolIndex::none);
}

TEST_CASE("keys use all 64 bits") {
  const std::uint64_t top = ~std::uint64_t{0};
  check_finds_all({0, top});
  check_finds_all({top, 0, top - 1, std::uint64_t{1} << 63, 1});
  check_finds_all({top});
  check_finds_all({top - 2, top - 1, top});
  check_finds_all({std::uint64_t{1} << 38, (std::uint64_t{1} << 38) + 1});
  CHECK(index_of({top - 2, top}).find(top - 1) == PoolIndex::none);
  CHECK(index_of({top - 2, top}).find(0) == PoolIndex::none);
  CHECK(index_of({5, 7}).find(top) == PoolIndex::none);
}

TEST_CASE("keys far apart do not cost memory or time") {
  for (const unsigned shift : {0U, 4U, 16U, 32U, 48U}) {
    CAPTURE(shift);
    check_finds_all(shifted(shift, 60'000));
  }
}

TEST_CASE("keys between the entries are not there") {
  const PoolIndex dense = index_of({10, 20, 30});
  for (std::uint64_t key = 0; key < 50; ++key) {
    CHECK((dense.find(key) == PoolIndex::none) == (key != 10 && key != 20 && key != 30));
  }
  const PoolIndex sparse = index_of(shifted(32, 100));
  CHECK(sparse.find((std::uint64_t{5} << 32) + 1) == PoolIndex::none);
  CHECK(sparse.find(5) == PoolIndex::none);
}

TEST_CASE("a key that is added again means its latest entry") {
  for (const std::uint64_t far : {std::uint64_t{4}, std::uint64_t{1} << 40}) {
    CAPTURE(far);
    const PoolIndex index = index_of({1, far, 1, 3, 1});
    CHECK(index.size() == 5);
    CHECK(index.find(1) == 4);
    CHECK(index.find(far) == 1);
    CHECK(index.find(3) == 3);
  }
}

}  // namespace jfrtree::internal
