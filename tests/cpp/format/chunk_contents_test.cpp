#include "format/chunk_contents.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <string>

#include "format/opened.hpp"
#include "format/small_chunk.hpp"

namespace jfrtree::internal {

namespace {

using test::Bytes;
using test::ByteWriter;
using test::Element;
using test::HeaderFields;
using test::Opened;
using test::SmallChunk;
using test::two_ticks;

/// The tree of a chunk that declares `test.Tick` with another name for its second field.
Element tick_metadata(const std::string& field_name) {
  test::TypeTable types = test::small_types();
  types.declare(test::TypeKind::event, "test.Tick", 100,
                "long startTime @Timestamp(TICKS); int " + field_name);
  return types.metadata();
}

}  // namespace

TEST_CASE("the metadata that the header names counts, for all events of the chunk") {
  SmallChunk chunk;
  chunk.writer().metadata(tick_metadata("old"));
  chunk.event_type("test.Tick", 100, "long startTime @Timestamp(TICKS); int n");
  chunk.event("Tick", {{"n", 1}});
  chunk.writer().metadata(tick_metadata("middle"));
  chunk.event("Tick", {{"n", 2}});
  const Opened opened(chunk.bytes());
  CHECK(opened.findings().empty());
  CHECK(opened.integers("n") == "1 2");
  CHECK(opened.integers("old").empty());
}

TEST_CASE("metadata events are no events") {
  SmallChunk chunk = two_ticks();
  chunk.writer().metadata(tick_metadata("old"));
  CHECK(Opened(chunk.bytes()).raw_events().size() == 2);
}

TEST_CASE("where the named metadata cannot be read the newest one that can is used") {
  for (const std::int64_t offset :
       {std::int64_t{10}, std::int64_t{68}, std::int64_t{-100}, std::int64_t{1} << 40}) {
    CAPTURE(offset);
    SmallChunk chunk = two_ticks();
    chunk.writer().header().metadata_offset = offset;
    const Opened opened(chunk.bytes());
    CHECK(opened.integers("n") == "1 2");
    CHECK(opened.findings() == "bad_metadata chunk 1 at 0");
  }
  // The one named is damaged, of two older ones the later is taken.
  SmallChunk chunk = two_ticks();
  chunk.writer().metadata(tick_metadata("oldest"));
  chunk.writer().metadata(tick_metadata("older"));
  chunk.writer().raw_metadata(ByteWriter().count(1ULL << 40).bytes());
  const Opened opened(chunk.writer().bytes());
  CHECK(opened.integers("older") == "1 2");
  CHECK(opened.findings() == "bad_metadata chunk 1 at 0");
}

TEST_CASE("a chunk whose metadata cannot be read is lost, with the reason") {
  SmallChunk chunk = two_ticks();
  chunk.writer().raw_metadata(ByteWriter().count(1ULL << 40).bytes());
  const Opened opened(chunk.writer().bytes());
  CHECK(opened.chunks.empty());
  REQUIRE(opened.error);
  CHECK(opened.error->code == ErrorCode::bad_metadata);
  CHECK(opened.error->message.find("strings") != std::string::npos);

  const Opened without(two_ticks().writer().bytes());
  REQUIRE(without.error);
  CHECK(without.chunks.empty());
}

TEST_CASE("a limit that the metadata reaches is named") {
  Limits limits;
  limits.metadata_depth = 3;
  const Opened opened(two_ticks().bytes(), test::Source::memory, limits);
  CHECK(opened.chunks.empty());
  REQUIRE(opened.error);
  CHECK(opened.error->code == ErrorCode::limit_exceeded);
  CHECK(opened.error->message.find("metadata_depth") != std::string::npos);
}

TEST_CASE("undecodable types and duplicate ids are notes with their number") {
  SmallChunk chunk = two_ticks();
  chunk.plain_type("t.Marker", 40, "");
  chunk.plain_type("t.Bad", 41, "Marker m");
  chunk.event_type("t.Worse", 42, "int a; Bad b");
  Element root = chunk.types().metadata();
  test::classes_of(root).child(test::event_class("t.Again", 100));
  chunk.writer().metadata(root);
  const Opened opened(chunk.writer().bytes());
  CHECK(opened.findings() == "[odd_metadata x2 chunk 1 at 0]; [odd_metadata chunk 1 at 0]");
  CHECK(opened.integers("n") == "1 2");
}

TEST_CASE("a clock without frequency is a problem and costs no event") {
  HeaderFields header;
  header.ticks_per_second = 0;
  const Opened opened(two_ticks(header).bytes());
  CHECK(opened.findings() == "bad_chunk_header chunk 1 at 0");
  CHECK(opened.integers("n") == "1 2");
  CHECK(opened.event(0).start_ns() == header.start_nanos);
  CHECK(opened.event(0).duration_ns() == 0);
}

TEST_CASE("a chunk full of damaged metadata events ends in no time") {
  SmallChunk chunk = two_ticks();
  Bytes records;
  records.reserve(4'000'000);
  for (int i = 0; i < 1'000'000; ++i) test::append(records, test::from_hex("04 00 00 00"));
  chunk.writer().raw(records);
  chunk.writer().header().metadata_offset = 100'000;
  const auto begin = std::chrono::steady_clock::now();
  const Opened opened(chunk.writer().bytes());
  CHECK(opened.chunks.empty());
  CHECK(opened.error);
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(20));
}

TEST_CASE("types that are wanted are indexed at once, the others when they are asked for") {
  SmallChunk chunk = two_ticks();
  chunk.simple_type("t.Symbol", 50, "String text");
  chunk.checkpoint({.pools = {chunk.pool("Symbol").entry(1, ByteWriter().string("one"))}});
  const Bytes bytes = chunk.bytes();
  for (const bool is_wanted : {true, false}) {
    const auto input = memory_input(bytes);
    ProblemLog log;
    ChunkSource source(*input, {}, log);
    TypeSystemCache cache;
    std::vector<std::string_view> wanted = {"t.Missing"};
    if (is_wanted) wanted.emplace_back("t.Symbol");
    const auto contents = open_chunk(*source.next(), wanted, true, {}, cache, log);
    REQUIRE(contents);
    const PoolIndex& index = contents->pools.index(TypeId{50});
    CHECK(index.size() == 1);
    CHECK(index.find(1) == 0);
    CHECK(&contents->pools.index(TypeId{50}) == &index);
  }
}

TEST_CASE("pools may be left out") {
  SmallChunk chunk = two_ticks();
  chunk.checkpoint({.pools = {test::Pool{999}.entry(1, ByteWriter().string("undeclared"))}});
  const Bytes bytes = chunk.bytes();
  const auto input = memory_input(bytes);
  ProblemLog log;
  ChunkSource source(*input, {}, log);
  TypeSystemCache cache;
  const auto contents = open_chunk(*source.next(), {}, false, {}, cache, log);
  REQUIRE(contents);
  CHECK(log.entries().empty());
  CHECK(contents->pools.index(TypeId{999}).size() == 0);
}

}  // namespace jfrtree::internal
