/// Behaviours of frames and threads as users meet them, by the library's own calls.

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <jfrtree/call_tree.hpp>

#include "profile/make_profile.hpp"
#include "profile/reading.hpp"
#include "support/scenarios.hpp"
#include "support/test_paths.hpp"

using namespace jfrtree;
using namespace jfrtree::test;
using namespace std::string_view_literals;

namespace {

/// The frames of the only stack of a chunk with one CPU sample.
std::vector<std::string> frames_of(const StandardChunk& chunk, const FrameOptions& options = {}) {
  ProfileRequest request;
  request.frames = options;
  const auto stacks = stacks_of(*read({chunk.bytes()}, request).find("cpu"));
  REQUIRE(stacks.size() == 1);
  return stacks[0].frames;
}

StandardChunk one_sample(StandardChunk chunk, const std::vector<FrameSpec>& frames,
                         StackSpec options = {}) {
  const auto stack = chunk.stack(frames, options);
  chunk.execution_sample({.stack = stack});
  return chunk;
}

/// A sample by a thread, with thread frames.
std::string by_thread(const std::vector<Bytes>& recordings) {
  ProfileRequest request;
  request.frames.by_thread = true;
  return lines_of(read(recordings, request), "cpu");
}

std::vector<std::string> all_frames(const Profile& profile) {
  std::vector<std::string> frames;
  for (std::uint32_t i = 0; i < profile.frame_table->size(); ++i) {
    frames.emplace_back(profile.frame_table->text(FrameId{i}));
  }
  return frames;
}

std::size_t depth_of(const Profile& profile) {
  std::size_t depth = 0;
  for (const StackSum& stack : profile.stacks)
    depth = std::max<std::size_t>(depth, stack.frame_count);
  return depth;
}

}  // namespace

TEST_CASE("names with markup, quotes, separators, line breaks and NUL come out unchanged") {
  const std::vector<std::string> names{"<init>",
                                       "<clinit>",
                                       "</script>",
                                       "quote\"back\\slash\ttab\nline",
                                       std::string("nul\0byte"sv),
                                       "semi;colon 12",
                                       hostile_name()};
  std::vector<FrameSpec> frames;
  std::vector<std::string> expected;
  for (const std::string& name : names) {
    frames.push_back(FrameSpec::of("Main", name));
    expected.push_back("Main." + name);
  }
  CHECK(frames_of(one_sample(jdk17_chunk(), frames)) == expected);
}

TEST_CASE("C++ names come out unchanged") {
  const std::string name = "std::map<int, Foo<A, B*> >::operator[](int const&) const";
  auto chunk = async_profiler_4_chunk();
  const auto stack = chunk.stack({FrameSpec::native(name, "libfoo.so")});
  chunk.execution_sample({.stack = stack, .state = "STATE_DEFAULT"});
  CHECK(frames_of(chunk) == std::vector<std::string>{name});
}

TEST_CASE("a frame with a semicolon is one frame (async-profiler)") {
  const auto path = recording("grafana_jfr-parser__async-profiler.jfr.gz");
  if (!path) return;
  ProfileRequest request = event("jdk.ExecutionSample");
  request.frames.libraries = true;
  const auto set = read_file(*path, request);
  const auto frames = all_frames(*set.find("jdk.ExecutionSample"));
  CHECK(std::any_of(frames.begin(), frames.end(), [](const std::string& frame) {
    return frame.find("libpthread-2.17.so;") != std::string::npos;
  }));
}

TEST_CASE("thread names with spaces and semicolons are one frame") {
  auto chunk = jdk17_chunk();
  const auto thread = chunk.thread({.java_name = "pool; 1 thread 2", .java_id = 9, .os_id = 77});
  chunk.execution_sample({.stack = chunk.stack({"Main.main"}), .thread = thread});
  CHECK(by_thread({chunk.bytes()}) == "[pool; 1 thread 2 tid=77] > Main.main 1 -\n");
}

