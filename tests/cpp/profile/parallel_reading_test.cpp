#include <doctest/doctest.h>

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include <jfrtree/export.hpp>

#include "profile/reading.hpp"
#include "support/scenarios.hpp"
#include "support/standard_chunk.hpp"
#include "support/test_paths.hpp"

using namespace jfrtree;
using namespace jfrtree::test;

namespace {

/// A chunk whose events are scanned in several ranges: allocations of several classes and threads,
/// some of which are not there, other events, wrong ones, and settings of which the last counts.
Bytes many_events(std::size_t events, std::uint64_t seed) {
  auto chunk = jdk17_chunk();
  std::vector<std::uint64_t> stacks;
  for (std::size_t i = 0; i < 50; ++i) {
    stacks.push_back(chunk.stack(
        {"Main.main", "Main.run" + std::to_string(i % 9), "Main.leaf" + std::to_string(i + seed)}));
  }
  std::vector<std::uint64_t> classes;
  for (const char* name : {"[B", "java/lang/String", "a/B"}) {
    classes.push_back(chunk.class_constant(name));
  }
  std::vector<std::uint64_t> threads;
  for (int i = 1; i <= 4; ++i) {
    threads.push_back(chunk.thread({.java_name = "t" + std::to_string(i), .os_id = i}));
  }
  for (std::size_t i = 0; i < events; ++i) {
    const std::uint64_t stack = i % 5003 == 7 ? 99'999 : stacks[i * 7 % stacks.size()];
    const std::uint64_t thread = i % 701 == 0 ? 70'000 + i % 3 : threads[i / 3 % threads.size()];
    if (i % 11 == 0) {
      chunk.thread_park(
          {.stack = stack, .thread = thread, .duration_ticks = i % 1000 == 0 ? -5 : 9});
    } else if (i % 13 == 0) {
      chunk.execution_sample({.stack = stack, .thread = thread, .state = "STATE_RUNNABLE"});
    } else {
      chunk.allocation_in_new_tlab({.stack = stack,
                                    .thread = thread,
                                    .object_class = i % 997 == 0 ? 80'000 + i % 5 : classes[i % 3],
                                    .tlab_size = static_cast<std::int64_t>(i % 4096)});
    }
    if (i % 10'000 == 77) {
      chunk.active_setting({.event = "jdk.ExecutionSample",
                            .name = "period",
                            .value = std::to_string(i % 90'000) + " ns"});
    }
  }
  return chunk.bytes();
}

/// A chunk with more stacks than a thread takes at a time.
Bytes many_stacks(std::size_t stacks) {
  auto chunk = jdk17_chunk();
  for (std::size_t i = 0; i < stacks; ++i) {
    std::vector<FrameSpec> frames;
    for (std::size_t depth = 0; depth < 3 + i % 9; ++depth) {
      frames.emplace_back("p" + std::to_string(depth) + ".C.m" + std::to_string(i >> depth));
    }
    chunk.execution_sample({.stack = chunk.stack(frames), .state = "STATE_RUNNABLE"});
  }
  return chunk.bytes();
}

/// Everything that a read gives, as text.
std::string all_of(const std::vector<Bytes>& recordings, unsigned threads,
                   const ProfileRequest& request = {}) {
  ReadOptions options;
  options.threads = threads;
  const ProfileSet set = read(recordings, request, options);
  std::string text = documents_of(set) + findings(set.problems) + left_out_of(set.left_out);
  for (const Profile& profile : set.profiles) text += '\n' + totals_of(set, profile.kind);
  const ReadStatistics& statistics = set.statistics;
  for (const std::uint64_t number :
       {statistics.bytes, statistics.chunks, statistics.events, statistics.samples,
        statistics.stacks_decoded, statistics.stack_insertions, statistics.unique_stacks,
        statistics.stack_bytes, statistics.names}) {
    text += ' ' + std::to_string(number);
  }
  return text;
}

void check_any_threads(const std::vector<Bytes>& recordings, const ProfileRequest& request = {}) {
  const std::string alone = all_of(recordings, 1, request);
  CHECK(alone.size() > 1000);
  for (const unsigned threads : {2U, 3U, 8U}) {
    const bool is_same = all_of(recordings, threads, request) == alone;
    CHECK(is_same);
  }
}

ProfileRequest by_thread() {
  ProfileRequest request;
  request.frames.by_thread = true;
  return request;
}

constexpr std::size_t event_count = 400'000;

}  // namespace

TEST_CASE("one large chunk reads the same with any number of threads") {
  const std::vector<Bytes> recording{many_events(event_count, 0)};
  REQUIRE(recording[0].size() > std::size_t{3} << 20);
  check_any_threads(recording);
  check_any_threads(recording, by_thread());
  check_any_threads(recording, event("jdk.ThreadPark"));
}

TEST_CASE("one chunk with many stacks reads the same with any number of threads") {
  const std::vector<Bytes> recording{many_stacks(6'000)};
  check_any_threads(recording);
  check_any_threads(recording, by_thread());
  check_any_threads({bytes_of(testdata("jdk17-many-stacks.jfr"))});
}

TEST_CASE("many chunks of several recordings read the same with any number of threads") {
  std::vector<Bytes> chunks;
  for (std::uint64_t i = 0; i < 12; ++i) chunks.push_back(many_events(2'000, i % 5));
  Bytes damaged = joined(chunks);
  damaged[damaged.size() / 2] = std::byte{0xFF};
  check_any_threads({joined(chunks), damaged, three_samples().bytes()});
}

TEST_CASE("a limit that is reached by one of several threads ends the reading") {
  const Bytes recording = many_stacks(6'000);
  for (const unsigned threads : {1U, 2U, 8U}) {
    ReadOptions options;
    options.threads = threads;
    options.limits.profile_frames = 1'000;
    CHECK_THROWS_AS((void)read({recording}, {}, options), LimitError);
    options.limits.profile_frames = Limits{}.profile_frames;
    options.limits.frame_bytes = 1'000;
    CHECK_THROWS_AS((void)read({recording}, {}, options), LimitError);
  }
}

TEST_CASE("reading with several threads stops when it is told to") {
  const Bytes recording = many_events(event_count, 0);
  for (const unsigned threads : {1U, 2U, 8U}) {
    std::atomic<bool> stop = false;
    ReadOptions options;
    options.threads = threads;
    options.stop = &stop;
    // When all events were read, but the stacks are not sorted yet.
    options.progress = [&](std::uint64_t, std::uint64_t) { stop = true; };
    CHECK_THROWS_AS((void)read({recording}, {}, options), Interrupted);
  }
}
