#include <jfrtree/call_tree.hpp>

#include <doctest/doctest.h>

#include <limits>
#include <stdexcept>

#include "profile/cut_nodes.hpp"
#include "profile/make_profile.hpp"
#include "profile/tree_text.hpp"

using namespace jfrtree;
using jfrtree::test::make_profile;
using jfrtree::test::Stack;
using jfrtree::test::tree_text;

namespace {

std::string pruned_text(const CallTree& tree, const PruneOptions& options, std::size_t column = 0) {
  const CallTree pruned = prune(tree, options);
  pruned.check();
  CHECK(pruned.total[column][0] == tree.total[column][0]);
  return tree_text(pruned, column);
}

// total 100: a 60 (self 10; x 30, y 20), b 25 (self 5; x 20), c 10, d 5
const char* const lines = "a 10\na;x 30\na;y 20\nb 5\nb;x 20\nc 10\nd 5";

}  // namespace

TEST_CASE("prune without limits changes nothing") {
  const CallTree tree = build_call_tree(make_profile(lines));
  CHECK(pruned_text(tree, {}) == tree_text(tree));
  CHECK(pruned_text(tree, {.max_nodes = 7}) == tree_text(tree));
  CHECK(pruned_text(tree, {.max_nodes = 1000, .min_width = 0.0001}) == tree_text(tree));
}

TEST_CASE("prune keeps the largest nodes and sums the rest in (other) of their parent") {
  const CallTree tree = build_call_tree(make_profile(lines));
  // By size: a 60, x 30, b 25, y 20, x 20, c 10, d 5.
  CHECK(pruned_text(tree, {.max_nodes = 3}) ==
        "total 0 100\n"
        "  a 10 60\n"
        "    x 30 30\n"
        "    (other) 20 20\n"
        "  b 5 25\n"
        "    (other) 20 20\n"
        "  (other) 15 15\n");
  CHECK(pruned_text(tree, {.max_nodes = 1}) ==
        "total 0 100\n  a 10 60\n    (other) 50 50\n"
        "  (other) 40 40\n");
}

TEST_CASE("prune keeps of nodes with equal totals the first, or all with keep_ties") {
  const CallTree tree = build_call_tree(make_profile(lines));
  // The fourth and the fifth largest are both 20.
  CHECK(pruned_text(tree, {.max_nodes = 4}) ==
        "total 0 100\n"
        "  a 10 60\n"
        "    x 30 30\n"
        "    y 20 20\n"
        "  b 5 25\n"
        "    (other) 20 20\n"
        "  (other) 15 15\n");
  CHECK(pruned_text(tree, {.max_nodes = 4, .keep_ties = true}) ==
        "total 0 100\n"
        "  a 10 60\n"
        "    x 30 30\n"
        "    y 20 20\n"
        "  b 5 25\n"
        "    x 20 20\n"
        "  (other) 15 15\n");
  CHECK(pruned_text(tree, {.max_nodes = 5}) ==
        pruned_text(tree, {.max_nodes = 4, .keep_ties = true}));
}

TEST_CASE("prune keeps max_nodes nodes also where all tie") {
  const CallTree tree = build_call_tree(make_profile("a 1\nb 1\nc 1"));
  CHECK(pruned_text(tree, {.max_nodes = 2}) == "total 0 3\n  a 1 1\n  b 1 1\n  (other) 1 1\n");
  CHECK(pruned_text(tree, {.max_nodes = 2, .keep_ties = true}) == tree_text(tree));
}

TEST_CASE("prune by min_width keeps nodes of at least that share") {
  const CallTree tree = build_call_tree(make_profile(lines));
  CHECK(pruned_text(tree, {.min_width = 25}) == pruned_text(tree, {.max_nodes = 3}));
  CHECK(pruned_text(tree, {.min_width = 25.001}) ==
        "total 0 100\n  a 10 60\n    x 30 30\n    (other) 20 20\n  (other) 40 40\n");
  CHECK(pruned_text(tree, {.min_width = 100}) == "total 0 100\n  (other) 100 100\n");
  CHECK(pruned_text(tree, {.min_width = 5}) == tree_text(tree));
}

TEST_CASE("prune keeps a node of exactly the width for percentages that no double can hold") {
  const CallTree tree = build_call_tree(make_profile("a 9993\nb 7"));
  CHECK(pruned_text(tree, {.min_width = 0.07}) == tree_text(tree));
  CHECK(pruned_text(tree, {.min_width = 0.0701}) ==
        "total 0 10000\n  a 9993 9993\n"
        "  (other) 7 7\n");
}

