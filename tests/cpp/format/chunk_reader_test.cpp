#include <jfrtree/chunk.hpp>

#include <doctest/doctest.h>

#include <string>
#include <thread>
#include <vector>

#include "format/delimited.hpp"
#include "format/opened.hpp"
#include "format/small_chunk.hpp"
#include "support/hostile_recordings.hpp"
#include "support/scenarios.hpp"
#include "support/standard_chunk.hpp"

namespace jfrtree {

namespace {

using test::Bytes;
using test::ByteWriter;
using test::HeaderFields;
using test::joined;
using test::noise;
using test::Opened;
using test::SmallChunk;
using test::Source;
using test::two_ticks;

/// Everything that can be said about what was read: chunks, events with sizes, findings.
std::string outline(const Opened& opened) {
  std::string text;
  for (const Chunk& chunk : opened.chunks) {
    const ChunkInfo& info = chunk.info();
    text += std::to_string(info.number) + "@" + std::to_string(info.offset) + "+" +
            std::to_string(info.bytes) + ":";
    std::uint64_t mix = 0;
    for (const RawEvent& event : chunk) {
      mix = mix * 31 + raw(event.type) + event.offset * 7 + event.payload.size();
    }
    text += std::to_string(mix) + "; ";
  }
  return text + opened.findings();
}

/// Texts of the leaf frames of all samples, in order.
std::string leaves(const Opened& opened) {
  std::string text;
  for (std::size_t chunk = 0; chunk < opened.chunks.size(); ++chunk) {
    for (const Event& event : opened.events(chunk)) {
      const std::string name = event.at("stackTrace.frames.0.method.name").text();
      if (!name.empty()) text += (text.empty() ? "" : " ") + name;
    }
  }
  return text;
}

}  // namespace

TEST_CASE("events are visited in the order of the file, without metadata and checkpoints") {
  SmallChunk chunk = two_ticks();
  chunk.checkpoint({});
  chunk.event("Tick", {{"n", 3}});
  const Opened opened(chunk.bytes());
  CHECK(opened.findings().empty());
  CHECK(opened.integers("n") == "1 2 3");
  std::uint64_t at = test::chunk_header_size;
  for (const RawEvent& event : opened.raw_events()) {
    CHECK(event.type == TypeId{100});
    CHECK(event.offset >= at);
    at = event.offset + event.payload.size() + 1;
  }
}

TEST_CASE("a chunk without events has none") {
  const Opened opened(SmallChunk().bytes());
  REQUIRE(opened.chunks.size() == 1);
  CHECK(opened.chunks[0].begin() == opened.chunks[0].end());
  CHECK(opened.findings().empty());
}

TEST_CASE("an event of size 0 ends its chunk, and only that") {
  SmallChunk chunk = two_ticks();
  const std::size_t at = chunk.writer().offset();
  chunk.raw_event(100, ByteWriter().zeros(3), {.claimed = 0});
  chunk.event("Tick", {{"n", 3}});
  const Opened opened(joined({chunk.bytes(), two_ticks().bytes()}));
  CHECK(opened.integers("n") == "1 2 | 1 2");
  CHECK(opened.findings() == "bad_event chunk 1 at " + std::to_string(at));
}

TEST_CASE("zeros in the middle of a chunk lose the rest of that chunk") {
  SmallChunk chunk = two_ticks();
  const std::size_t at = chunk.writer().offset();
  chunk.writer().raw(Bytes(4096));
  chunk.event("Tick", {{"n", 3}});
  const Opened opened(joined({two_ticks().bytes(), chunk.bytes(), two_ticks().bytes()}));
  CHECK(opened.integers("n") == "1 2 | 1 2 | 1 2");
  CHECK(opened.findings() ==
        "bad_event chunk 2 at " + std::to_string(two_ticks().bytes().size() + at));
}

TEST_CASE("types, constants and clocks of one chunk mean nothing in the next") {
  // Two JVMs: the same type and constant ids, other names, another clock.
  const auto chunk_of = [](const char* field, const char* text, std::int64_t frequency) {
    SmallChunk chunk({.start_nanos = 0, .start_ticks = 0, .ticks_per_second = frequency});
    chunk.simple_type("t.Symbol", 50, "String text");
    chunk.event_type("t.Event", 100, std::string("long startTime; Symbol* ") + field);
    chunk.checkpoint({.pools = {chunk.pool("Symbol").entry(1, ByteWriter().string(text))}});
    chunk.raw_event(100, ByteWriter().long_value(3'400'000'000).key(1));
    return chunk.bytes();
  };
  const Opened opened(
      joined({chunk_of("first", "a", 1'600'000'000), chunk_of("second", "b", 3'400'000'000)}));
  CHECK(opened.event(0, 0)["first"].text() == "a");
  CHECK(opened.event(0, 0)["second"].is_null());
  CHECK(opened.event(0, 1)["second"].text() == "b");
  CHECK(opened.event(0, 0).start_ns() == 2'125'000'000);
  CHECK(opened.event(0, 1).start_ns() == 1'000'000'000);
  CHECK(opened.findings().empty());
}

TEST_CASE("a constant of the chunk before is not there in the next one") {
  SmallChunk with;
  with.simple_type("t.Symbol", 50, "String text");
  with.event_type("t.Event", 100, "Symbol* symbol");
  with.checkpoint({.pools = {with.pool("Symbol").entry(1, ByteWriter().string("a"))}});
  with.raw_event(100, ByteWriter().key(1));
  SmallChunk without;
  without.simple_type("t.Symbol", 50, "String text");
  without.event_type("t.Event", 100, "Symbol* symbol");
  without.raw_event(100, ByteWriter().key(1));
  const Opened opened(joined({with.bytes(), without.bytes()}));
  CHECK(opened.event(0, 0)["symbol"].text() == "a");
  CHECK(opened.event(0, 1)["symbol"].resolve().is_null());
}

TEST_CASE("a whole chunk of fixed-width integers reads like one of varints") {
  const auto read = [](test::IntegerEncoding integers) {
    test::StandardChunk chunk(test::Producer::jdk17, integers);
    const auto stack = chunk.stack({"Main.main", test::FrameSpec("Main.run").line(42)});
    const auto thread =
        chunk.thread({.java_name = "main", .os_name = "main", .java_id = 1, .os_id = 9});
    chunk.execution_sample(
        {.stack = stack, .thread = thread, .state = "STATE_RUNNABLE", .start_ticks = 2000});
    chunk.flush();
    return Opened(chunk.bytes());
  };
  const Opened varints = read(test::IntegerEncoding::compressed);
  const Opened fixed = read(test::IntegerEncoding::fixed_width);
  CHECK_FALSE(fixed.chunks.at(0).info().header.has_compressed_integers);
  for (const Opened* opened : {&varints, &fixed}) {
    CHECK(opened->findings().empty());
    const Event event = opened->event(0);
    CHECK(event.type_name() == "jdk.ExecutionSample");
    CHECK(event["startTime"].integer() == 2000);
    CHECK(event.at("stackTrace.frames").size() == 2);
    CHECK(event.at("stackTrace.frames.0.method.name").text() == "run");
    CHECK(event.at("stackTrace.frames.0.method.type.name").text() == "Main");
    CHECK(event.at("stackTrace.frames.0.lineNumber").integer() == 42);
    CHECK(event.at("stackTrace.frames.1.method.name").text() == "main");
    CHECK(event.at("sampledThread.javaName").text() == "main");
    CHECK(event.at("state").text() == "STATE_RUNNABLE");
  }
}

TEST_CASE("an input that is no recording is a named error") {
  const auto code_of = [](const Bytes& bytes) {
    const Opened opened(bytes);
    CHECK(opened.chunks.empty());
    REQUIRE(opened.error);
    CHECK(opened.error->severity == Severity::problem);
    CHECK_FALSE(opened.error->message.empty());
    return opened.error->code;
  };
  const Bytes whole = two_ticks().bytes();
  const auto first = [&whole](std::ptrdiff_t size) {
    return Bytes(whole.begin(), whole.begin() + size);
  };
  CHECK(code_of({}) == ErrorCode::empty_input);
  CHECK(code_of(first(4)) == ErrorCode::too_short);
  CHECK(code_of(first(67)) == ErrorCode::too_short);
  CHECK(code_of(first(68)) == ErrorCode::truncated_chunk);
  CHECK(code_of(first(100)) == ErrorCode::truncated_chunk);
  CHECK(code_of(noise(1000)) == ErrorCode::not_a_recording);
  HeaderFields header;
  header.major = 0;
  header.minor = 9;
  CHECK(code_of(two_ticks(header).bytes()) == ErrorCode::unsupported_version);
  header.major = 3;
  CHECK(code_of(two_ticks(header).bytes()) == ErrorCode::unsupported_version);
  header.major = 2;
  header.metadata_offset = 0;
  header.chunk_size = 1 << 30;
  CHECK(code_of(two_ticks(header).bytes()) == ErrorCode::unfinished_chunk);
}

TEST_CASE("the refusal of an old format names it and says what to do") {
  HeaderFields header;
  header.major = 0;
  header.minor = 9;
  const Opened opened(two_ticks(header).bytes());
  REQUIRE(opened.error);
  CHECK(opened.error->message.find("0.9") != std::string::npos);
  CHECK(opened.error->message.find("OpenJDK") != std::string::npos);
}

TEST_CASE("an empty chunk alone is no error and has nothing") {
  HeaderFields header;
  header.file_state = 1;
  header.chunk_size = 68;
  const Opened opened(header.bytes());
  CHECK_FALSE(opened.error);
  CHECK(opened.chunks.empty());
  CHECK(opened.findings() == "[empty_chunk chunk 1 at 0]");
}

TEST_CASE("good chunks around one that cannot be read count") {
  SmallChunk bad = two_ticks();
  bad.writer().raw_metadata(ByteWriter().count(1ULL << 40).bytes());
  const Bytes good = two_ticks().bytes();
  const Opened opened(joined({good, bad.writer().bytes(), good}));
  CHECK_FALSE(opened.error);
  CHECK(opened.integers("n") == "1 2 | 1 2");
  REQUIRE(opened.chunks.size() == 2);
  CHECK(opened.chunks[1].info().number == 3);
  CHECK(opened.problems.size() == 1);
  CHECK(opened.problems[0].code == ErrorCode::bad_metadata);
  CHECK(opened.problems[0].chunk == 2);
}

TEST_CASE("an unfinished chunk is read up to its last flush") {
  HeaderFields header;
  header.file_state = 4;
  Bytes bytes = two_ticks(header).bytes();
  const std::size_t flushed = bytes.size();
  test::append(bytes, test::from_hex("05 64 d0 0f 03"));  // an event that was not flushed
  const Opened opened(bytes);
  CHECK(opened.integers("n") == "1 2");
  CHECK(opened.chunks[0].info().state == ChunkState::unfinished);
  CHECK(opened.findings() == "unfinished_chunk chunk 1 at " + std::to_string(flushed));
}

TEST_CASE("a recording that is cut anywhere is an error or keeps what is there") {
  const Bytes whole = joined({two_ticks().bytes(), two_ticks().bytes()});
  const std::size_t half = whole.size() / 2;
  for (std::size_t size = 1; size < whole.size(); ++size) {
    CAPTURE(size);
    const Opened opened(Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)));
    CHECK(opened.error.has_value() == (size < half));
    CHECK(opened.problems.empty() == (size == half));
    if (size >= half) CHECK(opened.integers("n").starts_with("1 2"));
  }
}

TEST_CASE("memory, file and stream read the same, also of damaged recordings") {
  constexpr std::size_t too_large = 2 << 20;
  for (const test::HostileRecording& recording : test::hostile_recordings()) {
    const Bytes bytes = recording.build();
    if (bytes.size() > too_large || recording.name.starts_with("gzip_bomb")) continue;
    CAPTURE(recording.name);
    const std::string from_memory = outline(Opened(bytes));
    CHECK(outline(Opened(bytes, Source::file)) == from_memory);
    CHECK(outline(Opened(bytes, Source::stream)) == from_memory);
  }
}

TEST_CASE("memory, file and stream read the same of healthy recordings, without a problem") {
  for (const test::Scenario& scenario : test::scenarios()) {
    CAPTURE(scenario.name);
    const Bytes bytes = scenario.build();
    const Opened opened(bytes);
    CHECK_FALSE(opened.error);
    for (const Problem& problem : opened.problems) CHECK(problem.severity == Severity::note);
    CHECK(outline(Opened(bytes, Source::file)) == outline(opened));
    CHECK(outline(Opened(bytes, Source::stream)) == outline(opened));
  }
}

TEST_CASE("one chunk may be read by several threads") {
  auto chunk = test::jdk17_chunk();
  for (int i = 0; i < 50; ++i) {
    chunk.execution_sample({.stack = chunk.stack({"Main.main", "Main.step" + std::to_string(i)})});
  }
  const Opened opened(chunk.bytes());
  const std::string expected = leaves(Opened(chunk.bytes()));
  CHECK(expected.starts_with("step0 step1 step2"));
  std::vector<std::string> read(4);
  std::vector<std::thread> threads;
  threads.reserve(read.size());
  for (std::string& text : read) threads.emplace_back([&] { text = leaves(opened); });
  for (std::thread& thread : threads) thread.join();
  for (const std::string& text : read) CHECK(text == expected);
}

}  // namespace jfrtree
