#include "profile/merge_trees.hpp"

#include <doctest/doctest.h>

#include "profile/make_profile.hpp"
#include "profile/tree_text.hpp"

using namespace jfrtree;
using jfrtree::internal::merge_trees;
using jfrtree::test::make_profile;
using jfrtree::test::tree_text;

TEST_CASE("merge_trees has the nodes of both trees, with zeros where a side lacks one") {
  const CallTree left = build_call_tree(make_profile("a;b 1\na;c;x 2\nd 3"));
  const CallTree right = build_call_tree(make_profile("a;c;y 4\na;e 5\n0 6"));
  const CallTree merged = merge_trees(left, 0, right, 0);
  merged.check();
  CHECK(tree_text(merged, 0) ==
        "total 0 6\n"
        "  0 0 0\n"
        "  a 0 3\n"
        "    b 1 1\n"
        "    c 0 2\n"
        "      x 2 2\n"
        "      y 0 0\n"
        "    e 0 0\n"
        "  d 3 3\n");
  CHECK(tree_text(merged, 1) ==
        "total 0 15\n"
        "  0 6 6\n"
        "  a 0 9\n"
        "    b 0 0\n"
        "    c 0 4\n"
        "      x 0 0\n"
        "      y 4 4\n"
        "    e 5 5\n"
        "  d 0 0\n");
}

TEST_CASE("merge_trees joins equal texts of different frame tables") {
  // `b` is frame 1 on the left and frame 0 on the right.
  const CallTree left = build_call_tree(make_profile("a;b 1"));
  const CallTree right = build_call_tree(make_profile("b;c 2"));
  const CallTree merged = merge_trees(left, 0, right, 0);
  merged.check();
  CHECK(tree_text(merged, 1) == "total 0 2\n  a 0 0\n    b 0 0\n  b 0 2\n    c 2 2\n");
  CHECK(merged.frame[2] == merged.frame[3]);
  CHECK(merged.frame_table->size() == 3);
}

TEST_CASE("merge_trees of trees with one frame table keeps the table") {
  const CallTree tree = build_call_tree(make_profile("a;b 1 10\nc 2 20"));
  const CallTree merged = merge_trees(tree, 0, tree, 1);
  merged.check();
  CHECK(merged.frame_table == tree.frame_table);
  CHECK(tree_text(merged, 0) == tree_text(tree, 0));
  CHECK(tree_text(merged, 1) == tree_text(tree, 1));
  CHECK(merged.sample_types[1].full_name() == "alloc_space/bytes");
}

TEST_CASE("merge_trees joins the (other) of both, last among its siblings") {
  const CallTree left = prune(build_call_tree(make_profile("a 5\nb 1")), {.max_nodes = 1});
  const CallTree right = prune(build_call_tree(make_profile("z 7\ny 2")), {.max_nodes = 1});
  const CallTree merged = merge_trees(left, 0, right, 0);
  merged.check();
  CHECK(tree_text(merged, 0) == "total 0 6\n  a 5 5\n  z 0 0\n  (other) 1 1\n");
  CHECK(tree_text(merged, 1) == "total 0 9\n  a 0 0\n  z 7 7\n  (other) 2 2\n");
}

TEST_CASE("merge_trees with an empty side is the other side and zeros") {
  const CallTree tree = build_call_tree(make_profile("a;b 1"));
  const CallTree empty = build_call_tree(make_profile(""));
  const CallTree merged = merge_trees(empty, 0, tree, 0);
  merged.check();
  CHECK(tree_text(merged, 0) == "total 0 0\n  a 0 0\n    b 0 0\n");
  CHECK(tree_text(merged, 1) == tree_text(tree));
  CHECK(tree_text(merge_trees(empty, 0, empty, 0)) == "total 0 0\n");
}

TEST_CASE("merge_trees of deep trees needs no recursion") {
  const CallTree left =
      build_call_tree(make_profile({{std::vector<std::string>(100'000, "recurse"), 1, {}}}));
  const CallTree right =
      build_call_tree(make_profile({{std::vector<std::string>(70'000, "recurse"), 2, {}}}));
  const CallTree merged = merge_trees(left, 0, right, 0);
  merged.check();
  CHECK(merged.size() == 100'001);
  CHECK(merged.total[1][70'000] == 2);
  CHECK(merged.total[1][70'001] == 0);
}
