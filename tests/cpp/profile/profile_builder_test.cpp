#include "profile/profile_builder.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "profile/reading.hpp"

using namespace jfrtree;
using namespace jfrtree::internal;
using namespace jfrtree::test;

namespace {

constexpr std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();

/// Where and when a chunk is.
struct Place {
  std::size_t file = 0;
  std::uint64_t number = 1;
  std::int64_t start_ns = 0;
  std::optional<ProcessId> process = std::nullopt;
};

/// A chunk with its stacks as texts.
struct MadeChunk {
  struct Stack {
    std::vector<std::string> frames;
    std::uint32_t lane;
    SampleSums sums;
  };
  ChunkProfile profile;
  std::vector<Stack> stacks;
};

MadeChunk chunk_at(const Place& place, Settings settings = {}) {
  MadeChunk chunk;
  ChunkFacts& facts = chunk.profile.facts;
  facts.file = place.file;
  facts.file_name = std::to_string(place.file) + ".jfr";
  facts.info.number = place.number;
  facts.info.header.start_ns = place.start_ns;
  facts.process = place.process;
  facts.settings = std::move(settings);
  return chunk;
}

void add_lane(MadeChunk& chunk, std::string kind, std::string event,
              SampleOrigin origin = SampleOrigin::direct) {
  chunk.profile.lanes.push_back(
      {.kind = std::move(kind), .event = std::move(event), .origin = origin});
}

/// Adds a stack to the lane added last.
void add_stack(MadeChunk& chunk, const std::vector<std::string>& frames, SampleSums sums) {
  std::vector<Lane>& lanes = chunk.profile.lanes;
  chunk.stacks.push_back({frames, static_cast<std::uint32_t>(lanes.size() - 1), sums});
  lanes.back().events += sums.count;
}

/// `samples` samples of a stack whose value is the sampling period.
MadeChunk waiting(const Place& place, SampleOrigin origin, std::uint64_t samples,
                  Settings settings = {}) {
  MadeChunk chunk = chunk_at(place, std::move(settings));
  add_lane(chunk, origin == SampleOrigin::profiler_wall ? "wall" : "cpu", "jdk.ExecutionSample",
           origin);
  add_stack(chunk, {"main"}, {.count = samples, .extra = samples});
  return chunk;
}

void add_to(ProfileBuilder& builder, const MadeChunk& chunk) {
  const ProfileBuilder::Targets targets = builder.add(chunk.profile);
  StackRows batch;
  for (const MadeChunk::Stack& stack : chunk.stacks) {
    batch.rows.push_back({batch.frames.size(), static_cast<std::uint32_t>(stack.frames.size()),
                          stack.lane, stack.sums});
    for (const std::string& frame : stack.frames) {
      batch.frames.push_back(FrameId{builder.texts().add(frame)});
    }
  }
  builder.add(batch, targets);
}

ProfileSet finished(ProfileBuilder& builder) {
  ThreadTeam team(1);
  return builder.finish(team);
}

ProfileSet built(const std::vector<MadeChunk>& chunks, const ProfileRequest& request = {}) {
  ProfileBuilder builder(request, Limits{});
  for (const MadeChunk& chunk : chunks) add_to(builder, chunk);
  return finished(builder);
}

constexpr auto jdk = SampleOrigin::jdk_sampler;
constexpr auto cpu = SampleOrigin::profiler_cpu;
constexpr auto wall = SampleOrigin::profiler_wall;
constexpr auto undecided = SampleOrigin::profiler_undecided;

}  // namespace

