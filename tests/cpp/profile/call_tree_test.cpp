#include <jfrtree/call_tree.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <stdexcept>

#include "profile/make_profile.hpp"
#include "profile/tree_text.hpp"

using namespace jfrtree;
using jfrtree::test::make_profile;
using jfrtree::test::path_of;
using jfrtree::test::Stack;
using jfrtree::test::tree_text;

namespace {

constexpr std::uint64_t huge = std::numeric_limits<std::uint64_t>::max();

/// A stack of `depth` frames of one name.
Stack deep_stack(std::size_t depth, std::uint64_t count) {
  return {std::vector<std::string>(depth, "recurse"), count, {}};
}

struct Sums {
  std::uint64_t self = 0;
  std::uint64_t total = 0;
  friend bool operator==(const Sums&, const Sums&) = default;
};

/// Every prefix of every stack with its sums, by a map: the slow way.
std::map<std::vector<std::string>, Sums> sums_by_path(const std::vector<Stack>& stacks) {
  std::map<std::vector<std::string>, Sums> sums;
  for (const Stack& stack : stacks) {
    std::vector<std::string> path;
    sums[path].total += *stack.value;
    for (const std::string& frame : stack.frames) {
      path.push_back(frame);
      sums[path].total += *stack.value;
    }
    sums[path].self += *stack.value;
  }
  return sums;
}

}  // namespace

TEST_CASE("build_call_tree puts nodes in pre-order with parent, level, self and total") {
  const CallTree tree = build_call_tree(make_profile("a;b;e 1\na;c 2\na;c;d 1"));
  CHECK(tree_text(tree) ==
        "total 0 4\n"
        "  a 0 4\n"
        "    b 0 1\n"
        "      e 1 1\n"
        "    c 2 3\n"
        "      d 1 1\n");
  CHECK(tree.parent ==
        std::vector{NodeId{0}, NodeId{0}, NodeId{1}, NodeId{2}, NodeId{1}, NodeId{4}});
  CHECK(tree.frame[0] == root_frame);
  tree.check();
}

TEST_CASE("build_call_tree sums every sample type") {
  const CallTree tree = build_call_tree(make_profile("a;b 2 100\na;c 3 7\na 1 0"));
  REQUIRE(tree.self.size() == 2);
  CHECK(tree_text(tree, 0) == "total 0 6\n  a 1 6\n    b 2 2\n    c 3 3\n");
  CHECK(tree_text(tree, 1) == "total 0 107\n  a 0 107\n    b 100 100\n    c 7 7\n");
  CHECK(tree.sample_types[1].full_name() == "alloc_space/bytes");
  CHECK(tree.default_sample_type == 1);
  tree.check();
}

TEST_CASE("build_call_tree with reverse roots the tree at the leaves") {
  const CallTree tree = build_call_tree(make_profile("a;b;e 1\na;c 2\na;c;d 1\nb;c 5"), true);
  CHECK(tree_text(tree) ==
        "total 0 9\n"
        "  c 0 7\n"
        "    a 2 2\n"
        "    b 5 5\n"
        "  d 0 1\n"
        "    c 0 1\n"
        "      a 1 1\n"
        "  e 0 1\n"
        "    b 0 1\n"
        "      a 1 1\n");
  tree.check();
}

TEST_CASE("build_call_tree with reverse keeps the thread frame first") {
  Profile profile = make_profile("[main];a;b 1\n[main];c;b 2\n[pool];a;b 4");
  profile.has_thread_frame = true;
  const CallTree tree = build_call_tree(profile, true);
  CHECK(tree_text(tree) ==
        "total 0 7\n"
        "  [main] 0 3\n"
        "    b 0 3\n"
        "      a 1 1\n"
        "      c 2 2\n"
        "  [pool] 0 4\n"
        "    b 0 4\n"
        "      a 4 4\n");
  tree.check();
}

TEST_CASE("build_call_tree of an empty profile is the root alone") {
  const CallTree tree = build_call_tree(make_profile(""));
  CHECK(tree_text(tree) == "total 0 0\n");
  tree.check();
  CHECK(tree_text(build_call_tree(make_profile(""), true)) == "total 0 0\n");

  Profile without_tables;
  without_tables.sample_types.push_back({"samples", "count"});
  const CallTree bare = build_call_tree(without_tables);
  CHECK(tree_text(bare) == "total 0 0\n");
  bare.check();
}

TEST_CASE("build_call_tree orders siblings by the bytes of their names") {
  // As joined lines `a$b;x` would come before `a;x`, and 0xC3 is above 'z'.
  const CallTree tree =
      build_call_tree(make_profile("a;x 1\na$b;x 2\na0 4\nz 8\n\xC3\xA4 16\nA 32"));
  std::vector<std::string> names;
  for (std::size_t node = 1; node < tree.size(); ++node) {
    if (tree.level[node] == 1) {
      names.emplace_back(tree.text(node));
    }
  }
  CHECK(names == std::vector<std::string>{"A", "a", "a$b", "a0", "z", "\xC3\xA4"});
  tree.check();
}

TEST_CASE("frames called total and (other) are frames like others") {
  const CallTree tree = build_call_tree(make_profile("total;(other) 3\n(other);total 4\n~ 1"));
  CHECK(tree_text(tree) ==
        "total 0 8\n"
        "  (other) 0 4\n"
        "    total 4 4\n"
        "  total 0 3\n"
        "    (other) 3 3\n"
        "  ~ 1 1\n");
  CHECK(tree.frame[1] != other_frame);
  CHECK(tree.frame[3] != root_frame);
  tree.check();
}