TEST_CASE("prune with both options keeps what meets both") {
  const CallTree tree = build_call_tree(make_profile(lines));
  CHECK(pruned_text(tree, {.max_nodes = 5, .min_width = 25}) ==
        pruned_text(tree, {.min_width = 25}));
  CHECK(pruned_text(tree, {.max_nodes = 1, .min_width = 1}) == pruned_text(tree, {.max_nodes = 1}));
}

TEST_CASE("prune decides by one column and cuts in all") {
  const CallTree tree = build_call_tree(make_profile("a 1 90\nb 50 4\nc 49 6"));
  const CallTree pruned = prune(tree, {.sample_type = 1, .max_nodes = 1});
  CHECK(tree_text(pruned, 0) == "total 0 100\n  a 1 1\n  (other) 99 99\n");
  CHECK(tree_text(pruned, 1) == "total 0 100\n  a 90 90\n  (other) 10 10\n");
  CHECK(pruned.default_sample_type == tree.default_sample_type);
  pruned.check();
  CHECK_THROWS_AS(static_cast<void>(prune(tree, {.sample_type = 2, .max_nodes = 1})),
                  std::out_of_range);
}

TEST_CASE("prune adds to an (other) that is there, and leaves frames of that name alone") {
  const CallTree tree = build_call_tree(make_profile("(other) 50\na 30\nb 15\nc 5"));
  const CallTree once = prune(tree, {.max_nodes = 3});
  CHECK(tree_text(once) == "total 0 100\n  (other) 50 50\n  a 30 30\n  b 15 15\n  (other) 5 5\n");
  once.check();
  const CallTree twice = prune(once, {.max_nodes = 2});
  CHECK(tree_text(twice) == "total 0 100\n  (other) 50 50\n  a 30 30\n  (other) 20 20\n");
  twice.check();
  CHECK(tree_text(prune(twice, {.max_nodes = 2})) == tree_text(twice));
}

TEST_CASE("prune of a tree of depth 100,000 needs no recursion") {
  std::vector<Stack> stacks;
  std::vector<std::string> frames(100'000, "recurse");
  stacks.push_back({frames, 1, {}});
  frames.resize(60'000);
  stacks.push_back({frames, 1, {}});
  const CallTree tree = build_call_tree(make_profile(std::move(stacks)));
  const CallTree pruned = prune(tree, {.max_nodes = 70'000});
  pruned.check();
  CHECK(pruned.size() == 70'002);  // the root, 70,000 nodes and (other)
  CHECK(pruned.frame.back() == other_frame);
  CHECK(pruned.level.back() == 70'001);
}

TEST_CASE("prune keeps the total of huge numbers") {
  constexpr std::uint64_t huge = std::numeric_limits<std::uint64_t>::max();
  const CallTree tree =
      build_call_tree(make_profile({{{"a"}, huge, {}}, {{"b"}, huge, {}}, {{"c"}, 7, {}}}));
  CHECK(pruned_text(tree, {.max_nodes = 2}) ==
        "total 0 18446744073709551615\n"
        "  a 18446744073709551615 18446744073709551615\n"
        "  b 18446744073709551615 18446744073709551615\n"
        "  (other) 7 7\n");
  CHECK(pruned_text(tree, {.max_nodes = 1}) ==
        "total 0 18446744073709551615\n"
        "  a 18446744073709551615 18446744073709551615\n"
        "  (other) 18446744073709551615 18446744073709551615\n");
}

TEST_CASE("prune of an empty tree is the root") {
  CHECK(pruned_text(build_call_tree(make_profile("")), {.max_nodes = 1, .min_width = 1}) ==
        "total 0 0\n");
}

TEST_CASE("cut_nodes cuts what is below a cut node, also where that is marked as kept") {
  const CallTree tree = build_call_tree(make_profile("a;b;c 1\na;d 2"));
  // Nodes: total, a, b, c, d.
  const CallTree cut = internal::cut_nodes(tree, {true, true, false, true, true});
  CHECK(tree_text(cut) == "total 0 3\n  a 0 3\n    d 2 2\n    (other) 1 1\n");
  cut.check();
}

TEST_CASE("nth_largest counts equal numbers each") {
  std::vector<std::uint64_t> numbers{5, 9, 5, 1, 9};
  CHECK(internal::nth_largest(numbers, 1) == 9);
  CHECK(internal::nth_largest(numbers, 2) == 9);
  CHECK(internal::nth_largest(numbers, 4) == 5);
  CHECK(internal::nth_largest(numbers, 5) == 1);
}
