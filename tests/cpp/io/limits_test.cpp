#include <doctest/doctest.h>
#include <jfrtree/limits.hpp>

#include <cstring>
#include <set>

namespace jfrtree {

TEST_CASE("limit_descriptions: one for each member, in their order") {
  CHECK(limit_descriptions().size() == sizeof(Limits) / sizeof(std::uint64_t));
  Limits limits;
  std::uint64_t number = 0;
  for (const LimitDescription& description : limit_descriptions()) {
    limits.*description.member = number++;
    CHECK(description.description.ends_with('.'));
  }
  // The members in the order of the struct are the numbers in their order.
  std::uint64_t members[sizeof(Limits) / sizeof(std::uint64_t)];
  std::memcpy(members, &limits, sizeof(limits));
  for (std::uint64_t index = 0; index < number; ++index) {
    CHECK(members[index] == index);
  }
}

TEST_CASE("set_limit sets the one limit of that name") {
  for (const LimitDescription& description : limit_descriptions()) {
    Limits limits;
    CHECK(set_limit(limits, description.name, 77));
    for (const LimitDescription& other : limit_descriptions()) {
      const std::uint64_t expected = other.name == description.name ? 77 : Limits{}.*other.member;
      CHECK(limits.*other.member == expected);
    }
  }
  Limits limits;
  CHECK(set_limit(limits, "string_bytes", 5));
  CHECK(limits.string_bytes == 5);
  CHECK(set_limit(limits, "tree_nodes", 6));
  CHECK(limits.tree_nodes == 6);
}

TEST_CASE("set_limit knows no other names") {
  Limits limits;
  CHECK_FALSE(set_limit(limits, "string", 5));
  CHECK_FALSE(set_limit(limits, "", 5));
  CHECK_FALSE(set_limit(limits, "STRING_BYTES", 5));
  CHECK(std::memcmp(&limits, &static_cast<const Limits&>(Limits{}), sizeof(limits)) == 0);
}

}  // namespace jfrtree