TEST_CASE("broken UTF-8, lone and paired surrogates become valid UTF-8") {
  const auto shown = [](std::string_view name) {
    return frames_of(one_sample(jdk17_chunk(), {FrameSpec::of("Main", name)})).at(0);
  };
  CHECK(shown("h\xc3\xa9llo\xf0\x9f\x98\x80") == "Main.h\xc3\xa9llo\xf0\x9f\x98\x80");
  // U+1D4B3 as the JVM stores it, as two surrogates of three bytes each.
  CHECK(shown("\xed\xa0\xb5\xed\xb2\xb3") == "Main.\xf0\x9d\x92\xb3");
  CHECK(shown("lone\xed\xa0\x80.") == "Main.lone\xef\xbf\xbd.");
  CHECK(shown("bad\xff.") == "Main.bad\xef\xbf\xbd.");
}

TEST_CASE("names outside ASCII of a JDK recording are those of the source") {
  const auto set = read_file(testdata("jdk17-names.jfr"));
  const auto frames = all_frames(*set.find("cpu"));
  const auto has = [&](std::string_view text) {
    return std::any_of(frames.begin(), frames.end(), [text](const std::string& frame) {
      return frame.find(text) != std::string::npos;
    });
  };
  for (const char* text : {"Names$Prüfer", "Names$注文処理", "Names$𝒳Engine", "run𝒳", "𠮷野"}) {
    CHECK_MESSAGE(has(text), text);
  }
  CHECK(set.find("cpu")->count == 339);
}

TEST_CASE("a sample is kept whatever its stack lacks") {
  auto chunk = jdk17_chunk();
  const auto name = chunk.symbol("run");
  const auto no_class = chunk.constant("Method", {{"name", name}});
  const auto nameless_class = chunk.constant("Class", {{"name", 4711}});
  const auto no_class_name = chunk.constant("Method", {{"type", nameless_class}, {"name", name}});
  ByteWriter frames = chunk.payload().boolean_value(false).count(3);
  for (const std::uint64_t method : {std::uint64_t{4712}, no_class, no_class_name}) {
    frames.key(method).int_value(1).int_value(0).key(1);
  }
  chunk.raw_constant("StackTrace", 9, frames);
  chunk.execution_sample({.stack = 9});     // method, class or class name missing
  chunk.execution_sample({.stack = 4713});  // no entry
  chunk.execution_sample({.stack = 0});     // null
  chunk.execution_sample({.stack = chunk.stack({})});
  const ProfileSet set = read({chunk.bytes()});
  CHECK(lines_of(set, "cpu") == "? 1 -\n?.run > ?.run > ? 1 -\n[no stack] 2 -\n");
  for (const Problem& problem : set.problems) {
    CHECK(problem.code == ErrorCode::missing_constant);
    CHECK(problem.severity == Severity::note);
  }
  CHECK(set.problems.size() == 3);
}

TEST_CASE("the class leaf stands under [no stack] too, a null class reads ?") {
  auto chunk = jdk17_chunk();
  const auto bytes = chunk.class_constant("[B");
  chunk.allocation_outside_tlab({.object_class = bytes, .allocation_size = 5});
  chunk.allocation_outside_tlab({.allocation_size = 7});
  const ProfileSet set = read({chunk.bytes()});
  CHECK(lines_of(set, "alloc") == "[no stack] > ? 1 7\n[no stack] > byte[] 1 5\n");
  CHECK(findings(set.problems).empty());
}

TEST_CASE("line mode is opt-in and never prints a line below 1, and the default merges lines") {
  auto chunk = jdk17_chunk();
  for (const int line : {10, 20, 0, -1}) {
    chunk.execution_sample({.stack = chunk.stack({FrameSpec("Main.main").line(line)})});
  }
  CHECK(lines_of(read({chunk.bytes()}), "cpu") == "Main.main 4 -\n");
  ProfileRequest request;
  request.frames.lines = true;
  CHECK(lines_of(read({chunk.bytes()}, request), "cpu") ==
        "Main.main 2 -\nMain.main:10 1 -\nMain.main:20 1 -\n");
}