TEST_CASE("ProfileBuilder sums equal stacks of several chunks and sorts stacks by their texts") {
  const auto chunk = [](const std::vector<std::vector<std::string>>& stacks) {
    MadeChunk made = chunk_at({});
    add_lane(made, "park", "jdk.ThreadPark");
    for (const auto& stack : stacks) {
      add_stack(made, stack, {.count = 1, .value = 10, .has_value = true});
    }
    return made;
  };
  const std::string expected = "a 2 20\na > b 1 10\na > b > c 2 20\nb 1 10\n";
  CHECK(lines_of(built({chunk({{"b"}, {"a"}, {"a", "b", "c"}}),
                        chunk({{"a", "b", "c"}, {"a", "b"}, {"a"}})}),
                 "park") == expected);
  CHECK(lines_of(built({chunk({{"a", "b"}, {"a"}, {"a", "b", "c"}}),
                        chunk({{"a", "b", "c"}, {"a"}, {"b"}})}),
                 "park") == expected);
}

TEST_CASE("ProfileBuilder gives profiles in the order of the kinds, collapsed stacks last") {
  MadeChunk chunk = chunk_at({});
  for (const char* kind : {"park", "alloc", "lock"}) {
    add_lane(chunk, kind, "event");
    add_stack(chunk, {"a"}, {.count = 1});
  }
  const ProfileRequest request;
  ProfileBuilder builder(request, Limits{});
  const std::vector<std::string_view> frames{"a", "b"};
  builder.add_collapsed(frames, 7);
  builder.add_collapsed(frames, 5);
  add_to(builder, chunk);
  const ProfileSet set = finished(builder);
  CHECK(kinds_of(set) == "alloc, lock, park, collapsed");
  CHECK(lines_of(set, "collapsed") == "a > b 12 -\n");
  CHECK(totals_of(set, "collapsed") == "collapsed: 12, - (2) samples/count");
}

TEST_CASE("ProfileBuilder leaves out kinds that are not asked for, and knows that they are there") {
  MadeChunk chunk = chunk_at({});
  for (const char* kind : {"alloc", "lock"}) {
    add_lane(chunk, kind, "event");
    add_stack(chunk, {"a"}, {.count = 3});
  }
  const ProfileRequest request = kinds({"lock"});
  ProfileBuilder builder(request, Limits{});
  add_to(builder, chunk);
  const ProfileSet set = finished(builder);
  CHECK(kinds_of(set) == "lock");
  CHECK(set.statistics.samples == 3);
  CHECK(builder.has_samples("alloc"));
  CHECK_FALSE(builder.has_samples("cpu"));
}

TEST_CASE("a sampling period comes from the chunk itself, else from the latest chunk before it") {
  const Settings slow{{"period of jdk.ExecutionSample", "20 ms"}};
  const Settings fast{{"period of jdk.ExecutionSample", "1 ms"}};
  // In time: 20 ms, -, 1 ms, -. The numbers are powers of ten, so that each can be seen in the sum.
  std::vector<MadeChunk> chunks;
  chunks.push_back(waiting({0, 4, 400}, jdk, 1000));
  chunks.push_back(waiting({0, 3, 300}, jdk, 100, fast));
  chunks.push_back(waiting({0, 2, 200}, jdk, 10));
  chunks.push_back(waiting({0, 1, 100}, jdk, 1, slow));
  const ProfileSet set = built(chunks);
  CHECK(totals_of(set, "cpu") == "cpu: 1111, 1320000000 (1111) samples/count");
  CHECK(set.find("cpu")->sample_types[1].full_name() == "estimated_cpu/nanoseconds");
}

TEST_CASE(
    "a chunk before the first setting has no period: its samples count, the value is unknown") {
  std::vector<MadeChunk> chunks;
  chunks.push_back(waiting({0, 2, 200}, cpu, 10, {{"event", "cpu"}, {"interval", "1000"}}));
  chunks.push_back(waiting({0, 1, 100}, cpu, 1));
  const ProfileSet set = built(chunks);
  CHECK(totals_of(set, "cpu") == "cpu: 11, - (11) samples/count");
  // What is known stays in the rows.
  CHECK(lines_of(set, "cpu") == "main 11 10000\n");
}

