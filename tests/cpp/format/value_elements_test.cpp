// All elements of a value in one pass: class ValueElements.

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <vector>

#include "format/opened.hpp"
#include "format/small_chunk.hpp"
#include "support/standard_chunk.hpp"

namespace jfrtree {

namespace {

using test::ByteWriter;
using test::Opened;
using test::SmallChunk;

static_assert(std::forward_iterator<ValueElements::Iterator>);

/// A chunk with one event type of these fields.
SmallChunk chunk_with(std::string_view fields) {
  SmallChunk chunk;
  chunk.simple_type("t.Symbol", 50, "String text");
  chunk.plain_type("t.Point", 51, "int x; String name");
  chunk.event_type("t.Event", 100, fields);
  return chunk;
}

/// Texts of strings, numbers of others, with spaces between.
std::string joined(const ValueElements& elements) {
  std::string text;
  for (const Value element : elements) {
    if (!text.empty()) text += ' ';
    const bool is_number = element.kind() == Value::Kind::integer;
    text += is_number ? std::to_string(element.integer()) : element.text();
  }
  return text;
}

}  // namespace

TEST_CASE("elements are those of an array in order") {
  SmallChunk chunk = chunk_with("int[] numbers; Point[] points; Symbol*[] symbols; int after");
  chunk.checkpoint({.pools = {chunk.pool("Symbol")
                                  .entry(7, ByteWriter().string("seven"))
                                  .entry(8, ByteWriter().string("eight"))}});
  ByteWriter payload;
  payload.count(3).int_value(300).int_value(-1).int_value(5);
  payload.count(2).int_value(1).string("one").int_value(2).string("two");
  payload.count(3).key(8).key(7).key(8).int_value(77);
  chunk.raw_event(100, payload);
  const Opened opened(chunk.bytes());
  const Event event = opened.event(0);
  CHECK(joined(event["numbers"].elements()) == "300 -1 5");
  CHECK(joined(event["symbols"].elements()) == "eight seven eight");
  CHECK(event["numbers"].elements().size() == 3);
  std::string points;
  for (const Value point : event["points"].elements()) points += point["name"].text() + ';';
  CHECK(points == "one;two;");
}

TEST_CASE("elements are the fields of a struct, also behind a reference") {
  SmallChunk chunk = chunk_with("Point here; Point* there");
  chunk.checkpoint(
      {.pools = {chunk.pool("Point").entry(3, ByteWriter().int_value(9).string("nine"))}});
  chunk.raw_event(100, ByteWriter().int_value(4).string("four").key(3));
  const Opened opened(chunk.bytes());
  CHECK(joined(opened.event(0)["here"].elements()) == "4 four");
  CHECK(joined(opened.event(0)["there"].elements()) == "9 nine");
}

TEST_CASE("what has no elements gives none") {
  SmallChunk chunk = chunk_with("int[] empty; int number; Point* missing");
  chunk.raw_event(100, ByteWriter().count(0).int_value(4).key(3));
  const Opened opened(chunk.bytes());
  const Event event = opened.event(0);
  for (const Value& value : {event["empty"], event["number"], event["missing"], event["nowhere"]}) {
    CHECK(value.elements().empty());
    CHECK(value.elements().begin() == value.elements().end());
  }
}

TEST_CASE("elements that the bytes do not reach are null, as by position") {
  SmallChunk chunk = chunk_with("String[] texts");
  // The second text claims ten bytes and has three, the third and fourth have none.
  chunk.raw_event(100, ByteWriter().count(4).string("a").claimed_string(10, "bcd"));
  const Opened opened(chunk.bytes());
  const Value texts = opened.event(0)["texts"];
  REQUIRE(texts.size() == 4);
  std::size_t position = 0;
  for (const Value text : texts.elements()) {
    CHECK(text.kind() == texts[position].kind());
    CHECK(text.text() == (position == 0 ? "a" : ""));
    ++position;
  }
  CHECK(position == 4);
}

TEST_CASE("a range outlives its value, and an iterator its range") {
  SmallChunk chunk = chunk_with("int[] numbers");
  chunk.raw_event(100, ByteWriter().count(3).int_value(1).int_value(2).int_value(3));
  const Opened opened(chunk.bytes());
  const ValueElements elements = opened.event(0)["numbers"].elements();
  ValueElements::Iterator second = Value(opened.event(0)["numbers"]).elements().begin();
  CHECK((*second++).integer() == 1);
  CHECK((*second).integer() == 2);
  CHECK(std::count_if(elements.begin(), elements.end(),
                      [](const Value& number) { return number.integer() > 1; }) == 2);
}

TEST_CASE("a stack of 100,000 frames is walked in one pass") {
  constexpr std::size_t depth = 100'000;
  auto chunk = test::jdk17_chunk();
  std::vector<test::FrameSpec> frames(depth, "Main.run");
  for (std::size_t level = 0; level < depth; ++level) {
    frames[level].line(static_cast<std::int32_t>(level));
  }
  chunk.execution_sample({.stack = chunk.stack(frames)});
  const Opened opened(chunk.bytes());
  std::size_t level = depth;
  bool are_lines_right = true;
  for (const Value frame : opened.event(0).at("stackTrace.frames").elements()) {
    --level;
    const auto line = static_cast<std::size_t>(frame["lineNumber"].integer());
    are_lines_right = are_lines_right && line == level;
  }
  CHECK(level == 0);
  CHECK(are_lines_right);
}

}  // namespace jfrtree