TEST_CASE("lambdas and proxies of JDK 17 and 25 merge with normalization, and only with it") {
  const std::vector<Bytes> recordings{bytes_of(testdata("jdk17-lambdas.jfr")),
                                      bytes_of(testdata("jdk25-lambdas.jfr"))};
  ProfileRequest request = event("example.Call");
  const ProfileSet plain = read(recordings, request);
  request.frames.normalize = true;
  const ProfileSet normalized = read(recordings, request);
  const auto frames_with = [](const ProfileSet& set, std::string_view text) {
    std::vector<std::string> found;
    for (const std::string& frame : all_frames(*set.find("example.Call"))) {
      if (frame.find(text) != std::string::npos) found.push_back(frame);
    }
    return found;
  };
  // Three bodies of each JDK are called `run`, `invoke` and `accept`.
  CHECK(frames_with(normalized, "Lambdas$$Lambda") ==
        std::vector<std::string>{"Lambdas$$Lambda.accept", "Lambdas$$Lambda.invoke",
                                 "Lambdas$$Lambda.run"});
  CHECK(frames_with(normalized, "0x").empty());
  CHECK(frames_with(plain, "Lambdas$$Lambda").size() == 12);
  CHECK(plain.find("example.Call")->count == 220);
  CHECK(normalized.find("example.Call")->count == 220);
  CHECK(normalized.find("example.Call")->value == plain.find("example.Call")->value);
}

TEST_CASE("hidden frames can be hidden: their callees hang below the next visible frame") {
  const auto chunk =
      one_sample(jdk17_chunk(), {"Main.main", FrameSpec("Main.bridge").hidden(), "Main.run"});
  FrameOptions options;
  CHECK(frames_of(chunk, options).size() == 3);
  options.hide_hidden = true;
  CHECK(frames_of(chunk, options) == std::vector<std::string>{"Main.main", "Main.run"});
  const auto only = one_sample(jdk17_chunk(), {FrameSpec("Main.bridge").hidden()});
  CHECK(frames_of(only, options) == std::vector<std::string>{"[no stack]"});
}

TEST_CASE("hidden frames of a JDK recording can be hidden (jdk21)") {
  const auto path = recording("openjdk_jmc__jdk21.jfr");
  if (!path) return;
  ProfileRequest request = kinds({"cpu"});
  const ProfileSet shown = read_file(*path, request);
  request.frames.hide_hidden = true;
  const ProfileSet hidden = read_file(*path, request);
  CHECK(shown.find("cpu")->count == 11);
  CHECK(hidden.find("cpu")->count == 11);
  // By the JDK's reader Thread.runWith is hidden, and in seven of the samples.
  const auto with_run_with = [](const ProfileSet& set) {
    std::uint64_t samples = 0;
    for (const Stack& stack : stacks_of(*set.find("cpu"))) {
      const auto found =
          std::find(stack.frames.begin(), stack.frames.end(), "java.lang.Thread.runWith");
      if (found != stack.frames.end()) samples += stack.count;
    }
    return samples;
  };
  CHECK(with_run_with(shown) == 7);
  CHECK(with_run_with(hidden) == 0);
}

TEST_CASE("stacks that were cut have [truncated] at their root, which can be turned off") {
  const auto chunk = one_sample(jdk17_chunk(), {"Main.run"}, {.truncated = true});
  FrameOptions options;
  CHECK(frames_of(chunk, options) == std::vector<std::string>{"[truncated]", "Main.run"});
  options.truncated_frame = false;
  CHECK(frames_of(chunk, options) == std::vector<std::string>{"Main.run"});
}

TEST_CASE("cut stacks of the JDK are told apart: 83 of 118 (jdk17-truncated-stacks)") {
  const ProfileSet set = read_file(testdata("jdk17-truncated-stacks.jfr"), kinds({"cpu"}));
  std::uint64_t truncated = 0;
  for (const Stack& stack : stacks_of(*set.find("cpu"))) {
    if (stack.frames.front() == "[truncated]") truncated += stack.count;
  }
  CHECK(truncated == 83);
  CHECK(set.find("cpu")->count == 118);
}