TEST_CASE("settings carry over between files of one process, in any order of the files") {
  const ProcessId process(7, 1000);
  const Settings settings{{"event", "wall"}, {"interval", "5000"}};
  for (const bool is_reversed : {false, true}) {
    std::vector<MadeChunk> chunks;
    chunks.push_back(waiting({is_reversed ? 1U : 0U, 1, 100, process}, undecided, 1, settings));
    chunks.push_back(waiting({is_reversed ? 0U : 1U, 1, 200, process}, undecided, 10));
    const ProfileSet set = built(chunks);
    CHECK(kinds_of(set) == "wall");
    CHECK(totals_of(set, "wall") == "wall: 11, 55000 (11) wall/nanoseconds");
  }
}

TEST_CASE("settings do not carry over to another process: other pid, or other start of the JVM") {
  const Settings settings{{"event", "cpu"}, {"interval", "1000"}};
  for (const ProcessId& other : {ProcessId(8, 1000), ProcessId(7, 1001)}) {
    std::vector<MadeChunk> chunks;
    chunks.push_back(waiting({0, 1, 100, ProcessId(7, 1000)}, cpu, 1, settings));
    chunks.push_back(waiting({1, 1, 200, other}, cpu, 10));
    CHECK(totals_of(built(chunks), "cpu") == "cpu: 11, - (11) samples/count");
  }
}

TEST_CASE("without a process one file is one process") {
  const Settings settings{{"event", "cpu"}, {"interval", "1000"}};
  std::vector<MadeChunk> same;
  same.push_back(waiting({0, 1, 100}, cpu, 1, settings));
  same.push_back(waiting({0, 2, 200}, cpu, 10));
  CHECK(totals_of(built(same), "cpu") == "cpu: 11, 11000 (11) cpu/nanoseconds");
  std::vector<MadeChunk> other;
  other.push_back(waiting({0, 1, 100}, cpu, 1, settings));
  other.push_back(waiting({1, 1, 200}, cpu, 10));
  CHECK(totals_of(built(other), "cpu") == "cpu: 11, - (11) samples/count");
}

TEST_CASE("two recordings joined in one file, at the same time: chunks follow the process before") {
  const ProcessId first(1, 0);
  const ProcessId second(2, 0);
  std::vector<MadeChunk> chunks;
  chunks.push_back(waiting({0, 1, 100, first}, cpu, 1, {{"event", "cpu"}, {"interval", "1000"}}));
  chunks.push_back(waiting({0, 2, 300}, cpu, 10));
  chunks.push_back(waiting({0, 3, 200, second}, cpu, 100, {{"event", "cpu"}, {"interval", "7"}}));
  chunks.push_back(waiting({0, 4, 400}, cpu, 1000));
  CHECK(totals_of(built(chunks), "cpu") == "cpu: 1111, 18700 (1111) cpu/nanoseconds");
}

TEST_CASE("CPU samples that are only an estimate make the count the default") {
  std::vector<MadeChunk> chunks;
  chunks.push_back(waiting({0, 1, 100}, jdk, 2, {{"period of jdk.ExecutionSample", "1 ms"}}));
  chunks.push_back(waiting({0, 2, 100}, cpu, 3, {{"event", "cpu"}, {"interval", "10"}}));
  const ProfileSet set = built(chunks);
  CHECK(totals_of(set, "cpu") == "cpu: 5, 2000030 (5) samples/count");
  CHECK(set.find("cpu")->events == std::vector<std::string>{"jdk.ExecutionSample"});
}

TEST_CASE("a sum of counts × period beyond 64 bits saturates and is a problem") {
  std::vector<MadeChunk> chunks;
  chunks.push_back(
      waiting({}, wall, std::uint64_t{1} << 40, {{"wall", std::to_string(std::int64_t{1} << 40)}}));
  const ProfileSet set = built(chunks);
  CHECK(set.find("wall")->value == largest);
  CHECK(findings(set.problems) == "value_out_of_range");
}

