#include "format/constant_pools.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <string>
#include <string_view>
#include <utility>
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
constexpr std::uint64_t top_key = ~std::uint64_t{0};

/// A chunk that declares a type for constants and an event type.
SmallChunk chunk_with_symbols(const HeaderFields& header = {}) {
  SmallChunk chunk(header);
  chunk.simple_type("t.Symbol", symbol_id, "String text");
  chunk.plain_type("t.Pair", 51, "Symbol* first; Symbol* second; long number");
  chunk.event_type("t.Event", 100, "Symbol* symbol; int n");
  return chunk;
}

ByteWriter text(std::string_view value) { return ByteWriter().string(value); }

/// A pool of symbols: key, text, key, text, …
Pool symbols(const std::vector<std::pair<std::uint64_t, std::string>>& entries) {
  Pool pool{symbol_id};
  for (const auto& [key, value] : entries) pool.entry(key, text(value));
  return pool;
}

/// Text of the symbol with that key; "-" when the pool has none.
std::string symbol(const Opened& opened, std::uint64_t key, std::size_t chunk = 0) {
  const Value value = find_constant(opened.chunks.at(chunk), TypeId{symbol_id}, ConstantKey{key});
  return value.is_null() ? "-" : value.text();
}

std::size_t entries(const Opened& opened, std::uint64_t type = symbol_id) {
  return opened.chunks.at(0).contents().pools.index(TypeId{type}).size();
}

}  // namespace

TEST_CASE("constants of all checkpoints of the chain are found") {
  SmallChunk chunk = chunk_with_symbols();
  chunk.checkpoint({.pools = {symbols({{1, "one"}})}});
  chunk.event("t.Event", {{"symbol", 2}, {"n", 7}});
  chunk.checkpoint({.pools = {symbols({{2, "two"}}), Pool{51}.entry(9, ByteWriter().zeros(3))}});
  chunk.checkpoint({.pools = {symbols({{3, "three"}})}});
  const Opened opened(chunk.bytes());
  CHECK(opened.findings().empty());
  CHECK(symbol(opened, 1) == "one");
  CHECK(symbol(opened, 2) == "two");
  CHECK(symbol(opened, 3) == "three");
  CHECK(symbol(opened, 4) == "-");
  CHECK(opened.event(0).at("symbol").text() == "two");
  CHECK(entries(opened) == 3);
  CHECK(entries(opened, 51) == 1);
  CHECK(entries(opened, 100) == 0);
  CHECK(entries(opened, 12345) == 0);
}

TEST_CASE("of several checkpoints the one that the chain visits last wins") {
  SmallChunk chunk = chunk_with_symbols();
  chunk.checkpoint({.pools = {symbols({{1, "lowest offset"}, {2, "only here"}})}});
  chunk.checkpoint({.pools = {symbols({{1, "in the middle"}})}});
  chunk.checkpoint({.pools = {symbols({{1, "highest offset"}})}});
  const Opened opened(chunk.bytes());
  CHECK(symbol(opened, 1) == "lowest offset");
  CHECK(symbol(opened, 2) == "only here");
}

TEST_CASE("the order is that of the chain, not that of the offsets") {
  SmallChunk chunk = chunk_with_symbols();
  ChunkWriter& writer = chunk.writer();
  const std::size_t low = writer.checkpoint({.pools = {symbols({{1, "low"}})}, .delta = 0});
  const std::size_t high = writer.checkpoint({.pools = {symbols({{1, "high"}})}, .delta = 0});
  // A chain that goes forward: low first, then high. Both have deltas of one byte.
  const auto delta = static_cast<std::int64_t>(high - low);
  REQUIRE(delta < 64);
  // size, type, start time of two bytes, duration: the delta is the sixth byte.
  writer.patch(low + 5, test::varint(static_cast<std::uint64_t>(delta)));
  writer.header().checkpoint_offset = static_cast<std::int64_t>(low);
  const Opened opened(chunk.bytes());
  CHECK(opened.findings().empty());
  CHECK(symbol(opened, 1) == "high");
}

