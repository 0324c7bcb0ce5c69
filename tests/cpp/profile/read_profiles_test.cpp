#include <jfrtree/profile.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "profile/reading.hpp"
#include "support/scenarios.hpp"
#include "support/test_paths.hpp"

using namespace jfrtree;
using namespace jfrtree::test;

namespace {

StandardChunk parks(std::int64_t start_ns = 1'000) {
  auto chunk = jdk17_chunk().start_nanos(start_ns).duration_nanos(100);
  const auto stack = chunk.stack({"Main.main"});
  chunk.thread_park({.stack = stack, .duration_ticks = 5});
  chunk.execution_sample({.stack = stack});
  return chunk;
}

std::string usage_error_of(const ProfileRequest& request) {
  try {
    (void)read({parks().bytes()}, request);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "none";
}

}  // namespace

TEST_CASE("read_profiles gives all kinds that have samples, or those asked for") {
  const Bytes recording = parks().bytes();
  CHECK(kinds_of(read({recording})) == "cpu, park");
  CHECK(kinds_of(read({recording}, kinds({"park"}))) == "park");
  CHECK(kinds_of(read({recording}, kinds({"park", "cpu"}))) == "cpu, park");
}

TEST_CASE(
    "read_profiles gives nothing for a recording without samples, unless some are asked for") {
  const Bytes recording = scenario("no_samples");
  CHECK(read({recording}).profiles.empty());
  CHECK_THROWS_AS((void)read({recording}, kinds({"cpu"})), ProfileNotFound);
}

TEST_CASE("read_profiles refuses requests that contradict themselves or name unknown kinds") {
  ProfileRequest both = kinds({"cpu"});
  both.event = "jdk.ThreadPark";
  CHECK(usage_error_of(both) != "none");
  ProfileRequest field_only;
  field_only.value_field = "duration";
  CHECK(usage_error_of(field_only) != "none");
  const std::string unknown = usage_error_of(kinds({"heap"}));
  CHECK(unknown.find("heap") != std::string::npos);
  CHECK(unknown.find("cpu, cpu-time, wall, alloc, lock, native, live, park") != std::string::npos);
}

TEST_CASE("read_profiles takes one event type by name, with its duration or a field as the value") {
  const Bytes recording = parks().bytes();
  const ProfileSet set = read({recording}, event("jdk.ThreadPark"));
  CHECK(kinds_of(set) == "jdk.ThreadPark");
  CHECK(lines_of(set, "jdk.ThreadPark") == "Main.main 1 5\n");
  CHECK(set.profiles[0].sample_types[1].full_name() == "duration/nanoseconds");
  CHECK(totals_of(read({recording}, event("jdk.ExecutionSample")), "jdk.ExecutionSample") ==
        "jdk.ExecutionSample: 1, - (1) samples/count");
  CHECK(usage_error_of(event("jdk.ThreadPark", "missing")) != "none");
}

TEST_CASE("read_profiles finds events of format 1.0 by either name") {
  auto chunk = jdk9_chunk();
  chunk.thread_park({.stack = chunk.stack({"Main.main"}), .duration_ticks = 5});
  for (const char* name : {"jdk.ThreadPark", "com.oracle.jdk.ThreadPark"}) {
    CHECK(lines_of(read({chunk.bytes()}, event(name)), name) == "Main.main 1 5\n");
  }
  CHECK(totals_of(read({chunk.bytes()}), "park") == "park: 1, 5 (1) delay/nanoseconds");
}

TEST_CASE("read_profiles reads any event type, with fields of any unit (jdk17-events)") {
  const auto path = testdata("jdk17-events.jfr");
  // The JDK's sums: ten events with sizes 100 to 109, ten with 1,000 to 1,009.
  const ProfileSet set = read_file(path, event("example.Checkout", "size"));
  const Profile& profile = *set.find("example.Checkout");
  CHECK(profile.count == 20);
  CHECK(profile.value == 11'090);
  REQUIRE(profile.stacks.size() == 2);
  CHECK(profile.stacks[0].value + profile.stacks[1].value == 11'090);
  CHECK((profile.stacks[0].value == 1'045 || profile.stacks[1].value == 1'045));
  CHECK_THROWS_AS((void)read_file(path, event("example.Nothing")), ProfileNotFound);
  CHECK(read_file(path, event("example.NoStack")).find("example.NoStack")->count == 100);
}

TEST_CASE("class leaves are on for kinds and off for an event type, unless asked otherwise") {
  auto chunk = jdk17_chunk();
  chunk.thread_park({.stack = chunk.stack({"Main.main"}),
                     .monitor_class = chunk.class_constant("a/Lock"),
                     .duration_ticks = 5});
  const auto lines = [&](ProfileRequest request, std::optional<bool> class_leaf) {
    request.frames.class_leaf = class_leaf;
    return lines_of(read({chunk.bytes()}, request).profiles.at(0));
  };
  CHECK(lines({}, std::nullopt) == "Main.main > a.Lock 1 5\n");
  CHECK(lines({}, false) == "Main.main 1 5\n");
  CHECK(lines(event("jdk.ThreadPark"), std::nullopt) == "Main.main 1 5\n");
  CHECK(lines(event("jdk.ThreadPark"), true) == "Main.main > a.Lock 1 5\n");
}

TEST_CASE("read_profiles goes on after a source that cannot be read, and throws when none can") {
  const Bytes good = parks().bytes();
  const Bytes cut(good.begin(), good.begin() + 30);
  const ProfileSet set = read({Bytes(200), good, cut});
  CHECK(set.find("park")->count == 1);
  REQUIRE(set.problems.size() == 2);
  CHECK(set.problems[0].code == ErrorCode::not_a_recording);
  CHECK(set.problems[0].file == "1.jfr");
  CHECK(set.problems[1].code == ErrorCode::too_short);
  CHECK(set.problems[1].file == "3.jfr");
  CHECK_THROWS_AS((void)read({Bytes(200), Bytes(100)}), FormatError);
}

TEST_CASE("strict reading throws the first problem, not notes") {
  ReadOptions strict;
  strict.strict = true;
  auto noted = jdk25_chunk();
  noted.event("jdk.CPUTimeSamplesLost", {{"lostSamples", 1}});
  CHECK_NOTHROW((void)read({noted.bytes()}, {}, strict));
  auto damaged = jdk17_chunk();
  damaged.thread_park({.duration_ticks = -1});
  CHECK_NOTHROW((void)read({damaged.bytes()}));
  CHECK_THROWS_AS((void)read({damaged.bytes()}, {}, strict), FormatError);
}

TEST_CASE("read_profiles gives the time span of all inputs and what it counted") {
  const Bytes first = parks(5'000).bytes();
  const Bytes second = parks(1'000).bytes();
  const ProfileSet set = read({first, second});
  CHECK(set.start_ns == 1'000);
  CHECK(set.end_ns == 5'100);
  CHECK(set.statistics.chunks == 2);
  CHECK(set.statistics.bytes == first.size() + second.size());
  CHECK(set.statistics.events == 4);
  CHECK(set.statistics.samples == 4);
  CHECK(set.event_types_with_stacks ==
        std::vector<std::string>{"jdk.ExecutionSample", "jdk.ThreadPark"});
}

TEST_CASE("read_profiles stops when it is told to") {
  const std::atomic<bool> stop{true};
  ReadOptions options;
  options.stop = &stop;
  CHECK_THROWS_AS((void)read({parks().bytes()}, {}, options), Interrupted);
}

TEST_CASE("collapsed stacks are a kind of their own beside those of recordings") {
  const ProfileSet set = read({to_bytes("a;b 3\na 2\n"), parks().bytes(), to_bytes("a;b 1\n")});
  CHECK(kinds_of(set) == "cpu, park, collapsed");
  CHECK(lines_of(set, "collapsed") == "a 2 -\na > b 4 -\n");
  CHECK(kinds_of(read({to_bytes("a 1\n"), parks().bytes()}, kinds({"collapsed"}))) == "collapsed");
}

TEST_CASE("collapsed stacks that were not asked for are noted") {
  const std::vector<Bytes> inputs{to_bytes("a;b 3\na 2\n"), parks().bytes()};
  for (const ProfileRequest& request : {kinds({"park"}), event("jdk.ThreadPark")}) {
    const ProfileSet set = read(inputs, request);
    REQUIRE(set.problems.size() == 1);
    CHECK(set.problems[0].code == ErrorCode::left_out);
    CHECK(set.problems[0].severity == Severity::note);
    CHECK(set.problems[0].count == 2);
  }
  CHECK(read(inputs).problems.empty());
  CHECK(read(inputs, kinds({"park", "collapsed"})).problems.empty());
}

TEST_CASE("statistics count the stacks and names of all profiles of the result") {
  const std::vector<Bytes> inputs{to_bytes("a;b 3\na 2\na;b 1\n")};
  const ReadStatistics statistics = read(inputs).statistics;
  CHECK(statistics.unique_stacks == 2);
  CHECK(statistics.stack_bytes == 2 * sizeof(StackSum) + 3 * sizeof(FrameId));
  CHECK(statistics.names == 2);
  const ProfileSet parks_alone = read({parks().bytes()});
  const ProfileSet both = read({inputs[0], parks().bytes()}, kinds({"park", "collapsed"}));
  CHECK(parks_alone.statistics.unique_stacks == 2);  // one of each kind
  CHECK(both.statistics.unique_stacks == 1 + 2);
  CHECK(both.statistics.names == parks_alone.statistics.names + 2);
}

TEST_CASE("collapsed stacks count in the statistics, have no time and no thread frame") {
  ProfileRequest request;
  request.frames.by_thread = true;
  const ProfileSet set = read({to_bytes("a;b 3\na 2\n")}, request);
  CHECK(set.statistics.bytes == 10);
  CHECK(set.statistics.collapsed_lines == 2);
  CHECK(set.statistics.stacks_decoded == 2);
  CHECK(set.statistics.samples == 5);
  CHECK_FALSE(set.start_ns);
  CHECK_FALSE(set.end_ns);
  CHECK_FALSE(set.profiles[0].has_thread_frame);
}

TEST_CASE("sample types are found by count, value, name or full name") {
  const ProfileSet set = read({parks().bytes()});
  const Profile& park = *set.find("park");
  for (const char* name : {"count", "parks", "parks/count"}) {
    CHECK(park.find_sample_type(name) == 0);
  }
  for (const char* name : {"value", "delay", "delay/nanoseconds"}) {
    CHECK(park.find_sample_type(name) == 1);
  }
  CHECK_THROWS_WITH_AS((void)park.find_sample_type("bytes"),
                       doctest::Contains("parks/count, delay/nanoseconds"), UsageError);
  CHECK(park.number(park.stacks[0], 0) == 1);
  CHECK(park.number(park.stacks[0], 1) == 5);
  CHECK(set.find("alloc") == nullptr);
}

TEST_CASE("frames of a profile are ranks: comparing ids compares texts") {
  const ProfileSet set = read_file(testdata("jdk17-mixed.jfr"));
  const FrameTable& table = *set.profiles[0].frame_table;
  REQUIRE(table.size() > 100);
  for (std::uint32_t i = 1; i < table.size(); ++i) {
    CHECK(table.text(FrameId{i - 1}) < table.text(FrameId{i}));
  }
  CHECK(table.text(root_frame) == "total");
  CHECK(table.text(other_frame) == "(other)");
}

TEST_CASE("every scenario's profiles add up: stacks sum to the count and the value") {
  for (const Scenario& scenario : scenarios()) {
    CAPTURE(std::string(scenario.name));
    for (const Profile& profile : read({scenario.build()}).profiles) {
      std::uint64_t count = 0;
      std::uint64_t value = 0;
      for (const StackSum& stack : profile.stacks) {
        count += stack.count;
        value += stack.value;
        CHECK(stack.frame_count >= 1);
      }
      CHECK(count == profile.count);
      if (profile.value) CHECK(value == *profile.value);
    }
  }
}
