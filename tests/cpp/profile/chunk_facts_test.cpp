#include "profile/chunk_facts.hpp"

#include <doctest/doctest.h>

#include <string>

#include "profile/reading.hpp"
#include "support/standard_chunk.hpp"

using namespace jfrtree;
using namespace jfrtree::internal;
using namespace jfrtree::test;

namespace {

struct Read {
  ChunkFacts facts;
  std::vector<Problem> problems;
};

Read facts_of(const StandardChunk& chunk) {
  const OpenChunk opened(chunk.bytes());
  const ChunkContents& contents = opened.contents();
  FactsReader reader(contents);
  walk_records(contents.bytes, contents.has_compressed_integers(), [&](const Record& record) {
    if (reader.wants(TypeId{record.type})) reader.read(record);
  });
  ProblemLog log("test");
  Read read;
  read.facts = reader.finish(log);
  read.problems = log.entries();
  return read;
}

void set(StandardChunk& chunk, std::string name, std::string value, std::string_view event = {}) {
  chunk.active_setting({.event = event, .name = std::move(name), .value = std::move(value)});
}

}  // namespace

TEST_CASE("parse_period reads a number with a unit, or plain nanoseconds") {
  CHECK(parse_period("10000000") == 10'000'000);
  CHECK(parse_period("7 ns") == 7);
  CHECK(parse_period("3 us") == 3'000);
  CHECK(parse_period("20 ms") == 20'000'000);
  CHECK(parse_period("20ms") == 20'000'000);
  CHECK(parse_period("1 s") == 1'000'000'000);
  CHECK(parse_period("2 m") == 120'000'000'000);
  CHECK(parse_period("1 h") == 3'600'000'000'000);
  CHECK(parse_period("1 d") == 86'400'000'000'000);
  CHECK(parse_period("18446744073709551615") == 18'446'744'073'709'551'615U);
}

TEST_CASE("parse_period knows nothing of 0, of words, of other units, of what is too large") {
  for (const char* text :
       {"", "0", "0 ms", "everyChunk", "beginChunk", "-1", "-20 ms", "20 weeks", "20 ms and more",
        "ms", "1.5 s", "18446744073709551616", "18446744073709551615 us", "0x10"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_period(text));
  }
}

TEST_CASE("a chunk's settings are kept by event name, and the last of each counts") {
  auto chunk = jdk17_chunk();
  set(chunk, "period", "10 ms", "jdk.ExecutionSample");
  set(chunk, "period", "30 ms", "jdk.NativeMethodSample");
  set(chunk, "period", "20 ms", "jdk.ExecutionSample");
  set(chunk, "threshold", "20 ms", "jdk.ThreadPark");
  set(chunk, "period", "1 s", "jdk.ThreadPark");
  CHECK(facts_of(chunk).facts.settings == Settings{{"period of jdk.ExecutionSample", "20 ms"},
                                                   {"period of jdk.NativeMethodSample", "30 ms"}});
}

TEST_CASE("settings of format 1.0 are known by the later names of their events") {
  auto chunk = jdk9_chunk();
  set(chunk, "period", "10 ms", "jdk.ExecutionSample");
  CHECK(facts_of(chunk).facts.settings == Settings{{"period of jdk.ExecutionSample", "10 ms"}});
}

TEST_CASE("of async-profiler's settings event, interval and wall are kept, in every release") {
  for (const Producer producer : {Producer::async_profiler_2, Producer::async_profiler_4}) {
    StandardChunk chunk(producer);
    set(chunk, "version", "4.5");
    set(chunk, "event", "cpu");
    set(chunk, "interval", "10000000", "jdk.ExecutionSample");
    set(chunk, "wall", "200000000", "jdk.ExecutionSample");
    set(chunk, "jstackdepth", "2048");
    CHECK(facts_of(chunk).facts.settings ==
          Settings{{"event", "cpu"}, {"interval", "10000000"}, {"wall", "200000000"}});
  }
}

TEST_CASE("a setting of an event type that is not declared is no setting") {
  auto chunk = jdk17_chunk();
  chunk.event("jdk.ActiveSetting", {{"id", 123456}, {"name", "period"}, {"value", "10 ms"}});
  CHECK(facts_of(chunk).facts.settings.empty());
}

TEST_CASE("the process is known by pid and start of the JVM") {
  auto chunk = jdk17_chunk();
  CHECK_FALSE(facts_of(chunk).facts.process);
  chunk.jvm_information({.start_millis = 1'700'000'000'123, .pid = 4711});
  CHECK(facts_of(chunk).facts.process == ProcessId(4711, 1'700'000'000'123));
}

TEST_CASE("the producer is the JVM, behind the profiler that the recording names") {
  auto jdk = jdk17_chunk();
  jdk.jvm_information({.name = "OpenJDK 64-Bit Server VM", .version = "17.0.15+6"});
  CHECK(facts_of(jdk).facts.producer == "OpenJDK 64-Bit Server VM 17.0.15+6");
  auto doubled = jdk17_chunk();
  doubled.jvm_information({.name = "OpenJDK 64-Bit Server VM",
                           .version = "OpenJDK 64-Bit Server VM (17.0.15+6) for linux-amd64"});
  CHECK(facts_of(doubled).facts.producer == "OpenJDK 64-Bit Server VM (17.0.15+6) for linux-amd64");

  auto profiler = async_profiler_4_chunk();
  profiler.types().declare(TypeKind::event, "jdk.ActiveRecording", 107,
                           "long startTime @Timestamp(TICKS); long id; String name");
  profiler.event("jdk.ActiveRecording", {{"id", 1}, {"name", "async-profiler 4.5"}});
  CHECK(facts_of(profiler).facts.producer == "async-profiler 4.5");
  profiler.jvm_information({.name = "VM", .version = "21"});
  CHECK(facts_of(profiler).facts.producer == "async-profiler 4.5; VM 21");

  auto fork = datadog_chunk();
  fork.event("jdk.ActiveRecording", {{"id", 1}, {"name", "java-profiler 1.34.0"}});
  CHECK(facts_of(fork).facts.producer == "java-profiler 1.34.0");
  CHECK(facts_of(jdk17_chunk()).facts.producer.empty());
}

TEST_CASE("the name of a JDK recording is no producer") {
  auto chunk = jdk17_chunk();
  chunk.event("jdk.ActiveRecording", {{"id", 1}, {"name", "my recording"}});
  CHECK(facts_of(chunk).facts.producer.empty());
}

TEST_CASE("chunks of async-profiler and its forks are told from those of the JDK") {
  CHECK(facts_of(async_profiler_2_chunk()).facts.is_async_profiler);
  CHECK(facts_of(async_profiler_4_chunk()).facts.is_async_profiler);
  CHECK(facts_of(datadog_chunk()).facts.is_async_profiler);
  CHECK_FALSE(facts_of(jdk9_chunk()).facts.is_async_profiler);
  CHECK_FALSE(facts_of(jdk17_chunk()).facts.is_async_profiler);
  CHECK_FALSE(facts_of(jdk25_chunk()).facts.is_async_profiler);
}

TEST_CASE("losses that the recorder reports become notes with their numbers") {
  auto chunk = jdk25_chunk();
  chunk.event("jdk.CPUTimeSamplesLost", {{"lostSamples", 40}});
  chunk.event("jdk.CPUTimeSamplesLost", {{"lostSamples", 2}});
  chunk.event("jdk.DataLoss", {{"amount", 1000}, {"total", 1000}});
  chunk.event("jdk.DataLoss", {{"amount", 500}, {"total", 1500}});
  const Read read = facts_of(chunk);
  CHECK(findings(read.problems) == "[lost_samples x42 at 0]; [lost_samples x1500 at 0]");
  CHECK(read.problems[0].message.find("jdk.CPUTimeSamplesLost") != std::string::npos);
  CHECK(read.problems[1].message.find("jdk.DataLoss") != std::string::npos);
}