TEST_CASE("within one checkpoint the last entry of a key wins, also across its pools") {
  SmallChunk chunk = chunk_with_symbols();
  chunk.checkpoint({.pools = {symbols({{1, "a"}, {1, "b"}, {2, "c"}}), symbols({{2, "d"}})}});
  const Opened opened(chunk.bytes());
  CHECK(symbol(opened, 1) == "b");
  CHECK(symbol(opened, 2) == "d");
}

TEST_CASE("key 0 is an entry like any other where it is there, else null") {
  SmallChunk with = chunk_with_symbols();
  with.checkpoint({.pools = {symbols({{0, "Interpreted"}, {1, "JIT compiled"}})}});
  with.event("t.Event", {{"symbol", 0}});
  const Opened there(with.bytes());
  CHECK(there.event(0)["symbol"].resolve().text() == "Interpreted");

  SmallChunk without = chunk_with_symbols();
  without.checkpoint({.pools = {symbols({{1, "JIT compiled"}})}});
  without.event("t.Event", {{"symbol", 0}});
  const Opened absent(without.bytes());
  CHECK(absent.findings().empty());
  CHECK(absent.event(0)["symbol"].resolve().is_null());
}

TEST_CASE("keys use all 64 bits") {
  SmallChunk chunk = chunk_with_symbols();
  const std::vector<std::uint64_t> keys = {top_key, std::uint64_t{1} << 63, std::uint64_t{1} << 38,
                                           0xffffffff, 0};
  Pool pool{symbol_id};
  for (const std::uint64_t key : keys) pool.entry(key, text("#" + std::to_string(key)));
  chunk.checkpoint({.pools = {pool}});
  chunk.event("t.Event", {{"symbol", -1}});
  const Opened opened(chunk.bytes());
  for (const std::uint64_t key : keys) CHECK(symbol(opened, key) == "#" + std::to_string(key));
  CHECK(opened.event(0).at("symbol").text() == "#18446744073709551615");
  CHECK(opened.event(0)["symbol"].key() == ConstantKey{top_key});
}

TEST_CASE("keys that differ in high bits only are found in no time") {
  constexpr std::uint64_t count = 30'000;
  const auto begin = std::chrono::steady_clock::now();
  for (const unsigned shift : {16U, 32U, 48U}) {
    SmallChunk chunk = chunk_with_symbols();
    Pool pool{symbol_id};
    for (std::uint64_t i = 0; i < count; ++i) pool.entry(i << shift, text("x"));
    chunk.checkpoint({.pools = {pool}});
    const Opened opened(chunk.bytes());
    std::size_t found = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
      found += symbol(opened, i << shift) == "x" ? 1U : 0U;
    }
    CHECK(found == count);
  }
  // Quadratic time would be minutes.
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(20));
}

TEST_CASE("empty pools and checkpoints without pools are fine") {
  SmallChunk chunk = chunk_with_symbols();
  chunk.checkpoint({.pools = {symbols({{1, "one"}})}});
  chunk.checkpoint({});
  chunk.checkpoint({.pools = {Pool{symbol_id}, Pool{51}, symbols({{2, "two"}})}});
  const Opened opened(chunk.bytes());
  CHECK(opened.findings().empty());
  CHECK(symbol(opened, 1) == "one");
  CHECK(symbol(opened, 2) == "two");
}

TEST_CASE("a chunk without checkpoints has no constants") {
  SmallChunk chunk = chunk_with_symbols();
  chunk.event("t.Event", {{"symbol", 1}, {"n", 2}});
  const Opened opened(chunk.bytes());
  CHECK(opened.findings().empty());
  CHECK(opened.event(0)["symbol"].resolve().is_null());
  CHECK(opened.event(0)["n"].integer() == 2);
  CHECK(entries(opened) == 0);
}