TEST_CASE("build_call_tree handles a stack of depth 100,000, both ways") {
  const Profile profile = make_profile({deep_stack(100'000, 3), deep_stack(50'000, 4)});
  for (const bool reverse : {false, true}) {
    const CallTree tree = build_call_tree(profile, reverse);
    REQUIRE(tree.size() == 100'001);
    CHECK(tree.level.back() == 100'000);
    CHECK(tree.total[0][0] == 7);
    CHECK(tree.total[0][50'000] == 7);
    CHECK(tree.self[0][50'000] == 4);
    CHECK(tree.total[0][50'001] == 3);
    tree.check();
  }
}

TEST_CASE("build_call_tree handles 100,000 children of one node") {
  std::vector<Stack> stacks;
  for (std::size_t i = 0; i < 100'000; ++i) {
    stacks.push_back({{"a", "child" + std::to_string(i)}, i, {}});
  }
  const CallTree tree = build_call_tree(make_profile(std::move(stacks)));
  REQUIRE(tree.size() == 100'002);
  CHECK(tree.total[0][1] == 4'999'950'000);  // 99,999 * 100,000 / 2
  CHECK(std::count(tree.level.begin(), tree.level.end(), 2U) == 100'000);
  tree.check();
}

TEST_CASE("sums beyond 64 bits stay at the largest number") {
  const CallTree tree = build_call_tree(
      make_profile({{{"a", "b"}, huge, {}}, {{"a", "c"}, 1, {}}, {{"a"}, huge - 1, {}}}));
  CHECK(tree.total[0][0] == huge);
  CHECK(tree.total[0][1] == huge);
  CHECK(tree.self[0][1] == huge - 1);
  tree.check();
}

TEST_CASE("equal stacks that follow each other are summed in one node") {
  Profile profile = make_profile("a;b 3");
  profile.stacks.push_back(profile.stacks.front());
  CHECK(tree_text(build_call_tree(profile)) == "total 0 6\n  a 0 6\n    b 6 6\n");
}

TEST_CASE("build_call_tree throws LimitError above max_nodes, and not at it") {
  const Profile profile = make_profile("a;b;e 1\na;c 2\na;c;d 1");
  CHECK(build_call_tree(profile, false, 6).size() == 6);
  try {
    static_cast<void>(build_call_tree(profile, false, 5));
    FAIL("no limit");
  } catch (const LimitError& error) {
    CHECK(error.code() == ErrorCode::limit_exceeded);
    CHECK(error.problem().message ==
          "the call tree has 6 nodes, more than the limit tree_nodes of 5: raise the limit or "
          "choose fewer samples");
  }
}

TEST_CASE("the tree of random stacks has the sums of every path") {
  const std::vector<Stack> stacks = test::random_stacks(500);
  std::vector<Stack> reversed = stacks;
  for (Stack& stack : reversed) {
    std::reverse(stack.frames.begin(), stack.frames.end());
  }
  for (const bool reverse : {false, true}) {
    const CallTree tree = build_call_tree(make_profile(stacks), reverse);
    tree.check();
    std::map<std::vector<std::string>, Sums> found;
    for (std::size_t node = 0; node < tree.size(); ++node) {
      found[path_of(tree, node)] = {tree.self[1][node], tree.total[1][node]};
    }
    CHECK(found.size() == tree.size());
    CHECK(found == sums_by_path(reverse ? reversed : stacks));
  }
}

TEST_CASE("CallTree::check finds every broken invariant") {
  const CallTree good = build_call_tree(make_profile("a;b;e 1 5\na;c 2 6\na;c;d 1 7\nb 9 9"));
  good.check();
  CallTree tree = good;
  SUBCASE("no root") { tree = CallTree{}; }
  SUBCASE("a second root") { tree.level[6] = 0; }
  SUBCASE("a level jump") { tree.level[3] = 4; }
  SUBCASE("a wrong parent") { tree.parent[3] = NodeId{1}; }
  SUBCASE("a root with a frame") { tree.frame[0] = FrameId{0}; }
  SUBCASE("siblings out of order") { std::swap(tree.frame[2], tree.frame[4]); }
  SUBCASE("siblings of one name") { tree.frame[4] = tree.frame[2]; }
  SUBCASE("(other) before another sibling") { tree.frame[2] = other_frame; }
  SUBCASE("(other) with a child") { tree.frame[6] = other_frame, tree.frame[4] = other_frame; }
  SUBCASE("a frame that is not in the table") { tree.frame[6] = FrameId{77}; }
  SUBCASE("a wrong self") { ++tree.self[1][3]; }
  SUBCASE("a wrong total") { ++tree.total[0][0]; }
  SUBCASE("a column too short") { tree.total[1].pop_back(); }
  SUBCASE("columns missing") { tree.frame.pop_back(); }
  SUBCASE("a sample type without a column") { tree.self.pop_back(); }
  SUBCASE("no frame table") { tree.frame_table.reset(); }
  SUBCASE("a default that is not there") { tree.default_sample_type = 2; }
  CHECK_THROWS_AS(tree.check(), std::logic_error);
}

TEST_CASE("FrameTable has texts for its frames, the root and (other)") {
  const FrameTable table({"a", "b"}, nullptr);
  CHECK(table.size() == 2);
  CHECK(table.text(FrameId{1}) == "b");
  CHECK(table.text(root_frame) == "total");
  CHECK(table.text(other_frame) == "(other)");
}

TEST_CASE("FrameTable keeps the owner of its texts alive") {
  auto texts = std::make_shared<std::string>("a long text that is not stored in place");
  const std::weak_ptr<std::string> watch = texts;
  {
    const FrameTable table({*texts}, texts);
    texts.reset();
    CHECK_FALSE(watch.expired());
    CHECK(table.text(FrameId{0}) == "a long text that is not stored in place");
  }
  CHECK(watch.expired());
}
