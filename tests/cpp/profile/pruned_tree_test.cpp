#include "profile/pruned_tree.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "profile/build_tree.hpp"
#include "profile/make_profile.hpp"
#include "profile/rank_limit.hpp"
#include "profile/tree_text.hpp"

using namespace jfrtree;
using jfrtree::test::make_profile;
using jfrtree::test::tree_text;

namespace {

constexpr std::uint64_t huge = std::numeric_limits<std::uint64_t>::max();

CallTree pruned(const Profile& profile, const PruneOptions& options, bool reverse = false) {
  CallTree tree = internal::build_pruned_tree(
      profile, internal::StackOrder(profile, reverse, 1'000'000), options);
  tree.check();
  return tree;
}

/// Compares a tree with pruning the whole one, column by column.
void check_same(const CallTree& tree, const Profile& profile, const PruneOptions& options,
                bool reverse) {
  const CallTree expected = prune(build_call_tree(profile, reverse), options);
  CHECK(tree.frame == expected.frame);
  CHECK(tree.level == expected.level);
  CHECK(tree.parent == expected.parent);
  CHECK(tree.self == expected.self);
  CHECK(tree.total == expected.total);
  CHECK(tree.frame_table == expected.frame_table);
  CHECK(tree.sample_types.size() == expected.sample_types.size());
  CHECK(tree.default_sample_type == expected.default_sample_type);
}

/// Of frames that are copied, and of frames that stay where they are.
void check_same(const Profile& profile, const PruneOptions& options, bool reverse) {
  check_same(pruned(profile, options, reverse), profile, options, reverse);
  const internal::StackOrder order(profile, reverse, 1'000'000, 0);
  check_same(internal::build_pruned_tree(profile, order, options), profile, options, reverse);
}

}  // namespace

TEST_CASE("build_pruned_tree keeps the largest nodes and sums the rest in (other)") {
  // By size: a 60, x 30, b 25, y 20, x 20, c 10, d 5.
  const Profile profile = make_profile("a 10\na;x 30\na;y 20\nb 5\nb;x 20\nc 10\nd 5");
  CHECK(tree_text(pruned(profile, {.max_nodes = 3})) ==
        "total 0 100\n"
        "  a 10 60\n"
        "    x 30 30\n"
        "    (other) 20 20\n"
        "  b 5 25\n"
        "    (other) 20 20\n"
        "  (other) 15 15\n");
  CHECK(tree_text(pruned(profile, {.min_width = 30})) ==
        "total 0 100\n"
        "  a 10 60\n"
        "    x 30 30\n"
        "    (other) 20 20\n"
        "  (other) 40 40\n");
}

TEST_CASE("build_pruned_tree is pruning the whole tree") {
  for (const std::size_t count : {1U, 30U, 400U}) {
    const Profile profile = make_profile(test::random_stacks(count));
    for (const bool reverse : {false, true}) {
      for (const std::size_t sample_type : {0U, 1U}) {
        for (const std::uint64_t max_nodes : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{2},
                                              std::uint64_t{17}, std::uint64_t{90}, huge}) {
          for (const double min_width : {0.0, 0.4, 20.0, 100.0}) {
            for (const bool keep_ties : {false, true}) {
              check_same(profile, {sample_type, max_nodes, min_width, keep_ties}, reverse);
            }
          }
        }
      }
    }
  }
}

TEST_CASE("build_pruned_tree of sums beyond 64 bits is pruning the whole tree") {
  const Profile profile =
      make_profile({{{"a", "b"}, huge, {}}, {{"a", "c"}, huge, {}}, {{"d", "b"}, 3, {}}});
  for (const std::uint64_t max_nodes : {1U, 2U, 3U, 4U}) {
    check_same(profile, {.max_nodes = max_nodes}, false);
    check_same(profile, {.max_nodes = max_nodes}, true);
  }
}

TEST_CASE("build_pruned_tree of an empty profile is the root alone") {
  CHECK(tree_text(pruned(make_profile(""), {.max_nodes = 1})) == "total 0 0\n");
}

TEST_CASE("RankLimitFinder takes equal numbers together") {
  for (const std::size_t rank : {1U, 3U, 4U, 10U, 11U, 12U}) {  // of 9 9 9 7 5 5 5 5 5 5 2
    internal::RankLimitFinder finder({.max_nodes = rank});
    finder.add(5, 6);
    finder.add(2, 1);
    finder.add(8, 0);
    finder.add(9, 3);
    finder.add(7);
    const internal::RankLimit limit = finder.limit();
    CAPTURE(rank);
    CHECK(limit.number == (rank <= 3 ? 9U : rank == 4 ? 7U : rank == 10 ? 5U : 0U));
    if (rank <= 10) CHECK(limit.ties == (rank <= 3 ? rank : rank == 4 ? 1U : 6U));
  }
}

TEST_CASE("RankLimitFinder finds the limit that sorting finds, in any order of numbers") {
  std::vector<std::uint64_t> numbers;
  for (std::uint64_t number = 0; number < 500; ++number) {
    numbers.push_back(number * number % 83);
  }
  const auto check = [&](const std::vector<std::uint64_t>& given) {
    std::vector<std::uint64_t> sorted = given;
    std::sort(sorted.rbegin(), sorted.rend());
    for (const std::size_t rank : {1U, 2U, 60U, 249U, 250U, 251U, 499U}) {
      internal::RankLimitFinder finder({.max_nodes = rank});
      for (const std::uint64_t number : given) {
        finder.add(number);
      }
      const internal::RankLimit limit = finder.limit();
      CAPTURE(rank);
      CHECK(limit.number == sorted[rank - 1]);
      CHECK(limit.ties ==
            static_cast<std::size_t>(std::count(
                sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(rank), limit.number)));
    }
  };
  check(numbers);
  std::sort(numbers.begin(), numbers.end());
  check(numbers);
  std::reverse(numbers.begin(), numbers.end());
  check(numbers);
  check(std::vector<std::uint64_t>(500, 0));
}
