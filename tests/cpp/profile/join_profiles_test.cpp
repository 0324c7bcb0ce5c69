#include <doctest/doctest.h>

#include <jfrtree/diff.hpp>

#include "profile/diff_tree.hpp"
#include "profile/make_profile.hpp"
#include "profile/tree_text.hpp"

using namespace jfrtree;
using jfrtree::test::make_profile;
using jfrtree::test::random_stacks;
using jfrtree::test::Stack;
using jfrtree::test::stacks_of;
using jfrtree::test::tree_text;

namespace {

DiffProfile join(std::string_view left, std::string_view right) {
  return join_profiles(make_profile(left), make_profile(right));
}

ProfileSet set_of(std::vector<Profile> profiles) {
  ProfileSet set;
  set.profiles = std::move(profiles);
  return set;
}

std::vector<std::string> kinds_of(const std::vector<DiffProfile>& diffs) {
  std::vector<std::string> kinds;
  for (const DiffProfile& diff : diffs) {
    kinds.push_back(diff.left.kind);
    CHECK(diff.right.kind == diff.left.kind);
  }
  return kinds;
}

/// The stacks of a side that have any sample.
std::vector<Stack> own_stacks(const Profile& side) {
  std::vector<Stack> stacks = stacks_of(side);
  std::erase_if(stacks, [](const Stack& stack) { return stack.count == 0; });
  return stacks;
}

}  // namespace

TEST_CASE("join_profiles gives both sides the stacks of both, in order") {
  const DiffProfile diff = join("b;c 1\nb 2\na;x 3", "b;c 4\na;z 5\nb;c;d 6");
  const std::vector<Stack> left = {{{"a", "x"}, 3, {}},
                                   {{"a", "z"}, 0, {}},
                                   {{"b"}, 2, {}},
                                   {{"b", "c"}, 1, {}},
                                   {{"b", "c", "d"}, 0, {}}};
  const std::vector<Stack> right = {{{"a", "x"}, 0, {}},
                                    {{"a", "z"}, 5, {}},
                                    {{"b"}, 0, {}},
                                    {{"b", "c"}, 4, {}},
                                    {{"b", "c", "d"}, 6, {}}};
  CHECK(stacks_of(diff.left) == left);
  CHECK(stacks_of(diff.right) == right);
  CHECK(diff.left.frame_table == diff.right.frame_table);
  CHECK(diff.left.count == 6);
  CHECK(diff.right.count == 15);
}

TEST_CASE("join_profiles keeps what either side has, and its sums") {
  std::vector<Stack> before = random_stacks(300);
  std::vector<Stack> after = random_stacks(500);
  after.erase(after.begin(), after.begin() + 250);
  const Profile left = make_profile(before);
  const Profile right = make_profile(after);
  const DiffProfile diff = join_profiles(left, right);
  CHECK(own_stacks(diff.left) == stacks_of(left));
  CHECK(own_stacks(diff.right) == stacks_of(right));
  CHECK(diff.left.stacks.size() < left.stacks.size() + right.stacks.size());
  CHECK(diff.left.value == left.value);
  const DiffProfile mirrored = join_profiles(right, left);
  CHECK(stacks_of(mirrored.left) == stacks_of(diff.right));
  CHECK(stacks_of(mirrored.right) == stacks_of(diff.left));
}

TEST_CASE("join_profiles of values that one side does not know") {
  const DiffProfile diff = join("a 1 100\nb 1 200", "a 3");
  // Only the count is on both sides.
  CHECK(diff.left.sample_types.size() == 1);
  CHECK(diff.right.sample_types.size() == 1);
  CHECK(diff.left.default_sample_type == 0);
  CHECK_FALSE(diff.left.value.has_value());
  CHECK_FALSE(diff.left.stacks[0].has_value);
}

