#include <jfrtree/event.hpp>

#include <doctest/doctest.h>

#include <string>

#include "format/opened.hpp"
#include "format/small_chunk.hpp"

namespace jfrtree {

namespace {

using test::Bytes;
using test::ByteWriter;
using test::Opened;
using test::SmallChunk;

SmallChunk chunk_of_events() {
  SmallChunk chunk;
  chunk.event_type("t.Event", 100,
                   "long startTime @Timestamp(TICKS); long duration; int n; String s");
  return chunk;
}

ByteWriter event_fields(std::int32_t n, std::string_view text) {
  return ByteWriter().long_value(2000).long_value(500).int_value(n).string(text);
}

}  // namespace

TEST_CASE("fields are read by position and by name") {
  SmallChunk chunk = chunk_of_events();
  chunk.raw_event(100, event_fields(-5, "hi"));
  const Opened opened(chunk.bytes());
  const Event event = opened.event(0);
  CHECK(event.type_name() == "t.Event");
  CHECK(event.type()->id == TypeId{100});
  CHECK(event.size() == 4);
  CHECK(event["n"].integer() == -5);
  CHECK(event[2].integer() == -5);
  CHECK(event["s"].text() == "hi");
  CHECK(event[3].text() == "hi");
  CHECK(event["missing"].is_null());
  CHECK(event[4].is_null());
  CHECK(event[~std::size_t{0}].is_null());
}

TEST_CASE("start and duration are nanoseconds by the chunk's clock") {
  SmallChunk chunk(
      {.start_nanos = 7'000'000, .start_ticks = 1000, .ticks_per_second = 2'000'000'000});
  chunk.event_type("t.Event", 100, "long startTime; long duration; int n");
  chunk.event_type("t.Instant", 101, "int n");
  chunk.event("Event", {{"startTime", 3000}, {"duration", 501}});
  chunk.event("Event", {{"startTime", 0}, {"duration", -1}});
  chunk.event("Instant", {{"n", 1}});
  const Opened opened(chunk.bytes());
  CHECK(opened.event(0).start_ns() == 7'001'000);
  CHECK(opened.event(0).duration_ns() == 250);
  CHECK(opened.event(1).start_ns() == 6'999'500);
  CHECK(opened.event(1).duration_ns() == 0);
  CHECK(opened.event(2).start_ns() == 7'000'000);
  CHECK(opened.event(2).duration_ns() == 0);
}

TEST_CASE("bytes behind the last field are ignored") {
  SmallChunk chunk = chunk_of_events();
  chunk.raw_event(100, event_fields(1, "a").zeros(40));
  chunk.raw_event(100, event_fields(2, "b"));
  const Opened opened(chunk.bytes());
  CHECK(opened.findings().empty());
  CHECK(opened.integers("n") == "1 2");
  CHECK(opened.event(0)["s"].text() == "a");
}

TEST_CASE("a field that the event is too short for is null and does not read its neighbour") {
  const Bytes whole = event_fields(300, "text").bytes();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    CAPTURE(size);
    SmallChunk chunk = chunk_of_events();
    const Bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    chunk.raw_event(100, ByteWriter().raw(cut));
    chunk.raw_event(100, event_fields(2, "next"));
    const Opened opened(chunk.bytes());
    const Event event = opened.event(0);
    CHECK(event["s"].is_null());
    CHECK(event["s"].text().empty());
    // Two bytes each for start time, duration and n.
    CHECK(event["n"].is_null() == (size < 6));
    CHECK(event["startTime"].is_null() == (size < 2));
    CHECK(opened.event(1)["s"].text() == "next");
  }
}

TEST_CASE("an event of an undeclared type has a size and no fields") {
  SmallChunk chunk = chunk_of_events();
  chunk.raw_event(99'999, ByteWriter().zeros(10));
  chunk.raw_event(100, event_fields(2, "b"));
  const Opened opened(chunk.bytes());
  REQUIRE(opened.raw_events().size() == 2);
  const Event event = opened.event(0);
  CHECK(event.type() == nullptr);
  CHECK(event.type_name().empty());
  CHECK(event.size() == 0);
  CHECK(event["n"].is_null());
  CHECK(event[0].is_null());
  CHECK(event.at("n.x").is_null());
  CHECK(event.start_ns() == opened.chunks[0].info().header.start_ns);
  CHECK(opened.raw_events()[0].type == TypeId{99'999});
  CHECK(opened.raw_events()[0].payload.size() == 10);
  CHECK(opened.integers("n") == "2");
}

TEST_CASE("an event of an undecodable type is null throughout, the others are not") {
  SmallChunk chunk = chunk_of_events();
  chunk.plain_type("t.Marker", 40, "");
  chunk.event_type("t.Bad", 101, "long startTime; Marker m; int n");
  chunk.raw_event(101, ByteWriter().long_value(2000).zeros(5));
  chunk.raw_event(100, event_fields(2, "b"));
  const Opened opened(chunk.bytes());
  CHECK(opened.event(0).type_name() == "t.Bad");
  CHECK(opened.event(0)["startTime"].is_null());
  CHECK(opened.event(0)["n"].is_null());
  CHECK(opened.integers("n") == "2");
}

TEST_CASE("fields with odd and repeated names are reached by position") {
  SmallChunk chunk;
  chunk.event_type("t.Event", 100, "int _dd.trace.operation; int x; int x");
  chunk.raw_event(100, ByteWriter().int_value(1).int_value(2).int_value(3));
  const Opened opened(chunk.bytes());
  const Event event = opened.event(0);
  CHECK(event["_dd.trace.operation"].integer() == 1);
  CHECK(event["x"].integer() == 2);
  CHECK(event[2].integer() == 3);
}

TEST_CASE("a path leads through references, structs, arrays and simple types") {
  SmallChunk chunk;
  chunk.simple_type("t.Symbol", 50, "String text");
  chunk.plain_type("t.Method", 51, "Symbol* name; int modifiers");
  chunk.plain_type("t.Frame", 52, "Method* method; int line");
  chunk.plain_type("t.Stack", 53, "boolean truncated; Frame[] frames");
  chunk.event_type("t.Event", 100, "long startTime; Stack* stackTrace; Frame top");
  chunk.checkpoint(
      {.pools = {
           chunk.pool("Symbol").entry(7, ByteWriter().string("run")),
           chunk.pool("Method").entry(3, ByteWriter().key(7).int_value(9)),
           chunk.pool("Stack").entry(
               1, ByteWriter().boolean_value(true).count(2).key(3).int_value(42).key(99).int_value(
                      43)),
       }});
  chunk.raw_event(100, ByteWriter().long_value(1).key(1).key(3).int_value(8));
  const Opened opened(chunk.bytes());
  CHECK(opened.findings().empty());
  const Event event = opened.event(0);
  CHECK(event.at("stackTrace.frames.0.method.name").text() == "run");
  CHECK(event.at("stackTrace.frames.0.method.name.text").text() == "run");
  CHECK(event.at("stackTrace.frames.1.line").integer() == 43);
  CHECK(event.at("stackTrace.truncated").integer() == 1);
  CHECK(event.at("top.method.modifiers").integer() == 9);
  CHECK(event.at("stackTrace").key() == ConstantKey{1});
  for (const char* path : {"stackTrace.frames.1.method.name", "stackTrace.frames.2.line",
                           "stackTrace.frames.-1.line", "stackTrace.frames.x", "stackTrace.lines",
                           "startTime.x", "", "stackTrace..frames", "stackTrace.frames.0x.line"}) {
    CAPTURE(path);
    CHECK(event.at(path).is_null());
  }
}

TEST_CASE("a constant is found by type and key") {
  SmallChunk chunk;
  chunk.simple_type("t.Symbol", 50, "String text");
  chunk.checkpoint({.pools = {chunk.pool("Symbol").entry(7, ByteWriter().string("run"))}});
  const Opened opened(chunk.bytes());
  const Chunk& first = opened.chunks.at(0);
  CHECK(find_constant(first, TypeId{50}, ConstantKey{7}).text() == "run");
  CHECK(find_constant(first, TypeId{50}, ConstantKey{7}).key() == ConstantKey{7});
  CHECK(find_constant(first, TypeId{50}, ConstantKey{8}).is_null());
  CHECK(find_constant(first, TypeId{51}, ConstantKey{7}).is_null());
  CHECK(find_constant(first, TypeId{100}, ConstantKey{0}).is_null());
}

TEST_CASE("events and values outlive the reader, the input and the container of chunks") {
  std::optional<Event> event;
  std::optional<Chunk> kept;
  {
    SmallChunk chunk = chunk_of_events();
    chunk.raw_event(100, event_fields(7, "still here"));
    const Opened opened(chunk.bytes(), test::Source::stream);
    kept = opened.chunks.at(0);
    event = opened.event(0);
  }
  CHECK((*event)["n"].integer() == 7);
  CHECK((*event)["s"].text() == "still here");
}

}  // namespace jfrtree