TEST_CASE("a pool of an undeclared class loses the rest of its checkpoint alone") {
  SmallChunk chunk = chunk_with_symbols();
  chunk.checkpoint({.pools = {symbols({{1, "one"}})}});
  const std::size_t at = chunk.writer().offset();
  chunk.checkpoint({.pools = {symbols({{2, "before"}}), Pool{999}.entry(1, text("lost")),
                              symbols({{3, "behind"}})}});
  chunk.checkpoint({.pools = {symbols({{4, "four"}})}});
  const Opened opened(chunk.bytes());
  CHECK(opened.findings() == "bad_constant_pool chunk 1 at " + std::to_string(at));
  CHECK(symbol(opened, 1) == "one");
  CHECK(symbol(opened, 2) == "before");
  CHECK(symbol(opened, 3) == "-");
  CHECK(symbol(opened, 4) == "four");
}

TEST_CASE("an empty pool of an undeclared class loses nothing") {
  SmallChunk chunk = chunk_with_symbols();
  chunk.checkpoint({.pools = {Pool{999}, symbols({{3, "behind"}})}});
  const Opened opened(chunk.bytes());
  CHECK(opened.findings().empty());
  CHECK(symbol(opened, 3) == "behind");
}

TEST_CASE("entries in front of a damaged one are kept") {
  SmallChunk chunk = chunk_with_symbols();
  const std::size_t at = chunk.writer().offset();
  Pool pool = symbols({{1, "one"}, {2, "two"}});
  pool.entry(3, ByteWriter().claimed_string(50, "cut"));
  chunk.checkpoint({.pools = {pool}});
  const Opened opened(chunk.bytes());
  CHECK(opened.findings() == "bad_constant_pool chunk 1 at " + std::to_string(at));
  CHECK(symbol(opened, 1) == "one");
  CHECK(symbol(opened, 2) == "two");
  CHECK(symbol(opened, 3) == "-");
}

TEST_CASE("a pool that claims more entries than there are keeps those that are there") {
  for (const std::uint64_t claimed :
       {std::uint64_t{3}, std::uint64_t{1} << 31, std::uint64_t{1} << 40, top_key}) {
    CAPTURE(claimed);
    SmallChunk chunk = chunk_with_symbols();
    Pool pool = symbols({{1, "one"}, {2, "two"}});
    pool.claimed_count = claimed;
    chunk.checkpoint({.pools = {pool}});
    const Opened opened(chunk.bytes());
    CHECK(opened.findings() == "bad_constant_pool chunk 1 at 68");
    CHECK(symbol(opened, 1) == "one");
    CHECK(symbol(opened, 2) == "two");
  }
}

TEST_CASE("more pools claimed than there are keep those that are there") {
  SmallChunk chunk = chunk_with_symbols();
  chunk.checkpoint({.pools = {symbols({{1, "one"}})}, .claimed_pool_count = 1ULL << 40});
  const Opened opened(chunk.bytes());
  CHECK(opened.findings() == "bad_constant_pool chunk 1 at 68");
  CHECK(symbol(opened, 1) == "one");
}

TEST_CASE("the entries of all pools have a limit that is named") {
  SmallChunk chunk = chunk_with_symbols();
  Pool pool{symbol_id};
  for (std::uint64_t i = 0; i < 100; ++i) pool.entry(i, text("x"));
  chunk.checkpoint({.pools = {pool}});
  Limits limits;
  limits.pool_entries = 100;
  CHECK(Opened(chunk.bytes(), test::Source::memory, limits).findings().empty());
  limits.pool_entries = 50;
  const Opened opened(chunk.bytes(), test::Source::memory, limits);
  REQUIRE_FALSE(opened.problems.empty());
  CHECK(opened.problems[0].code == ErrorCode::limit_exceeded);
  CHECK(opened.problems[0].message.find("pool_entries") != std::string::npos);
  CHECK(symbol(opened, 49) == "x");
  CHECK(symbol(opened, 50) == "-");
}

}  // namespace jfrtree::internal
