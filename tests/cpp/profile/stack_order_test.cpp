#include "profile/stack_order.hpp"

#include <doctest/doctest.h>

#include <array>
#include <random>
#include <string>
#include <vector>

#include "profile/common_prefix.hpp"
#include "profile/make_profile.hpp"
#include "profile/walk_stacks.hpp"

using namespace jfrtree;
using jfrtree::test::make_profile;

namespace {

/// `shared:new,new` of each stack, in order.
std::string order_text(const Profile& profile, bool reverse, std::uint64_t most_copied = 1000) {
  const internal::StackOrder order(profile, reverse, 1000, most_copied);
  std::string text;
  order.for_each([&](const StackSum&, std::size_t shared, auto new_frames) {
    text += std::to_string(shared) + ':';
    for (const FrameId frame : new_frames) {
      text += ' ' + std::string(profile.frame_table->text(frame));
    }
    text += '\n';
  });
  return text;
}

}  // namespace

TEST_CASE("common_prefix counts equal frames of stacks of all lengths") {
  for (std::size_t length = 0; length < 12; ++length) {
    for (std::size_t equal = 0; equal <= length; ++equal) {
      std::vector<FrameId> one(length, FrameId{5});
      std::vector<FrameId> other = one;
      if (equal < length) {
        other[equal] = FrameId{5 | 1U << 31U};
      }
      CAPTURE(length);
      CHECK(internal::common_prefix(one, other) == equal);
      CHECK(internal::common_prefix(other, one) == equal);
      CHECK(internal::common_prefix(std::span(one).first(equal), other) == equal);
    }
  }
}

TEST_CASE("walk_stacks visits every stack with what it shares with the one before") {
  const Profile profile = make_profile(test::random_stacks(500));
  std::size_t visited = 0;
  std::span<const FrameId> before;
  internal::walk_stacks(profile, [&](const StackSum& stack, auto frames, std::size_t shared) {
    CHECK(&stack == &profile.stacks[visited++]);
    CHECK(frames.data() == profile.frames(stack).data());
    std::size_t expected = 0;
    while (expected < before.size() && expected < frames.size() &&
           before[expected] == frames[expected]) {
      ++expected;
    }
    CHECK(shared == expected);
    before = frames;
  });
  CHECK(visited == profile.stacks.size());
  internal::walk_stacks(Profile{}, [&](const auto&, auto, auto) { ++visited; });
  CHECK(visited == profile.stacks.size());
}

TEST_CASE("StackOrder gives the new frames of each stack, from the root or from the leaf on") {
  const Profile profile = make_profile("a;b;c 1\na;b;d 1\na;c 1\nb 1");
  CHECK(order_text(profile, false) == "0: a b c\n2: d\n1: c\n0: b\n");
  CHECK(order_text(profile, true) == "0: b\n0: c a\n1: b a\n0: d b a\n");
  CHECK(order_text(Profile{}, true).empty());
}

TEST_CASE("StackOrder gives the same frames when they stay where they are") {
  const Profile profile = make_profile("a;b;c 1\na;b;d 1\na;c 1\nb 1");
  for (const std::uint64_t most_copied : {0U, 1U, 6U, 7U}) {  // the tree has seven nodes
    CHECK(order_text(profile, false, most_copied) == "0: a b c\n2: d\n1: c\n0: b\n");
    CHECK(order_text(profile, true, most_copied) == "0: b\n0: c a\n1: b a\n0: d b a\n");
    CHECK(internal::StackOrder(profile, false, 7, most_copied).node_count() == 7);
    CHECK_THROWS_AS(internal::StackOrder(profile, false, 6, most_copied), LimitError);
  }
}

TEST_CASE("StackOrder says what a stack has in common with the next one") {
  const Profile profile = make_profile("a;b;c 1\na;b;d 1\na;c 1\nb 1");
  std::vector<std::size_t> shared_with_next;
  internal::StackOrder(profile, false, 7)
      .for_each_between([&](const StackSum&, std::size_t, auto, std::size_t shared) {
        shared_with_next.push_back(shared);
      });
  CHECK(shared_with_next == std::vector<std::size_t>{2, 1, 0, 0});
}

TEST_CASE("StackOrder counts the nodes of the tree and checks their number") {
  const Profile profile = make_profile("a;b;c 1\na;b;d 1\na;c 1\nb 1");
  CHECK(internal::StackOrder(profile, false, 7).node_count() == 7);
  CHECK_THROWS_AS(internal::StackOrder(profile, false, 6), LimitError);
  CHECK(internal::StackOrder(profile, true, 9).node_count() == 9);
  CHECK_THROWS_AS(internal::StackOrder(profile, true, 8), LimitError);
  CHECK_THROWS_AS(internal::StackOrder(Profile{}, false, 0), LimitError);
}
