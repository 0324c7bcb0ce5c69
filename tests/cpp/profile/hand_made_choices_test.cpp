/// Small recordings whose samples are chosen, cut or named in ways that readers got wrong: edges of
/// time ranges, events from before their chunk, empty names, frames that look like marks.

#include <doctest/doctest.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "profile/reading.hpp"
#include "support/standard_chunk.hpp"

using namespace jfrtree;
using namespace jfrtree::test;

namespace {

constexpr std::int64_t start_ns = 1'700'000'000'000'000'000;

std::string cpu_lines(const StandardChunk& chunk,
                      const std::function<void(ProfileRequest&)>& set = nullptr) {
  ProfileRequest request = kinds({"cpu"});
  if (set) set(request);
  return lines_of(read({chunk.bytes()}, request), "cpu");
}

std::string from_to(const StandardChunk& chunk, std::int64_t from_ns, std::int64_t to_ns) {
  return cpu_lines(chunk, [&](ProfileRequest& request) {
    request.filters.from = {{TimePoint::Base::epoch, from_ns}};
    request.filters.to = {{TimePoint::Base::epoch, to_ns}};
  });
}

/// A chunk whose clock began at tick 1,000 and makes so many ticks a second, with one sample.
StandardChunk one_sample(std::int64_t ticks_per_second, std::int64_t ticks) {
  StandardChunk chunk =
      jdk17_chunk().start_nanos(start_ns).start_ticks(1'000).ticks_per_second(ticks_per_second);
  chunk.execution_sample({.stack = chunk.stack({"Main.main"}), .start_ticks = ticks});
  return chunk;
}

}  // namespace

TEST_CASE("by hand: an event from before its chunk's start has a time before that") {
  const StandardChunk chunk = one_sample(1'000'000'000, 995);
  CHECK(from_to(chunk, start_ns - 5, start_ns) == "Main.main 1 -\n");
  CHECK(from_to(chunk, start_ns - 4, start_ns + 100).empty());
  CHECK(from_to(chunk, start_ns - 100, start_ns - 5).empty());
}

TEST_CASE("by hand: parts of a nanosecond go toward the start of the chunk, on both sides of it") {
  // 3 ticks are 1 ns: 1 ns and 2 ticks behind is 1 ns behind, 2 ticks before is no time before.
  CHECK(from_to(one_sample(3'000'000'000, 1'005), start_ns + 1, start_ns + 2) == "Main.main 1 -\n");
  CHECK(from_to(one_sample(3'000'000'000, 998), start_ns, start_ns + 1) == "Main.main 1 -\n");
}

TEST_CASE("by hand: ticks of a machine that ran for years do not overflow") {
  // 2^61 ticks of 1 GHz are 73 years.
  constexpr std::int64_t uptime = std::int64_t{1} << 61;
  auto chunk =
      jdk17_chunk().start_nanos(start_ns).start_ticks(uptime).ticks_per_second(1'000'000'000);
  chunk.execution_sample({.stack = chunk.stack({"Main.main"}), .start_ticks = uptime + 7});
  CHECK(from_to(chunk, start_ns + 7, start_ns + 8) == "Main.main 1 -\n");
}

TEST_CASE("by hand: an hour of a clock of 3,417,600,000 ticks is an hour to the nanosecond") {
  constexpr std::int64_t hour = 3'600;
  const StandardChunk chunk = one_sample(3'417'600'000, 1'000 + hour * 3'417'600'000);
  const std::int64_t at = start_ns + hour * 1'000'000'000;
  CHECK(from_to(chunk, at, at + 1) == "Main.main 1 -\n");
}

TEST_CASE("by hand: three ranges that meet hold every sample once") {
  auto chunk = jdk17_chunk().start_nanos(start_ns).start_ticks(0).ticks_per_second(1'000'000'000);
  const auto stack = chunk.stack({"Main.main"});
  for (std::int64_t ticks = 0; ticks < 30; ++ticks) {
    chunk.execution_sample({.stack = stack, .start_ticks = ticks});
  }
  CHECK(from_to(chunk, start_ns, start_ns + 10) == "Main.main 10 -\n");
  CHECK(from_to(chunk, start_ns + 10, start_ns + 11) == "Main.main 1 -\n");
  CHECK(from_to(chunk, start_ns + 11, start_ns + 30) == "Main.main 19 -\n");
}

TEST_CASE("by hand: a range begins with the start of an event, not with its end") {
  auto chunk = jdk17_chunk().start_nanos(start_ns).start_ticks(0).ticks_per_second(1'000'000'000);
  chunk.monitor_enter(
      {.stack = chunk.stack({"Main.main"}), .duration_ticks = 100, .start_ticks = 5});
  ProfileRequest request = kinds({"lock"});
  request.frames.class_leaf = false;
  request.filters.from = {{TimePoint::Base::epoch, start_ns + 6}};
  CHECK(lines_of(read({chunk.bytes()}, request), "lock").empty());
  // What begins in a range counts in full, though it ends behind it.
  request.filters.from = {{TimePoint::Base::epoch, start_ns + 5}};
  request.filters.to = {{TimePoint::Base::epoch, start_ns + 6}};
  CHECK(lines_of(read({chunk.bytes()}, request), "lock") == "Main.main 1 100\n");
}

TEST_CASE("by hand: an empty Java name of a thread is none: the system's name is taken") {
  auto chunk = jdk17_chunk();
  chunk.execution_sample({.stack = chunk.stack({"Main.main"}),
                          .thread = chunk.thread({.java_name = "", .os_name = "VM", .os_id = 7})});
  CHECK(cpu_lines(chunk, [](ProfileRequest& request) { request.frames.by_thread = true; }) ==
        "[VM tid=7] > Main.main 1 -\n");
}

TEST_CASE("by hand: threads of one name and one id in two chunks are one thread") {
  const auto recording = [](std::uint64_t key) {
    auto chunk = jdk17_chunk();
    chunk.execution_sample({.stack = chunk.stack({"Main.main"}),
                            .thread = chunk.thread({.java_name = "pool", .os_id = 9, .key = key})});
    return chunk.bytes();
  };
  ProfileRequest request = kinds({"cpu"});
  request.frames.by_thread = true;
  CHECK(lines_of(read({joined({recording(3), recording(4)})}, request), "cpu") ==
        "[pool tid=9] > Main.main 2 -\n");
}

TEST_CASE(
    "by hand: a method called [no stack] is a method, with samples without a stack beside it") {
  auto chunk = jdk17_chunk();
  chunk.execution_sample({.stack = chunk.stack({FrameSpec::of("", "[no stack]")})});
  chunk.execution_sample({});
  const std::string lines = cpu_lines(chunk);
  CHECK(lines.find("[no stack] ") != std::string::npos);
  ProfileRequest request = kinds({"cpu"});
  CHECK(read({chunk.bytes()}, request).find("cpu")->count == 2);
}

TEST_CASE("by hand: a stack without frames is no stack, also when it is said to be cut") {
  auto chunk = jdk17_chunk();
  chunk.execution_sample({.stack = chunk.stack({})});
  chunk.execution_sample({.stack = chunk.stack({}, {.truncated = true})});
  const ProfileSet set = read({chunk.bytes()}, kinds({"cpu"}));
  CHECK(set.find("cpu")->count == 2);
  CHECK(lines_of(set, "cpu").find("[no stack]") != std::string::npos);
}

TEST_CASE("by hand: one method on different lines is one frame, and two with lines") {
  auto chunk = jdk17_chunk();
  chunk.execution_sample({.stack = chunk.stack({FrameSpec("Main.main").line(3)})});
  chunk.execution_sample({.stack = chunk.stack({FrameSpec("Main.main").line(4)})});
  chunk.execution_sample({.stack = chunk.stack({FrameSpec("Main.main").line(-1)})});
  CHECK(cpu_lines(chunk) == "Main.main 3 -\n");
  CHECK(cpu_lines(chunk, [](ProfileRequest& request) { request.frames.lines = true; }) ==
        "Main.main 1 -\nMain.main:3 1 -\nMain.main:4 1 -\n");
}

TEST_CASE(
    "by hand: a pattern is searched in the frame without its line, which stays in the frame") {
  auto chunk = jdk17_chunk();
  chunk.execution_sample({.stack = chunk.stack({FrameSpec("Main.step1").line(1)})});
  chunk.execution_sample({.stack = chunk.stack({FrameSpec("Main.step2").line(1)})});
  CHECK(cpu_lines(chunk, [](ProfileRequest& request) {
          request.frames.lines = true;
          request.filters.include = {"1$"};
        }) == "Main.step1:1 1 -\n");
}

TEST_CASE("by hand: samples that cuts make equal are added up") {
  auto chunk = jdk17_chunk();
  chunk.execution_sample({.stack = chunk.stack({"Main.a", "Main.x", "Main.leaf"})});
  chunk.execution_sample({.stack = chunk.stack({"Main.b", "Main.x", "Main.other"})});
  CHECK(cpu_lines(chunk, [](ProfileRequest& request) {
          request.filters.skip = 1;
          request.filters.depth = 1;
        }) == "Main.x 2 -\n");
}

TEST_CASE("by hand: recursion counts once in a method's total and every time in the stack") {
  auto chunk = jdk17_chunk();
  chunk.execution_sample({.stack = chunk.stack({"Main.f", "Main.f", "Main.g", "Main.f"})});
  const ProfileSet set = read({chunk.bytes()}, kinds({"cpu"}));
  CHECK(lines_of(set, "cpu") == "Main.f > Main.f > Main.g > Main.f 1 -\n");
}
