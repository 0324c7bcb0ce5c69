// Chains of checkpoints that are long, broken or cut: the other half of ConstantPools.

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <vector>

#include "format/chunk_contents.hpp"
#include "format/opened.hpp"
#include "format/small_chunk.hpp"

namespace jfrtree::internal {

namespace {

using test::Bytes;
using test::ByteWriter;
using test::ChunkWriter;
using test::HeaderFields;
using test::Opened;
using test::Pool;
using test::SmallChunk;

constexpr std::uint64_t symbol_id = 50;

Pool symbols(std::uint64_t key, const std::string& text) {
  return Pool{symbol_id}.entry(key, ByteWriter().string(text));
}

SmallChunk chunk_with_symbols(const HeaderFields& header = {}) {
  SmallChunk chunk(header);
  chunk.simple_type("t.Symbol", symbol_id, "String text");
  chunk.event_type("t.Event", 100, "Symbol* symbol; int n");
  return chunk;
}

std::string symbol(const Opened& opened, std::uint64_t key) {
  const Value value = find_constant(opened.chunks.at(0), TypeId{symbol_id}, ConstantKey{key});
  return value.is_null() ? "-" : value.text();
}

/// Three checkpoints with an event behind each; the delta of the last one is given.
SmallChunk three_checkpoints(std::optional<std::int64_t> delta = std::nullopt) {
  SmallChunk chunk = chunk_with_symbols();
  chunk.checkpoint({.pools = {symbols(1, "one")}});
  chunk.event("t.Event", {{"n", 1}});
  chunk.checkpoint({.pools = {symbols(2, "two")}});
  chunk.event("t.Event", {{"n", 2}});
  chunk.checkpoint({.pools = {symbols(3, "three")}, .delta = delta});
  chunk.event("t.Event", {{"n", 3}});
  return chunk;
}

void check_all_three(const Opened& opened) {
  CHECK(symbol(opened, 1) == "one");
  CHECK(symbol(opened, 2) == "two");
  CHECK(symbol(opened, 3) == "three");
  CHECK(opened.integers("n") == "1 2 3");
}

}  // namespace

TEST_CASE("a chain of 2000 checkpoints is followed to its start") {
  SmallChunk chunk = chunk_with_symbols();
  for (std::uint64_t i = 0; i < 2000; ++i) {
    chunk.checkpoint({.pools = {symbols(i, "#" + std::to_string(i))}});
  }
  const Opened opened(chunk.bytes());
  CHECK(opened.findings().empty());
  for (const std::uint64_t key : {0U, 1U, 999U, 1999U}) {
    CHECK(symbol(opened, key) == "#" + std::to_string(key));
  }
}

TEST_CASE("a chain that leads nowhere is reported once and all checkpoints are searched") {
  using Range = std::numeric_limits<std::int64_t>;
  // Forward out of the chunk, backward out of it, into the header, into the middle of a record,
  // onto an event, and as far as 64 bits go.
  for (const std::int64_t delta :
       {std::int64_t{100'000}, std::int64_t{-100'000}, std::int64_t{-60}, std::int64_t{-1},
        std::int64_t{-5}, Range::min(), Range::max()}) {
    CAPTURE(delta);
    const Opened opened(three_checkpoints(delta).bytes());
    REQUIRE(opened.problems.size() == 1);
    CHECK(opened.problems[0].code == ErrorCode::bad_constant_pool);
    CHECK(opened.problems[0].severity == Severity::problem);
    CHECK(opened.problems[0].count == 1);
    check_all_three(opened);
  }
}

TEST_CASE("a loop in the chain ends") {
  // The checkpoint before names this one: size, type, start time of two bytes, duration, delta.
  SmallChunk chunk = chunk_with_symbols();
  ChunkWriter& writer = chunk.writer();
  const std::size_t low = writer.checkpoint({.pools = {symbols(1, "one")}, .delta = 0});
  chunk.event("t.Event", {{"n", 1}});
  const std::size_t middle = writer.checkpoint({.pools = {symbols(2, "two")}});
  chunk.event("t.Event", {{"n", 2}});
  writer.checkpoint({.pools = {symbols(3, "three")}});
  chunk.event("t.Event", {{"n", 3}});
  REQUIRE(middle - low < 64);
  writer.patch(low + 5, test::varint(middle - low));
  const Opened opened(chunk.bytes());
  CHECK(opened.problems.size() == 1);
  check_all_three(opened);

  // One that names itself has a delta of 0, which is the end of the chain.
  const Opened itself(three_checkpoints(0).bytes());
  CHECK(itself.findings().empty());
  CHECK(symbol(itself, 3) == "three");
  CHECK(symbol(itself, 2) == "-");
}

TEST_CASE("a header that names no checkpoint is repaired by a search") {
  const std::size_t metadata_at = three_checkpoints().writer().offset();
  for (const std::int64_t offset :
       {std::int64_t{1}, std::int64_t{67}, std::int64_t{69}, std::int64_t{-100},
        std::int64_t{1} << 40, static_cast<std::int64_t>(metadata_at)}) {
    CAPTURE(offset);
    SmallChunk chunk = three_checkpoints();
    chunk.writer().header().checkpoint_offset = offset;
    const Opened opened(chunk.bytes());
    REQUIRE(opened.problems.size() == 1);
    CHECK(opened.problems[0].code == ErrorCode::bad_constant_pool);
    check_all_three(opened);
  }
}

TEST_CASE("the search lets the checkpoint nearest to the start win, as the chain does") {
  SmallChunk chunk = chunk_with_symbols();
  chunk.checkpoint({.pools = {symbols(1, "lowest offset")}});
  chunk.checkpoint({.pools = {symbols(1, "highest offset")}, .delta = -100'000});
  const Opened opened(chunk.bytes());
  CHECK(opened.problems.size() == 1);
  CHECK(symbol(opened, 1) == "lowest offset");
}

TEST_CASE("a finished chunk whose header names no checkpoint has no constants") {
  SmallChunk chunk = three_checkpoints();
  chunk.writer().header().checkpoint_offset = 0;
  const Opened opened(chunk.bytes());
  CHECK(opened.findings().empty());
  CHECK(symbol(opened, 1) == "-");
  CHECK(opened.integers("n") == "1 2 3");
}

TEST_CASE("the constants of a chunk that is cut are those of its checkpoints that are there") {
  SmallChunk chunk = chunk_with_symbols();
  chunk.writer().metadata(chunk.types().metadata());
  const auto metadata_at = static_cast<std::int64_t>(test::chunk_header_size);
  chunk.writer().header().metadata_offset = metadata_at;
  chunk.checkpoint({.pools = {symbols(1, "one")}});
  chunk.checkpoint({.pools = {symbols(2, "two")}});
  const std::size_t here = chunk.writer().offset();
  chunk.checkpoint({.pools = {symbols(3, "three")}});
  Bytes bytes = chunk.writer().bytes();
  for (const std::size_t size : {here, here + 1, here + 10}) {
    CAPTURE(size);
    const Opened opened(Bytes(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)));
    REQUIRE(opened.chunks.size() == 1);
    CHECK(opened.chunks[0].info().state == ChunkState::truncated);
    CHECK(symbol(opened, 1) == "one");
    CHECK(symbol(opened, 2) == "two");
    CHECK(symbol(opened, 3) == "-");
  }
}

TEST_CASE("a checkpoint of a wrong size keeps the others") {
  for (const std::uint64_t claimed :
       {std::uint64_t{0}, std::uint64_t{3}, std::uint64_t{1} << 30, ~std::uint64_t{9}}) {
    CAPTURE(claimed);
    SmallChunk chunk = chunk_with_symbols();
    chunk.checkpoint({.pools = {symbols(1, "one")}});
    chunk.checkpoint({.pools = {symbols(2, "two")}});
    chunk.checkpoint({.pools = {symbols(3, "three")}, .size = {.claimed = claimed}});
    const Opened opened(chunk.bytes());
    REQUIRE_FALSE(opened.problems.empty());
    CHECK(opened.problems[0].code == ErrorCode::bad_constant_pool);
    CHECK(symbol(opened, 1) == "one");
    CHECK(symbol(opened, 2) == "two");
  }
}

TEST_CASE("bytes behind the last pool of a checkpoint are a note") {
  SmallChunk chunk = chunk_with_symbols();
  chunk.checkpoint({.pools = {symbols(1, "one")}, .trailing = Bytes(4)});
  const Opened opened(chunk.bytes());
  CHECK(opened.findings() == "[bad_constant_pool chunk 1 at 68]");
  CHECK(symbol(opened, 1) == "one");
}

TEST_CASE("sizes and counts of checkpoints may be padded, as the JVM pads them") {
  SmallChunk chunk = chunk_with_symbols();
  Pool pool = symbols(1, "one");
  pool.count_width = 4;
  chunk.checkpoint({.pools = {pool}, .flags = 8, .size = {.width = 8}});
  chunk.checkpoint({.pools = {symbols(2, "two")}, .start_ticks = -5, .size = {.width = 5}});
  const Opened opened(chunk.bytes());
  CHECK(opened.findings().empty());
  CHECK(symbol(opened, 1) == "one");
  CHECK(symbol(opened, 2) == "two");
}

TEST_CASE("a header copy in a pool is a constant like any other") {
  SmallChunk chunk = chunk_with_symbols();
  chunk.simple_type("jdk.types.ChunkHeader", 60, "byte[] payload");
  const Bytes copy = HeaderFields().bytes();
  chunk.checkpoint(
      {.pools = {Pool{60}.entry(1, ByteWriter().count(68).raw(copy)), symbols(1, "one")},
       .flags = 2});
  const Opened opened(chunk.bytes());
  CHECK(opened.findings().empty());
  CHECK(symbol(opened, 1) == "one");
  const Value payload = find_constant(opened.chunks.at(0), TypeId{60}, ConstantKey{1})["payload"];
  REQUIRE(payload.size() == 68);
  CHECK(payload[0].integer() == 'F');
  CHECK(payload[67].integer() == 3);
}

}  // namespace jfrtree::internal
