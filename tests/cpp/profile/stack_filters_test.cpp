/// Filters on stacks: include, exclude, focus, skip and depth.

#include <doctest/doctest.h>

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "profile/reading.hpp"
#include "profile/stack_filter.hpp"
#include "support/standard_chunk.hpp"

using namespace jfrtree;
using namespace jfrtree::test;

namespace {

Bytes bytes_from(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

ProfileRequest request_with(const std::function<void(FilterOptions&)>& set,
                            std::vector<std::string> names = {"cpu"}) {
  ProfileRequest request = kinds(std::move(names));
  set(request.filters);
  return request;
}

std::string error_of(const ProfileRequest& request) {
  try {
    (void)read({jdk17_chunk().bytes()}, request);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

/// Two samples below A.one, three below A.two, one without a stack.
Bytes calls() {
  auto chunk = jdk17_chunk();
  const auto one = chunk.stack({"Main.main", "A.one", "B.leaf", "A.one"});
  const auto two = chunk.stack({"Main.main", "A.two", "B.leaf"});
  for (int i = 0; i < 2; ++i) chunk.execution_sample({.stack = one});
  for (int i = 0; i < 3; ++i) chunk.execution_sample({.stack = two});
  chunk.execution_sample({});
  return chunk.bytes();
}

std::string cpu(const std::function<void(FilterOptions&)>& set) {
  return lines_of(read({calls()}, request_with(set)), "cpu");
}

Bytes allocations() {
  auto chunk = jdk17_chunk();
  const auto stack = chunk.stack({"Main.main", "Main.run"});
  const auto type = chunk.class_constant("java/lang/String");
  chunk.allocation_sample({.stack = stack, .object_class = type, .weight = 5});
  chunk.allocation_sample({.object_class = type, .weight = 7});
  return chunk.bytes();
}

std::string alloc(const std::function<void(FilterOptions&)>& set) {
  return lines_of(read({allocations()}, request_with(set, {"alloc"})), "alloc");
}

}  // namespace

TEST_CASE("include keeps stacks with a frame in which the pattern is found") {
  CHECK(cpu([](FilterOptions& filters) { filters.include = {"two"}; }) ==
        "Main.main > A.two > B.leaf 3 -\n");
  CHECK(cpu([](FilterOptions& filters) { filters.include = {"^two"}; }) == "");
  CHECK(cpu([](FilterOptions& filters) {
          filters.include = {"A\\.one$", "A\\.two$"};
        }) == "Main.main > A.one > B.leaf > A.one 2 -\nMain.main > A.two > B.leaf 3 -\n");
}

TEST_CASE("exclude drops stacks with a frame in which one of the patterns is found") {
  CHECK(cpu([](FilterOptions& filters) { filters.exclude = {"A.one"}; }) ==
        "Main.main > A.two > B.leaf 3 -\n[no stack] 1 -\n");
  CHECK(cpu([](FilterOptions& filters) {
          filters.exclude = {"A.one", "A.two"};
        }) == "[no stack] 1 -\n");
  CHECK(cpu([](FilterOptions& filters) {
          filters.include = {"B.leaf"};
          filters.exclude = {"A.two"};
        }) == "Main.main > A.one > B.leaf > A.one 2 -\n");
}

TEST_CASE("focus makes the first frame that fits the root and drops stacks without one") {
  CHECK(cpu([](FilterOptions& filters) { filters.focus = {"A\\."}; }) ==
        "A.one > B.leaf > A.one 2 -\nA.two > B.leaf 3 -\n");
  CHECK(cpu([](FilterOptions& filters) { filters.focus = {"B.leaf"}; }) ==
        "B.leaf 3 -\nB.leaf > A.one 2 -\n");
  // Stacks are chosen as they are in the recording, then cut.
  CHECK(cpu([](FilterOptions& filters) {
          filters.focus = {"B.leaf"};
          filters.include = {"A.two"};
        }) == "B.leaf 3 -\n");
}

TEST_CASE("patterns do not see [truncated], [no stack] and thread frames") {
  auto chunk = jdk17_chunk();
  const auto thread = chunk.thread({.java_name = "worker", .os_id = 7});
  chunk.execution_sample(
      {.stack = chunk.stack({"Main.run", "A.one"}, {.truncated = true}), .thread = thread});
  chunk.execution_sample({.thread = thread});
  ProfileRequest request = kinds({"cpu"});
  request.frames.by_thread = true;
  const auto lines = [&] { return lines_of(read({chunk.bytes()}, request), "cpu"); };
  request.filters.exclude = {"truncated|no stack|worker"};
  CHECK(lines() ==
        "[worker tid=7] > [no stack] 1 -\n[worker tid=7] > [truncated] > Main.run > A.one 1 -\n");
  request.filters = {};
  request.filters.include = {"truncated|no stack|worker"};
  CHECK(lines() == "");
  // What is missing above the new root does not matter any more; the thread stays.
  request.filters = {};
  request.filters.focus = {"A.one"};
  CHECK(lines() == "[worker tid=7] > A.one 1 -\n");
}

TEST_CASE("patterns see the class leaf and not the line number") {
  CHECK(alloc([](FilterOptions& filters) { filters.include = {"^java.lang.String$"}; }) ==
        "Main.main > Main.run > java.lang.String 1 5\n[no stack] > java.lang.String 1 7\n");
  CHECK(alloc([](FilterOptions& filters) { filters.exclude = {"^java.lang.String$"}; }) == "");
  auto chunk = jdk17_chunk();
  chunk.execution_sample({.stack = chunk.stack({FrameSpec("Main.run").line(42)})});
  ProfileRequest request = kinds({"cpu"});
  request.frames.lines = true;
  request.filters.include = {"^Main.run$"};
  CHECK(lines_of(read({chunk.bytes()}, request), "cpu") == "Main.run:42 1 -\n");
  request.filters.include = {"42"};
  CHECK(lines_of(read({chunk.bytes()}, request), "cpu") == "");
}

TEST_CASE("a line number is digits behind the last colon, and only where lines are shown") {
  FrameOptions options;
  CHECK(internal::without_place("A.b:12", options) == "A.b:12");
  options.lines = true;
  CHECK(internal::without_place("A.b:12", options) == "A.b");
  CHECK(internal::without_place("A.b:12@7", options) == "A.b:12@7");
  CHECK(internal::without_place("A.b", options) == "A.b");
  CHECK(internal::without_place("std::sort", options) == "std::sort");
  CHECK(internal::without_place("libc.so:12 (deleted)", options) == "libc.so:12 (deleted)");
  CHECK(internal::without_place(":12", options) == ":12");
  options.bci = true;
  CHECK(internal::without_place("A.b:12@7", options) == "A.b");
  CHECK(internal::without_place("A.b:12@7_[j]", options) == "A.b:12@7_[j]");
  options.frame_types = true;
  CHECK(internal::without_place("A.b:12@7_[j]", options) == "A.b");
  CHECK(internal::without_place("A.b_[i]", options) == "A.b");
  CHECK(internal::without_place("A.b@7", options) == "A.b");
  CHECK(internal::without_place("_[i]", options) == "_[i]");
}

TEST_CASE("skip leaves out root frames, and no sample") {
  CHECK(cpu([](FilterOptions& filters) { filters.skip = 1; }) ==
        "A.one > B.leaf > A.one 2 -\nA.two > B.leaf 3 -\n[no stack] 1 -\n");
  CHECK(cpu([](FilterOptions& filters) { filters.skip = 3; }) ==
        "A.one 2 -\nB.leaf 3 -\n[no stack] 1 -\n");
  CHECK(cpu([](FilterOptions& filters) { filters.skip = ~std::uint64_t{0}; }) ==
        "A.one 2 -\nB.leaf 3 -\n[no stack] 1 -\n");
}

TEST_CASE("depth keeps root frames, and what is cut counts for the last one kept") {
  CHECK(cpu([](FilterOptions& filters) { filters.depth = 1; }) ==
        "Main.main 5 -\n[no stack] 1 -\n");
  CHECK(cpu([](FilterOptions& filters) { filters.depth = 2; }) ==
        "Main.main > A.one 2 -\nMain.main > A.two 3 -\n[no stack] 1 -\n");
  CHECK(cpu([](FilterOptions& filters) {
          filters.skip = 1;
          filters.depth = 2;
        }) == "A.one > B.leaf 2 -\nA.two > B.leaf 3 -\n[no stack] 1 -\n");
}

TEST_CASE("the class leaf is a frame for skip and depth") {
  CHECK(alloc([](FilterOptions& filters) { filters.depth = 2; }) ==
        "Main.main > Main.run 1 5\n[no stack] > java.lang.String 1 7\n");
  CHECK(alloc([](FilterOptions& filters) { filters.depth = 3; }) ==
        "Main.main > Main.run > java.lang.String 1 5\n[no stack] > java.lang.String 1 7\n");
  CHECK(alloc([](FilterOptions& filters) { filters.skip = 9; }) ==
        "[no stack] > java.lang.String 1 7\njava.lang.String 1 5\n");
}

TEST_CASE("a truncated stack keeps its mark under skip and depth") {
  auto chunk = jdk17_chunk();
  chunk.execution_sample({.stack = chunk.stack({"A.a", "B.b", "C.c"}, {.truncated = true})});
  ProfileRequest request = kinds({"cpu"});
  request.filters.skip = 1;
  request.filters.depth = 1;
  CHECK(lines_of(read({chunk.bytes()}, request), "cpu") == "[truncated] > B.b 1 -\n");
}

TEST_CASE("dropped stacks take their events and unknown values with them") {
  auto chunk = async_profiler_4_chunk();
  const auto kept = chunk.stack({"Main.kept"});
  const auto gone = chunk.stack({"Main.gone"});
  chunk.wall_clock_sample({.stack = kept, .samples = 4, .time_span_ticks = 40});
  chunk.wall_clock_sample({.stack = gone, .samples = 3, .time_span_ticks = 30});
  chunk.wall_clock_sample({.stack = gone, .samples = 1});  // its value is not known
  ProfileRequest request = kinds({"wall"});
  request.filters.exclude = {"gone"};
  const ProfileSet set = read({chunk.bytes()}, request);
  CHECK(totals_of(set, "wall") == "wall: 4, 40 (1) wall/nanoseconds");
  CHECK(set.statistics.samples == 1);
}

TEST_CASE("filters on stacks work on collapsed stacks, whose thread frames and marks they know") {
  const std::string text =
      "[main tid=7];[truncated];Main.run;A.one:5 2\n[no stack] 3\nMain.main;A.two 4\n";
  const std::vector<Bytes> input{bytes_from(text)};
  const auto lines = [&](const std::function<void(FilterOptions&)>& set) {
    return lines_of(read(input, request_with(set, {})), "collapsed");
  };
  CHECK(lines([](FilterOptions& filters) { filters.skip = 1; }) ==
        "A.two 4 -\n[main tid=7] > [truncated] > A.one:5 2 -\n[no stack] 3 -\n");
  CHECK(lines([](FilterOptions& filters) { filters.include = {"A"}; }) ==
        "Main.main > A.two 4 -\n[main tid=7] > [truncated] > Main.run > A.one:5 2 -\n");
  CHECK(lines([](FilterOptions& filters) { filters.exclude = {"tid|truncated|stack"}; }) ==
        "Main.main > A.two 4 -\n[main tid=7] > [truncated] > Main.run > A.one:5 2 -\n"
        "[no stack] 3 -\n");
  CHECK(lines([](FilterOptions& filters) { filters.focus = {"^A.*5$"}; }) ==
        "[main tid=7] > A.one:5 2 -\n");
}

TEST_CASE("collapsed stacks pass no filter on events, and that is noted") {
  const std::string text = "Main.main;A.two 4\n";
  ProfileRequest request;
  request.filters.threads = {"."};
  const ProfileSet set = read({bytes_from(text)}, request);
  CHECK(lines_of(set, "collapsed") == "");
  REQUIRE(set.problems.size() == 1);
  CHECK(set.problems[0].code == ErrorCode::left_out);
  CHECK(set.problems[0].severity == Severity::note);
}

TEST_CASE("a pattern that is none is an error that names option and pattern") {
  ProfileRequest request;
  request.filters.include = {"ok", "a(b"};
  CHECK(error_of(request) == "--include: 'a(b' is no regular expression: missing ): a(b");
  request.filters = {};
  request.filters.threads = {"*"};
  CHECK(error_of(request) ==
        "--thread: '*' is no regular expression: no argument for repetition operator: *");
}

TEST_CASE("what is wanted and unwanted at once is an error that names both options") {
  ProfileRequest request;
  request.filters.include = {"A", "B"};
  request.filters.exclude = {"B"};
  CHECK(error_of(request) == "--include and --exclude contradict each other: both have 'B'");
  request.filters.include = {};
  request.filters.focus = {"B"};
  CHECK(error_of(request) == "--focus and --exclude contradict each other: both have 'B'");
}

TEST_CASE("matching takes time linear in the text") {
  // Backtracking would need 2^30 steps and more.
  auto chunk = jdk17_chunk();
  chunk.execution_sample({.stack = chunk.stack({"Main." + std::string(5000, 'a')})});
  ProfileRequest request = kinds({"cpu"});
  request.filters.include = {"(a*)*b", "(a|aa)+$"};
  CHECK(read({chunk.bytes()}, request).find("cpu")->count == 1);
}
