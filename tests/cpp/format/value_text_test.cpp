// Texts of values: strings of all encodings, simple types, the string pool.

#include <doctest/doctest.h>

#include <string>

#include "format/opened.hpp"
#include "format/small_chunk.hpp"

namespace jfrtree {

namespace {

using test::ByteWriter;
using test::Opened;
using test::Pool;
using test::SmallChunk;
using test::StringEncoding;

using Kind = Value::Kind;

SmallChunk chunk_with(std::string_view fields) {
  SmallChunk chunk;
  chunk.simple_type("t.Symbol", 50, "String text");
  chunk.simple_type("t.Twice", 51, "Symbol* symbol");
  chunk.event_type("t.Event", 100, fields);
  return chunk;
}

}  // namespace

TEST_CASE("a string has its text in every encoding") {
  SmallChunk chunk = chunk_with("String s");
  for (const auto encoding :
       {StringEncoding::utf8, StringEncoding::utf16, StringEncoding::latin1}) {
    chunk.raw_event(100, ByteWriter().string("héllo", encoding));
  }
  chunk.raw_event(100, ByteWriter().raw(test::from_hex("03 0a 55 24 ed a0 b5 ed b2 b3 c3 a9")));
  chunk.raw_event(100, ByteWriter().raw(test::from_hex("03 03 6d e5 6e")));
  const Opened opened(chunk.bytes());
  for (std::size_t i = 0; i < 3; ++i) CHECK(opened.event(i)["s"].text() == "héllo");
  CHECK(opened.event(3)["s"].text() == "U$\U0001D4B3é");
  CHECK(opened.event(4)["s"].text() == "m\uFFFDn");
}

TEST_CASE("null is not the empty string") {
  SmallChunk chunk = chunk_with("String s");
  chunk.raw_event(100, ByteWriter().null_string());
  chunk.raw_event(100, ByteWriter().string("", StringEncoding::empty));
  chunk.raw_event(100, ByteWriter().string(""));
  const Opened opened(chunk.bytes());
  CHECK(opened.event(0)["s"].is_null());
  for (std::size_t i = 1; i < 3; ++i) {
    CHECK(opened.event(i)["s"].kind() == Kind::string);
    CHECK(opened.event(i)["s"].text().empty());
  }
}

TEST_CASE("strings of the pool are reached by encoding and by key") {
  SmallChunk chunk = chunk_with("String inlined; String* by_key");
  chunk.checkpoint({.pools = {Pool{10}
                                  .entry(0, ByteWriter().null_string())
                                  .entry(11, ByteWriter().string("eleven", StringEncoding::utf16))
                                  .entry(12, ByteWriter().string("", StringEncoding::empty))
                                  .entry(13, ByteWriter().pooled_string(11))}});
  for (const std::uint64_t key : {11U, 12U, 13U, 0U, 99U}) {
    chunk.raw_event(100, ByteWriter().pooled_string(key).key(key));
  }
  const Opened opened(chunk.bytes());
  for (const char* name : {"inlined", "by_key"}) {
    CAPTURE(name);
    const auto value = [&](std::size_t i) { return opened.event(i)[name].resolve(); };
    CHECK(value(0).kind() == Kind::string);
    CHECK(value(0).text() == "eleven");
    CHECK(value(0).key() == ConstantKey{11});
    CHECK(value(1).kind() == Kind::string);
    CHECK(value(1).text().empty());
    CHECK(value(2).text() == "eleven");
    CHECK(value(3).is_null());
    CHECK(value(4).is_null());
    CHECK(value(4).text().empty());
  }
  CHECK(opened.event(0)["by_key"].kind() == Kind::reference);
  CHECK(opened.event(0)["by_key"].text() == "eleven");
}

TEST_CASE("strings of the pool that refer to each other end") {
  SmallChunk chunk = chunk_with("String s");
  chunk.checkpoint({.pools = {Pool{10}
                                  .entry(1, ByteWriter().pooled_string(1))
                                  .entry(2, ByteWriter().pooled_string(3))
                                  .entry(3, ByteWriter().pooled_string(2))}});
  for (const std::uint64_t key : {1U, 2U, 3U})
    chunk.raw_event(100, ByteWriter().pooled_string(key));
  const Opened opened(chunk.bytes());
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(opened.event(i)["s"].is_null());
    CHECK(opened.event(i)["s"].text().empty());
  }
}

TEST_CASE("a simple type has the text of its field, inline and by reference") {
  SmallChunk chunk = chunk_with("Symbol inlined; Symbol* by_key; Twice twice; Twice* far");
  chunk.checkpoint({.pools = {chunk.pool("Symbol").entry(7, ByteWriter().string("seven")),
                              chunk.pool("Twice").entry(8, ByteWriter().key(7))}});
  chunk.raw_event(100, ByteWriter().string("here").key(7).key(7).key(8));
  const Opened opened(chunk.bytes());
  const Event event = opened.event(0);
  CHECK(event["inlined"].text() == "here");
  CHECK(event["inlined"].type()->is_simple);
  CHECK(event["by_key"].text() == "seven");
  CHECK(event["twice"].text() == "seven");
  CHECK(event["far"].text() == "seven");
  CHECK(event["far"]["symbol"]["text"].text() == "seven");
}

TEST_CASE("simple types that refer to each other have no text") {
  SmallChunk chunk;
  chunk.simple_type("t.Self", 50, "Self* self");
  chunk.event_type("t.Event", 100, "Self* s");
  chunk.checkpoint({.pools = {chunk.pool("Self").entry(1, ByteWriter().key(1))}});
  chunk.raw_event(100, ByteWriter().key(1));
  const Opened opened(chunk.bytes());
  CHECK(opened.event(0)["s"].text().empty());
  CHECK(opened.event(0)["s"]["self"]["self"].key() == ConstantKey{1});
}

TEST_CASE("texts are cut at the limit of a string") {
  SmallChunk chunk = chunk_with("String s");
  chunk.raw_event(100, ByteWriter().string("abcdefghij"));
  chunk.raw_event(100, ByteWriter().string("abcdefghij", StringEncoding::utf16));
  Limits limits;
  limits.string_bytes = 64;  // enough for the names of the metadata
  const Opened whole(chunk.bytes(), test::Source::memory, limits);
  CHECK(whole.event(0)["s"].text() == "abcdefghij");

  SmallChunk longer = chunk_with("String s");
  longer.raw_event(100, ByteWriter().string(std::string(100, 'x')));
  longer.raw_event(100, ByteWriter().string(std::string(100, 'x'), StringEncoding::utf16));
  const Opened cut(longer.bytes(), test::Source::memory, limits);
  CHECK(cut.event(0)["s"].text() == std::string(64, 'x'));
  CHECK(cut.event(1)["s"].text() == std::string(64, 'x'));
}

TEST_CASE("a string whose encoding or length is wrong is null") {
  SmallChunk chunk = chunk_with("String s; int after");
  chunk.raw_event(100, ByteWriter().u8(9).zeros(4));
  chunk.raw_event(100, ByteWriter().claimed_string(1ULL << 31, "short"));
  chunk.raw_event(100, ByteWriter().claimed_string(0xffffffff, "short", StringEncoding::utf16));
  const Opened opened(chunk.bytes());
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(opened.event(i)["s"].is_null());
    CHECK(opened.event(i)["after"].is_null());
  }
}

}  // namespace jfrtree
