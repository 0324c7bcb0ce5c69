#include "clickhouse/query/query_stacks.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include <jfrtree/error.hpp>

namespace jfrtree::internal {
namespace {

std::vector<std::string> stack_texts(const Profile& profile) {
  std::vector<std::string> texts;
  for (const StackSum& stack : profile.stacks) {
    std::string text;
    for (const FrameId frame : profile.frames(stack)) {
      text += (text.empty() ? "" : ";") + std::string(profile.frame_table->text(frame));
    }
    texts.push_back(text + " " + std::to_string(stack.count));
  }
  return texts;
}

void add_frames(QueryStacks& stacks, std::uint64_t hash,
                const std::vector<std::string_view>& frames) {
  std::vector<std::uint32_t> numbers;
  for (const std::string_view frame : frames) numbers.push_back(stacks.text(frame));
  stacks.add_stack(hash, numbers);
}

TEST_CASE("sums find their frames by hash, and are sorted by these") {
  QueryStacks stacks({}, false);
  stacks.begin_kind(false);
  stacks.add_sum({.hash = 3, .samples = 1}, "");
  stacks.add_sum({.hash = 1, .samples = 2}, "");
  stacks.add_sum({.hash = 2, .samples = 4}, "");
  stacks.begin_kind(false);
  stacks.add_sum({.hash = 1, .samples = 8}, "");
  CHECK(stacks.hashes() == std::vector<std::uint64_t>{1, 2, 3});
  add_frames(stacks, 1, {"main", "b"});
  add_frames(stacks, 2, {"main"});
  add_frames(stacks, 3, {});
  add_frames(stacks, 1, {"another"});  // of a second copy nothing is taken
  const std::vector<Profile> profiles = stacks.take_profiles();
  CHECK(stack_texts(profiles[0]) == std::vector<std::string>{"[no stack] 1", "main 4", "main;b 2"});
  CHECK(profiles[0].count == 7);
  CHECK(stack_texts(profiles[1]) == std::vector<std::string>{"main;b 8"});
}

TEST_CASE("all other stacks are one, and a stack that is not stored says so") {
  QueryStacks stacks({}, false);
  stacks.begin_kind(false);
  stacks.add_sum({.hash = 1, .samples = 1}, "");
  stacks.add_sum({.hash = 2, .samples = 2}, "");
  stacks.add_sum({.hash = 9, .samples = 4}, "");
  stacks.add_sum({.samples = 8, .stacks = 5, .is_other = true}, "");
  add_frames(stacks, 1, {"main"});
  const std::vector<Profile> profiles = stacks.take_profiles();
  // The two that are missing cannot be told from each other.
  CHECK(stack_texts(profiles[0]) ==
        std::vector<std::string>{"(other) 8", "[stack is not stored] 6", "main 1"});
  CHECK(stacks.missing_samples() == 6);
}

TEST_CASE("bytes stay with their stacks, and add up where stacks are equal") {
  QueryStacks stacks({}, false);
  stacks.begin_kind(false);
  stacks.add_sum({.hash = 1, .samples = 1}, "");
  stacks.begin_kind(true);
  stacks.add_sum({.hash = 2, .samples = 1, .bytes = 100}, "");  // not stored
  stacks.add_sum({.hash = 1, .samples = 1, .bytes = 0}, "");
  stacks.add_sum({.hash = 9, .samples = 1, .bytes = 20}, "");  // not stored either
  stacks.add_sum({.samples = 8, .bytes = 3, .is_other = true}, "");
  add_frames(stacks, 1, {"main"});
  std::vector<Profile> profiles = stacks.take_profiles();
  CHECK(profiles[0].further_numbers.empty());
  Profile& profile = profiles[1];
  profile.sample_types = {{"io", "count"}, {"io", "nanoseconds"}, {"io", "bytes"}};
  std::vector<std::uint64_t> bytes;
  for (const StackSum& stack : profile.stacks) bytes.push_back(profile.number(stack, 2));
  CHECK(stack_texts(profile) ==
        std::vector<std::string>{"(other) 8", "[stack is not stored] 2", "main 1"});
  CHECK(bytes == std::vector<std::uint64_t>{3, 120, 0});
}

TEST_CASE("threads stand first") {
  QueryStacks stacks({}, true);
  stacks.begin_kind(false);
  stacks.add_sum({.hash = 1, .samples = 1}, "b");
  stacks.add_sum({.hash = 1, .samples = 2}, "a");
  stacks.add_sum({.hash = 1, .samples = 4}, "");
  stacks.add_sum({.samples = 8, .is_other = true}, "");
  add_frames(stacks, 1, {"main"});
  const std::vector<Profile> profiles = stacks.take_profiles();
  CHECK(profiles[0].has_thread_frame);
  CHECK(stack_texts(profiles[0]) ==
        std::vector<std::string>{"[a];main 2", "[all other threads];(other) 8", "[b];main 1",
                                 "[unknown thread];main 4"});
}

TEST_CASE("limits hold, and broken texts are repaired") {
  Limits limits;
  limits.profile_frames = 3;
  QueryStacks stacks(limits, false);
  stacks.begin_kind(false);
  add_frames(stacks, 1, {"a", "b\xFF", "a"});
  CHECK_THROWS_AS(add_frames(stacks, 2, {"a"}), LimitError);
  limits.frame_bytes = 4;
  QueryStacks texts(limits, false);
  CHECK_THROWS_AS(add_frames(texts, 1, {"abc", "de"}), LimitError);
}

}  // namespace
}  // namespace jfrtree::internal
