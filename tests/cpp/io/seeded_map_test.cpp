#include "io/seeded_map.hpp"

#include <doctest/doctest.h>

#include <jfrtree/ids.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace jfrtree::internal {

TEST_CASE("SeededMap stays small with keys that differ in high bits only") {
  for (const int shift : {0, 16, 32, 48}) {
    CAPTURE(shift);
    SeededMap<std::uint64_t, std::uint64_t> map;
    for (std::uint64_t index = 0; index < 10'000; ++index) {
      map[index << shift] += index;
    }
    CHECK(map.size() == 10'000);
    // 10,000 entries at a load of at most one half need 32,768 places.
    CHECK(map.bucket_count() <= 32'768);
    for (std::uint64_t index = 0; index < 10'000; ++index) {
      REQUIRE(map.at(index << shift) == index);
    }
  }
}

TEST_CASE("SeededMap takes ids, strings and pairs as keys") {
  SeededMap<ConstantKey, int> by_id;
  by_id[ConstantKey{~std::uint64_t{0}}] = 1;
  by_id[ConstantKey{0}] = 2;
  CHECK(by_id.at(ConstantKey{~std::uint64_t{0}}) == 1);
  CHECK(by_id.find(ConstantKey{1}) == by_id.end());

  SeededMap<std::string, int> by_name;
  by_name["a longer name than fits in the object itself"] = 3;
  CHECK(by_name.find(std::string_view("a longer name than fits in the object itself"))->second ==
        3);
  CHECK(by_name.count(std::string_view("")) == 0);

  SeededMap<std::pair<std::uint32_t, std::uint32_t>, int> by_pair;
  for (std::uint32_t parent = 0; parent < 100; ++parent) {
    for (std::uint32_t frame = 0; frame < 100; ++frame) {
      by_pair[{parent, frame}] = static_cast<int>(parent * 100 + frame);
    }
  }
  CHECK(by_pair.size() == 10'000);
  CHECK(by_pair.bucket_count() <= 32'768);
  CHECK(by_pair.at({99, 3}) == 9903);
}

TEST_CASE("SeededSet holds each key once") {
  SeededSet<TypeId> set;
  CHECK(set.insert(TypeId{5}).second);
  CHECK_FALSE(set.insert(TypeId{5}).second);
  CHECK(set.size() == 1);
}

}  // namespace jfrtree::internal