TEST_CASE("sums of chunks and of stacks beyond 64 bits saturate and are a problem") {
  const auto chunk_of = [](const std::string& frame, std::uint64_t value) {
    MadeChunk chunk = chunk_at({});
    add_lane(chunk, "park", "jdk.ThreadPark");
    add_stack(chunk, {frame}, {.count = 1, .value = value, .has_value = true});
    return chunk;
  };
  for (const char* second : {"a", "b"}) {
    std::vector<MadeChunk> chunks;
    chunks.push_back(chunk_of("a", largest - 1));
    chunks.push_back(chunk_of(second, 2));
    const ProfileSet set = built(chunks);
    CHECK(set.find("park")->value == largest);
    CHECK(findings(set.problems).find("value_out_of_range") != std::string::npos);
  }
}

TEST_CASE("events left out are summed over chunks and sorted") {
  const auto chunk_of = [](std::vector<LeftOut> left_out) {
    MadeChunk chunk = chunk_at({});
    chunk.profile.left_out = std::move(left_out);
    return chunk;
  };
  const LeftOut sample{"alloc", "jdk.ObjectAllocationSample", 3, "why"};
  const LeftOut object{"alloc", "datadog.ObjectSample", 4, "why"};
  std::vector<MadeChunk> chunks;
  chunks.push_back(chunk_of({sample}));
  chunks.push_back(chunk_of({sample, object}));
  CHECK(left_out_of(built(chunks).left_out) ==
        "alloc datadog.ObjectSample x4; alloc jdk.ObjectAllocationSample x6");
}

TEST_CASE("a chunk that is there twice is summed, with a note that names both places") {
  std::vector<MadeChunk> chunks;
  chunks.push_back(waiting({0, 3, 100}, cpu, 1));
  chunks.push_back(waiting({1, 1, 100}, cpu, 1));
  chunks.push_back(waiting({1, 2, 200}, cpu, 1));
  const ProfileSet set = built(chunks);
  CHECK(set.find("cpu")->count == 3);
  REQUIRE(set.problems.size() == 1);
  CHECK(set.problems[0].code == ErrorCode::repeated_chunk);
  CHECK(set.problems[0].severity == Severity::note);
  CHECK(set.problems[0].file == "1.jfr");
  CHECK(set.problems[0].chunk == 1);
  CHECK(set.problems[0].message.find("chunk 3 of 0.jfr") != std::string::npos);
}

TEST_CASE("ProfileBuilder stops at the limit profile_frames") {
  Limits limits;
  limits.profile_frames = 4;
  const ProfileRequest request;
  ProfileBuilder builder(request, limits);
  const auto chunk_of = [](const std::vector<std::string>& frames) {
    MadeChunk chunk = chunk_at({});
    add_lane(chunk, "park", "jdk.ThreadPark");
    add_stack(chunk, frames, {.count = 1});
    return chunk;
  };
  auto chunk = chunk_of({"a", "b", "c"});
  auto same = chunk_of({"a", "b", "c"});
  auto other = chunk_of({"a", "b"});
  add_to(builder, chunk);
  add_to(builder, same);
  CHECK_THROWS_AS(add_to(builder, other), LimitError);
}

TEST_CASE("the unit of an event's value does not depend on the order of chunks that disagree") {
  const auto chunk_of = [](std::string unit) {
    MadeChunk chunk = chunk_at({});
    add_lane(chunk, "my.Event", "my.Event");
    add_stack(chunk, {"a"}, {.count = 1, .value = 1, .has_value = true});
    chunk.profile.event_unit = std::move(unit);
    return chunk;
  };
  const ProfileRequest request = event("my.Event");
  std::string units;
  for (const bool is_reversed : {false, true}) {
    std::vector<MadeChunk> chunks;
    chunks.push_back(chunk_of(is_reversed ? "count" : "nanoseconds"));
    chunks.push_back(chunk_of(is_reversed ? "nanoseconds" : "count"));
    units += built(chunks, request).find("my.Event")->sample_types[1].unit + ' ';
  }
  CHECK(units == "nanoseconds nanoseconds ");
}