TEST_CASE(
    "a renamed thread is two threads, an unnamed one shows its id, null and lost are unknown") {
  const auto chunk_with = [](const ThreadSpec& thread) {
    auto chunk = jdk17_chunk();
    const auto key = chunk.thread(thread);
    chunk.execution_sample({.stack = chunk.stack({"Main.main"}), .thread = key});
    return chunk.bytes();
  };
  CHECK(by_thread({joined({chunk_with({.java_name = "before", .java_id = 1, .os_id = 50}),
                           chunk_with({.java_name = "after", .java_id = 1, .os_id = 50})})}) ==
        "[after tid=50] > Main.main 1 -\n[before tid=50] > Main.main 1 -\n");
  CHECK(by_thread({chunk_with({.java_id = 1, .os_id = 50})}) == "[tid=50] > Main.main 1 -\n");
  auto unknown = jdk17_chunk();
  const auto stack = unknown.stack({"Main.main"});
  unknown.execution_sample({.stack = stack}).execution_sample({.stack = stack, .thread = 4711});
  CHECK(by_thread({unknown.bytes()}) == "[unknown thread] > Main.main 2 -\n");
}

TEST_CASE("threads of one name stay apart by their id, and virtual threads without a name") {
  auto chunk = jdk25_chunk();
  const auto stack = chunk.stack({"Main.main"});
  for (const ThreadSpec& thread : {ThreadSpec{.java_name = "worker", .java_id = 1, .os_id = 50},
                                   ThreadSpec{.java_name = "worker", .java_id = 2, .os_id = 51},
                                   ThreadSpec{.java_name = "", .java_id = 3, .is_virtual = true}}) {
    chunk.execution_sample({.stack = stack, .thread = chunk.thread(thread)});
  }
  CHECK(by_thread({chunk.bytes()}) ==
        "[virtual-thread tid=3] > Main.main 1 -\n[worker tid=50] > Main.main 1 -\n"
        "[worker tid=51] > Main.main 1 -\n");
}

TEST_CASE("the thread of a chunk is named as in that chunk (jdk17-chunks)") {
  ProfileRequest request = kinds({"cpu"});
  request.frames.by_thread = true;
  const auto set = read_file(testdata("jdk17-chunks.jfr"), request);
  CHECK(set.find("cpu")->has_thread_frame);
  std::vector<std::string> names;
  for (const std::string& frame : all_frames(*set.find("cpu"))) {
    if (frame.starts_with("[main tid=")) names.emplace_back("main");
    if (frame.starts_with("[worker in phase ")) names.push_back(frame.substr(1, 17));
  }
  CHECK(names == std::vector<std::string>{"main", "worker in phase 1", "worker in phase 2",
                                          "worker in phase 3"});
}

TEST_CASE("stacks of depth 485 are whole (goland-multichunk)") {
  const auto path = recording("grafana_jfr-parser__goland-multichunk.jfr.gz");
  if (!path) return;
  const auto set = read_file(*path, event("jdk.ThreadPark"));
  CHECK(depth_of(*set.find("jdk.ThreadPark")) == 485);
  CHECK(set.find("jdk.ThreadPark")->count == 4'216);
}

TEST_CASE("stacks of depth 2,048 and 100,000 are whole, and so are their trees") {
  std::vector<FrameSpec> frames(2'048, FrameSpec("Main.recurse"));
  CHECK(frames_of(one_sample(jdk17_chunk(), frames)).size() == 2'048);
  const ProfileSet set = read({scenario("deep_stack")});
  CHECK(depth_of(*set.find("cpu")) == 100'000);
  const CallTree tree = build_call_tree(*set.find("cpu"));
  tree.check();
  CHECK(tree.size() == 100'001);
  CHECK(tree.level.back() == 100'000);
}
