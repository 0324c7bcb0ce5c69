#include "support/standard_chunk.hpp"

#include "support/scenarios.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>

namespace jfrtree::test {

namespace {

std::ptrdiff_t count_of(const Bytes& haystack, const Bytes& needle) {
  std::ptrdiff_t count = 0;
  auto at = haystack.begin();
  while ((at = std::search(at, haystack.end(), needle.begin(), needle.end())) != haystack.end()) {
    ++count;
    ++at;
  }
  return count;
}

}  // namespace

TEST_CASE("an execution sample of JDK 17 is its declared fields in order") {
  auto chunk = jdk17_chunk();
  chunk.execution_sample(
      {.stack = 300, .thread = 1, .state = "STATE_RUNNABLE", .start_ticks = 2000});
  // size 9, type 109, 2000 ticks, thread 1, stack 300, state 5
  CHECK(count_of(chunk.bytes(), from_hex("09 6d d0 0f 01 ac 02 05")) == 0);
  CHECK(count_of(chunk.bytes(), from_hex("08 6d d0 0f 01 ac 02 05")) == 1);
}

TEST_CASE("the producers' layouts of one event differ") {
  auto jdk17 = jdk17_chunk();
  jdk17.active_setting({.event = "jdk.ExecutionSample", .name = "p", .value = "v"});
  // size, type 1353, 1000 ticks, no duration, thread and stack, id 109, UTF-16 as Java writes it
  CHECK(count_of(jdk17.bytes(), from_hex("0f c9 0a e8 07 00 00 00 6d 04 01 70 04 01 76")) == 1);
  auto jdk25 = jdk25_chunk();
  jdk25.active_setting({.event = "jdk.ExecutionSample", .name = "p", .value = "v"});
  CHECK(count_of(jdk25.bytes(), from_hex("0c e4 0b e8 07 7b 04 01 70 04 01 76")) == 1);
  auto profiler = async_profiler_4_chunk();
  profiler.active_setting({.event = "jdk.ExecutionSample", .name = "p", .value = "v"});
  CHECK(count_of(profiler.bytes(), from_hex("0b 6c e8 07 65 03 01 70 03 01 76")) == 1);
}

TEST_CASE("a stack is written leaf first, once however often it is asked for") {
  auto chunk = jdk17_chunk();
  const std::uint64_t stack = chunk.stack({"Main.main", FrameSpec("Main.run").line(42).bci(7)});
  CHECK(chunk.stack({"Main.main", FrameSpec("Main.run").line(42).bci(7)}) == stack);
  CHECK(chunk.stack({"Main.main", FrameSpec("Main.run").line(43).bci(7)}) != stack);
  const std::uint64_t main = chunk.method("Main.main");
  const std::uint64_t run = chunk.method("Main.run");
  const Bytes frames = ByteWriter()
                           .key(run)
                           .int_value(42)
                           .int_value(7)
                           .key(1)
                           .key(main)
                           .int_value(1)
                           .int_value(0)
                           .key(1)
                           .bytes();
  CHECK(count_of(chunk.bytes(), frames) == 1);
}

TEST_CASE("class and method are taken from the text of a frame") {
  const FrameSpec frame("com.example.Main$Inner.<init>");
  CHECK(frame.class_name == "com/example/Main$Inner");
  CHECK(frame.method_name == "<init>");
  CHECK(FrameSpec("read").class_name.empty());
  CHECK(FrameSpec::of("a/B$$Lambda$1.0x1/2", "run").class_name == "a/B$$Lambda$1.0x1/2");
}

TEST_CASE("stacks of Datadog have keys above 2^32") {
  auto chunk = datadog_chunk();
  CHECK(chunk.stack({"Main.main"}) > 0xffffffffULL);
}

TEST_CASE("names of format 1.0 have the prefix of Oracle's JDK 9") {
  auto chunk = jdk9_chunk();
  CHECK(chunk.types().contains("com.oracle.jdk.ExecutionSample"));
  CHECK(chunk.types().contains("com.oracle.jfr.types.StackTrace"));
  CHECK(chunk.types().contains("jdk.jfr.Timestamp"));
  chunk.execution_sample({.stack = chunk.stack({"Main.main"})});
  const Bytes bytes = chunk.bytes();
  CHECK(Bytes(bytes.begin() + 4, bytes.begin() + 8) == from_hex("00 01 00 00"));
}

TEST_CASE("metadata comes first and constants last in a profiler's chunk") {
  const Bytes bytes = three_profiler_samples().bytes();
  CHECK(Bytes(bytes.begin() + 24, bytes.begin() + 32) == from_hex("00 00 00 00 00 00 00 44"));
}

TEST_CASE("mistakes in tests are found") {
  auto chunk = jdk17_chunk();
  CHECK_THROWS_AS(chunk.event("jdk.NoSuchEvent", {}), std::out_of_range);
  CHECK_THROWS_AS(chunk.event("jdk.ExecutionSample", {{"stakTrace", 1}}), std::invalid_argument);
  CHECK_THROWS_AS(chunk.event("jdk.ExecutionSample", {{"stackTrace", "text"}}),
                  std::invalid_argument);
  CHECK_THROWS_AS(chunk.execution_sample({.state = "STATE_OF_NO_JVM"}), std::out_of_range);
  CHECK_THROWS_AS(chunk.types().declare(TypeKind::event, "my.Odd", 1, "long"),
                  std::invalid_argument);
}

TEST_CASE("scenarios have names of their own and can be built") {
  std::set<std::string_view> names;
  for (const Scenario& entry : scenarios()) {
    CHECK_MESSAGE(names.insert(entry.name).second, std::string(entry.name));
    CHECK_MESSAGE(entry.build().size() > chunk_header_size, std::string(entry.name));
  }
  CHECK(scenario("minimal") == minimal_chunk().bytes());
  CHECK_THROWS_AS(scenario("no such name"), std::out_of_range);
}

}  // namespace jfrtree::test