TEST_CASE("join_profiles with an empty side takes the sample types of the other") {
  const Profile full = make_profile("a;b 2 64");
  for (const DiffProfile& diff : {join_profiles(make_profile(""), full), join_profiles({}, full)}) {
    CHECK(diff.left.sample_types.size() == 2);
    CHECK(diff.left.default_sample_type == 1);
    CHECK(diff.left.value == 0);
    const std::vector<Stack> zeros = {{{"a", "b"}, 0, 0}};
    CHECK(stacks_of(diff.left) == zeros);
    CHECK(stacks_of(diff.right) == stacks_of(full));
  }
  const DiffProfile nothing = join_profiles(Profile{}, Profile{});
  CHECK(nothing.left.stacks.empty());
  CHECK(nothing.left.frame_table->size() == 0);
}

TEST_CASE("join_profiles refuses thread frames on one side alone") {
  Profile threads = make_profile("[main];a 1");
  threads.has_thread_frame = true;
  CHECK_THROWS_AS(static_cast<void>(join_profiles(threads, make_profile("a 1"))), UsageError);
  CHECK(join_profiles(threads, make_profile("")).right.has_thread_frame);
}

TEST_CASE("join_profiles of sets has the kinds of either, in the order of the table") {
  ProfileSet left = set_of({make_profile("a 1", "alloc"), make_profile("x 1", "collapsed")});
  ProfileSet right = set_of({make_profile("b 2", "cpu"), make_profile("c 3", "alloc")});
  left.span_ns = 25;
  const std::vector<DiffProfile> diffs = join_profiles(left, right);
  CHECK(kinds_of(diffs) == std::vector<std::string>{"cpu", "alloc", "collapsed"});
  CHECK(diffs[0].left.count == 0);
  CHECK(diffs[0].right.count == 2);
  CHECK(diffs[1].left.count == 1);
  CHECK(diffs[1].right.count == 3);
  CHECK(diffs[0].span_ns[0] == 25);
  CHECK_FALSE(diffs[0].span_ns[1].has_value());
  CHECK(join_profiles(ProfileSet{}, ProfileSet{}).empty());
}

TEST_CASE("side units scale the right side, halves to even") {
  // Totals 4 and 8: two on the right are one on the left.
  const SideUnits half(4, 8);
  CHECK(half.right_as_left(8) == 4);
  CHECK(half.right_as_left(1) == 0);  // 0.5
  CHECK(half.right_as_left(3) == 2);  // 1.5
  CHECK(half.right_as_left(5) == 2);  // 2.5
  CHECK(half.right_as_left(7) == 4);  // 3.5
  CHECK(half.compare(1, 2) == 0);
  CHECK(half.compare(1, 3) > 0);
  CHECK(half.compare(2, 3) < 0);
  CHECK(half.in_unit(0, 1) == 0.25);
  CHECK(half.in_unit(1, 1) == 0.125);
  CHECK(SideUnits(3, 7).right_as_left(1) == 0);  // 0.43
  CHECK(SideUnits(3, 5).right_as_left(1) == 1);  // 0.6
}

TEST_CASE("side units of sides without numbers, and of large ones") {
  CHECK(SideUnits(0, 8).right_as_left(5) == 5);
  CHECK(SideUnits(8, 0).right_as_left(0) == 0);
  CHECK(SideUnits(0, 8).compare(0, 1) > 0);
  CHECK(SideUnits(8, 0).compare(1, 0) < 0);
  CHECK(SideUnits(0, 8).in_unit(0, 0) == 0);
  const std::uint64_t largest = ~std::uint64_t{0};
  CHECK(SideUnits(largest, 1).right_as_left(largest) == largest);
  CHECK(SideUnits(largest, largest).compare(largest, largest - 1) < 0);
  CHECK(SideUnits().right_as_left(7) == 7);
}

TEST_CASE("rates need time spans, and something that has a rate") {
  DiffProfile diff = join("a 1 10", "a 2 20");
  CHECK_THROWS_WITH_AS(static_cast<void>(side_units(diff, 0, Comparison::per_second)),
                       doctest::Contains("the base does not say"), UsageError);
  diff.span_ns = {2'000'000'000, 4'000'000'000};
  CHECK(side_units(diff, 0, Comparison::per_second).compare(1, 2) == 0);
  CHECK(side_units(diff, 0, Comparison::per_second).right_as_left(6) == 3);
  CHECK(side_units(diff, 0, Comparison::absolute).compare(1, 2) > 0);
  diff.left.sample_types[1].name = "estimated_cpu";
  CHECK_THROWS_AS(static_cast<void>(side_units(diff, 1, Comparison::per_second)), UsageError);
  diff.left.is_snapshot = true;
  CHECK_THROWS_AS(static_cast<void>(side_units(diff, 0, Comparison::per_second)), UsageError);
}

