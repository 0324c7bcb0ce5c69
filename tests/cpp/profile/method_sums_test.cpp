#include <jfrtree/call_tree.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "profile/make_profile.hpp"
#include "profile/method_sums.hpp"

using namespace jfrtree;
using jfrtree::test::make_profile;

namespace {

/// `name self/total` of one sample type, in order.
std::string sums_text(const Profile& profile, std::size_t sample_type, bool by_total = false) {
  std::string text;
  for (const MethodSums& method : method_sums(profile, sample_type, by_total)) {
    text += std::string(profile.frame_table->text(method.frame)) + ' ' +
            std::to_string(method.self.at(sample_type)) + '/' +
            std::to_string(method.total.at(sample_type)) + '\n';
  }
  return text;
}

}  // namespace

TEST_CASE("method_sums gives self and total, sorted by self, then by text") {
  const Profile profile = make_profile("a;b 1\na;c 5\nb;c 2\nd 1");
  CHECK(sums_text(profile, 0) == "c 7/7\nb 1/3\nd 1/1\na 0/6\n");
}

TEST_CASE("method_sums by total") {
  const Profile profile = make_profile("a;b 1\na;c 5\nb;c 2\nd 1");
  CHECK(sums_text(profile, 0, true) == "c 7/7\na 0/6\nb 1/3\nd 1/1\n");
}

TEST_CASE("a method counts once per stack towards its total, however often it recurs") {
  const Profile profile = make_profile("a;a;b;a;a 10\na;b;a 1\nb;b 100");
  CHECK(sums_text(profile, 0) == "b 100/111\na 11/11\n");
}

TEST_CASE("method_sums has every sample type and sorts by the one given") {
  const Profile profile = make_profile("a;b 9 1\na;c 1 50\na 2 3");
  CHECK(sums_text(profile, 0) == "b 9/9\na 2/12\nc 1/1\n");
  CHECK(sums_text(profile, 1) == "c 50/50\na 3/54\nb 1/1\n");
  const auto methods = method_sums(profile, 1);
  CHECK(methods.at(0).self == std::vector<std::uint64_t>{1, 50});
  CHECK(methods.at(1).total == std::vector<std::uint64_t>{12, 54});
  CHECK_THROWS_AS(static_cast<void>(method_sums(profile, 2)), std::out_of_range);
}

TEST_CASE("method_sums of an empty profile is empty") {
  CHECK(method_sums(make_profile(""), 0).empty());
  CHECK(method_sums(Profile{}, 0).empty());
}

TEST_CASE("method_sums beyond 64 bits stay at the largest number") {
  constexpr std::uint64_t huge = std::numeric_limits<std::uint64_t>::max();
  const Profile profile = make_profile({{{"a", "b"}, huge, {}}, {{"c", "b"}, 2, {}}});
  CHECK(sums_text(profile, 0) ==
        "b 18446744073709551615/18446744073709551615\n"
        "a 0/18446744073709551615\n"
        "c 0/2\n");
}

TEST_CASE("method_sums of one stack of depth 100,000 is linear in its frames") {
  const Profile profile = make_profile({{std::vector<std::string>(100'000, "recurse"), 3, {}}});
  CHECK(sums_text(profile, 0) == "recurse 3/3\n");
}

TEST_CASE("method_sums of stacks in order are those of the profile") {
  const Profile profile = make_profile(test::random_stacks(300));
  const auto expected = method_sums(profile, 1);
  const auto methods =
      internal::method_sums(profile, internal::StackOrder(profile, false, 10'000), 1);
  REQUIRE(methods.size() == expected.size());
  for (std::size_t index = 0; index < methods.size(); ++index) {
    CHECK(methods[index].frame == expected[index].frame);
    CHECK(methods[index].self == expected[index].self);
    CHECK(methods[index].total == expected[index].total);
  }
}

TEST_CASE("method_sums of random stacks count every stack once for each of its frames") {
  const Profile profile = make_profile(test::random_stacks(300));
  for (const MethodSums& method : method_sums(profile, 0)) {
    std::uint64_t self = 0;
    std::uint64_t total = 0;
    for (const StackSum& stack : profile.stacks) {
      const auto frames = profile.frames(stack);
      self += frames.back() == method.frame ? stack.count : 0;
      total += std::count(frames.begin(), frames.end(), method.frame) > 0 ? stack.count : 0;
    }
    CHECK(method.self.at(0) == self);
    CHECK(method.total.at(0) == total);
  }
}