TEST_CASE("the tree of a diff has the columns of both sides") {
  const CallTree tree = build_diff_tree(join("a;b 1 10\na;c 2 20", "a;c 3 30\nd 4 40"));
  tree.check();
  REQUIRE(tree.sample_types.size() == 4);
  CHECK(tree_text(tree, 0) == "total 0 3\n  a 0 3\n    b 1 1\n    c 2 2\n  d 0 0\n");
  CHECK(tree_text(tree, 2) == "total 0 7\n  a 0 3\n    b 0 0\n    c 3 3\n  d 4 4\n");
  CHECK(tree_text(tree, 3) == "total 0 70\n  a 0 30\n    b 0 0\n    c 30 30\n  d 40 40\n");
  const CallTree reversed = build_diff_tree(join("a;b 1", "c;b 2"), true);
  CHECK(tree_text(reversed, 0) == "total 0 1\n  b 0 1\n    a 1 1\n    c 0 0\n");
  CHECK(tree_text(reversed, 1) == "total 0 2\n  b 0 2\n    a 0 0\n    c 2 2\n");
}

TEST_CASE("cutting the tree of a diff keeps what is large on either side") {
  // By share of 100 and 1000: a 60 %, 5 %; b 30 %, 5 %; c 10 %, 10 %; d 0 %, 80 %.
  const DiffProfile diff = join("a 60\nb 30\nc 10", "a 50\nb 50\nc 100\nd 800");
  const CallTree tree = build_diff_tree(diff);
  const SideUnits shares = side_units(diff, 0, Comparison::share);
  const CallTree two = internal::prune_diff_tree(tree, shares, {.max_nodes = 2});
  two.check();
  CHECK(tree_text(two, 0) == "total 0 100\n  a 60 60\n  d 0 0\n  (other) 40 40\n");
  CHECK(tree_text(two, 1) == "total 0 1000\n  a 50 50\n  d 800 800\n  (other) 150 150\n");
  // As they are, c is larger than a.
  const CallTree absolute = internal::prune_diff_tree(tree, SideUnits(), {.max_nodes = 2});
  CHECK(tree_text(absolute, 0) == "total 0 100\n  c 10 10\n  d 0 0\n  (other) 90 90\n");
  const CallTree wide = internal::prune_diff_tree(tree, shares, {.min_width = 25});
  CHECK(tree_text(wide, 0) == "total 0 100\n  a 60 60\n  b 30 30\n  d 0 0\n  (other) 10 10\n");
  CHECK(internal::prune_diff_tree(tree, shares, {.max_nodes = 4}).size() == tree.size());
}

TEST_CASE("method_diffs has every method once, what changed most first") {
  // Shares of self: a 50 % and 0 %, b 50 % and 25 %, c 0 % and 75 %.
  const DiffProfile diff = join("m;a 1\nm;b 1\nm;m;a 0", "m;b 2\nm;c 6");
  const std::vector<MethodDiff> methods = method_diffs(diff, 0, Comparison::share);
  std::string text;
  for (const MethodDiff& method : methods) {
    text += std::string(diff.left.frame_table->text(method.frame)) + " " +
            std::to_string(method.left.self[0]) + "/" + std::to_string(method.left.total[0]) + " " +
            std::to_string(method.right.self[0]) + "/" + std::to_string(method.right.total[0]) +
            "\n";
  }
  CHECK(text == "c 0/0 6/6\na 1/1 0/0\nb 1/1 2/2\nm 0/2 0/8\n");
  // As they are: c 6, then a and b by 1.
  const auto absolute = method_diffs(diff, 0, Comparison::absolute);
  CHECK(diff.left.frame_table->text(absolute[1].frame) == "a");
  CHECK(diff.left.frame_table->text(absolute[2].frame) == "b");
}
