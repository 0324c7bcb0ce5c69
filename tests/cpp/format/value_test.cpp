// Values of events and constants: class Value and the reader behind it.

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>

#include "format/opened.hpp"
#include "format/small_chunk.hpp"

namespace jfrtree {

namespace {

using test::Bytes;
using test::ByteWriter;
using test::HeaderFields;
using test::Opened;
using test::SmallChunk;

using Kind = Value::Kind;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// A chunk with one event type of these fields.
SmallChunk chunk_with(std::string_view fields, const HeaderFields& header = {}) {
  SmallChunk chunk(header);
  chunk.simple_type("t.Symbol", 50, "String text");
  chunk.plain_type("t.Point", 51, "int x; int y");
  chunk.plain_type("t.Line", 52, "Point from; Point to; String name");
  chunk.plain_type("t.Node", 53, "String name; Node* next");
  chunk.plain_type("t.Tree", 54, "int value; Tree[] children");
  chunk.event_type("t.Event", 100, fields);
  return chunk;
}

}  // namespace

TEST_CASE("the null value answers every question") {
  const Value null;
  CHECK(null.is_null());
  CHECK(null.type() == nullptr);
  CHECK(null.field() == nullptr);
  CHECK(null.integer() == 0);
  CHECK(null.number() == 0);
  CHECK(null.text().empty());
  CHECK_FALSE(null.key());
  CHECK(null.resolve().is_null());
  CHECK(null.size() == 0);
  CHECK(null[0].is_null());
  CHECK(null["x"].is_null());
  CHECK(null.at("x.0.y").is_null());
}

TEST_CASE("primitive values have their kind, their range and their sign") {
  SmallChunk chunk =
      chunk_with("boolean z; byte b; short s; char c; int i; long j; float f; double d");
  chunk.raw_event(100, ByteWriter()
                           .boolean_value(true)
                           .byte_value(-2)
                           .short_value(-3)
                           .char_value(u'€')
                           .int_value(-4)
                           .long_value(INT64_MIN)
                           .float_value(1.5F)
                           .double_value(-2.5));
  const Opened opened(chunk.bytes());
  const Event event = opened.event(0);
  CHECK(event["z"].kind() == Kind::boolean);
  CHECK(event["z"].integer() == 1);
  CHECK(event["b"].kind() == Kind::integer);
  CHECK(event["b"].integer() == -2);
  CHECK(event["s"].integer() == -3);
  CHECK(event["c"].integer() == 0x20ac);
  CHECK(event["i"].integer() == -4);
  CHECK(event["i"].number() == -4.0);
  CHECK(event["j"].integer() == INT64_MIN);
  CHECK(event["f"].kind() == Kind::floating);
  CHECK(event["f"].number() == 1.5);
  CHECK(event["f"].integer() == 1);
  CHECK(event["d"].number() == -2.5);
  CHECK(event["d"].integer() == -2);
  CHECK(event["d"].type()->name == "double");
  CHECK(event["d"].field()->name == "d");
  CHECK(event["i"].text().empty());
  CHECK(event["i"].size() == 0);
  CHECK_FALSE(event["i"].key());
}

TEST_CASE("a boolean is true for any byte but 0") {
  SmallChunk chunk = chunk_with("boolean z");
  chunk.raw_event(100, ByteWriter().u8(0));
  chunk.raw_event(100, ByteWriter().u8(255));
  const Opened opened(chunk.bytes());
  CHECK(opened.integers("z") == "0 1");
}

TEST_CASE("unsigned fields are read without a sign") {
  SmallChunk chunk =
      chunk_with("byte b @Unsigned; short s @Unsigned; int i @Unsigned; long j @Unsigned");
  chunk.raw_event(100, ByteWriter().byte_value(-2).short_value(-2).int_value(-2).long_value(-2));
  const Opened opened(chunk.bytes());
  const Event event = opened.event(0);
  CHECK(event["b"].integer() == 254);
  CHECK(event["s"].integer() == 65'534);
  CHECK(event["i"].integer() == 4'294'967'294);
  CHECK(static_cast<std::uint64_t>(event["j"].integer()) == 18'446'744'073'709'551'614U);
}

TEST_CASE("integers of more bytes than their type are cut to it") {
  SmallChunk chunk = chunk_with("int i; short s; char c");
  chunk.raw_event(100, ByteWriter().key(~std::uint64_t{3}).key(0xffff'fffdU).key(0x1'0041));
  const Opened opened(chunk.bytes());
  CHECK(opened.event(0)["i"].integer() == -4);
  CHECK(opened.event(0)["s"].integer() == -3);
  CHECK(opened.event(0)["c"].integer() == 'A');
}

TEST_CASE("floating point beyond the integers is the nearest of them") {
  SmallChunk chunk = chunk_with("double d");
  for (const double number : {infinity, -infinity, std::nan(""), 1e300, -1e300, 0.9, -0.9}) {
    chunk.raw_event(100, ByteWriter().double_value(number));
  }
  const Opened opened(chunk.bytes());
  CHECK(opened.integers("d") ==
        "9223372036854775807 -9223372036854775808 0 9223372036854775807 -9223372036854775808 0 0");
  CHECK(opened.event(0)["d"].number() == infinity);
  CHECK(std::isnan(opened.event(2)["d"].number()));
}

TEST_CASE("structs inside of structs are read where they stand") {
  SmallChunk chunk = chunk_with("int before; Line line; int after");
  chunk.raw_event(100, ByteWriter()
                           .int_value(1)
                           .int_value(2)
                           .int_value(3)
                           .int_value(4)
                           .int_value(5)
                           .string("l")
                           .int_value(6));
  const Opened opened(chunk.bytes());
  const Event event = opened.event(0);
  const Value line = event["line"];
  CHECK(line.kind() == Kind::structure);
  CHECK(line.size() == 3);
  CHECK(line["from"]["x"].integer() == 2);
  CHECK(line[0][1].integer() == 3);
  CHECK(line.at("to.x").integer() == 4);
  CHECK(line.at("to.y").integer() == 5);
  CHECK(line["name"].text() == "l");
  CHECK(line[3].is_null());
  CHECK(line["missing"].is_null());
  CHECK(line.text().empty());
  CHECK(event["after"].integer() == 6);
}

TEST_CASE("arrays have their elements in order") {
  SmallChunk chunk = chunk_with(
      "int[] numbers; Line[] lines; Symbol*[] symbols; String[] texts; byte[] bytes; int after");
  chunk.checkpoint({.pools = {chunk.pool("Symbol").entry(7, ByteWriter().string("seven"))}});
  chunk.raw_event(100, ByteWriter()
                           .count(3)
                           .int_value(300)
                           .int_value(-1)
                           .int_value(0)
                           .count(2)
                           .zeros(4)
                           .string("first")
                           .int_value(1)
                           .int_value(2)
                           .int_value(3)
                           .int_value(4)
                           .null_string()
                           .count(2)
                           .key(7)
                           .key(8)
                           .count(2)
                           .null_string()
                           .string("t")
                           .count(2)
                           .u8(200)
                           .u8(1)
                           .int_value(77));
  const Opened opened(chunk.bytes());
  const Event event = opened.event(0);
  const Value numbers = event["numbers"];
  CHECK(numbers.kind() == Kind::array);
  REQUIRE(numbers.size() == 3);
  CHECK(numbers[0].integer() == 300);
  CHECK(numbers[1].integer() == -1);
  CHECK(numbers[2].integer() == 0);
  CHECK(numbers[3].is_null());
  CHECK(numbers["0"].is_null());
  CHECK(event["lines"].size() == 2);
  CHECK(event.at("lines.0.name").text() == "first");
  CHECK(event.at("lines.1.to.y").integer() == 4);
  CHECK(event.at("lines.1.name").is_null());
  CHECK(event["symbols"][0].kind() == Kind::reference);
  CHECK(event["symbols"][0].text() == "seven");
  CHECK(event["symbols"][1].resolve().is_null());
  CHECK(event["symbols"][1].key() == ConstantKey{8});
  CHECK(event["texts"][0].is_null());
  CHECK(event["texts"][1].text() == "t");
  CHECK(event["bytes"][0].integer() == -56);
  CHECK(event["after"].integer() == 77);
}

TEST_CASE("empty arrays are arrays, and one that claims too much is null") {
  SmallChunk chunk = chunk_with("int[] a; int after");
  chunk.raw_event(100, ByteWriter().count(0).int_value(5));
  chunk.raw_event(100, ByteWriter().count(1ULL << 31).int_value(5));
  const Opened opened(chunk.bytes());
  CHECK(opened.event(0)["a"].kind() == Kind::array);
  CHECK(opened.event(0)["a"].size() == 0);
  CHECK(opened.event(0)["a"][0].is_null());
  CHECK(opened.event(1)["a"].is_null());
  CHECK(opened.event(1)["after"].is_null());
}

TEST_CASE("a struct may hold an array of itself") {
  SmallChunk chunk = chunk_with("Tree tree; int after");
  chunk.raw_event(100, ByteWriter()
                           .int_value(1)
                           .count(2)
                           .int_value(2)
                           .count(1)
                           .int_value(3)
                           .count(0)
                           .int_value(4)
                           .count(0)
                           .int_value(9));
  const Opened opened(chunk.bytes());
  CHECK(opened.event(0).at("tree.children.0.children.0.value").integer() == 3);
  CHECK(opened.event(0).at("tree.children.1.value").integer() == 4);
  CHECK(opened.event(0)["after"].integer() == 9);
}

TEST_CASE("references are followed one step at a time, also around a loop") {
  SmallChunk chunk = chunk_with("Node* node");
  chunk.checkpoint({.pools = {chunk.pool("Node")
                                  .entry(1, ByteWriter().string("one").key(2))
                                  .entry(2, ByteWriter().string("two").key(1))}});
  chunk.raw_event(100, ByteWriter().key(1));
  const Opened opened(chunk.bytes());
  Value value = opened.event(0)["node"];
  for (int i = 0; i < 100; ++i) {
    CHECK(value.kind() == Kind::reference);
    CHECK(value.key() == ConstantKey{i % 2 == 0 ? 1U : 2U});
    const Value node = value.resolve();
    CHECK(node.key() == value.key());
    CHECK(node["name"].text() == (i % 2 == 0 ? "one" : "two"));
    value = node["next"];
  }
  CHECK(value["next"]["next"]["name"].text() == "one");
}

TEST_CASE("a reference without an entry is null and keeps its key") {
  SmallChunk chunk = chunk_with("Node* node; Symbol* symbol");
  chunk.raw_event(100, ByteWriter().key(1ULL << 40).key(0));
  const Opened opened(chunk.bytes());
  const Value node = opened.event(0)["node"];
  CHECK(node.kind() == Kind::reference);
  CHECK_FALSE(node.is_null());
  CHECK(node.resolve().is_null());
  CHECK(node.resolve().key() == ConstantKey{1ULL << 40});
  CHECK(node["name"].is_null());
  CHECK(node.text().empty());
}

TEST_CASE("a reference to a type that is not declared keeps its key too") {
  SmallChunk chunk;
  chunk.plain_type("t.Symbol", 50, "String text");
  chunk.event_type("t.Event", 100, "Symbol* symbol; int n");
  chunk.raw_event(100, ByteWriter().key(5).int_value(6));
  test::Element root = chunk.types().metadata();
  test::classes_of(root).find("class", "t.Event").find("field", "symbol").set("class", "999");
  chunk.writer().metadata(root);
  const Opened opened(chunk.writer().bytes());
  const Value symbol = opened.event(0)["symbol"];
  CHECK(symbol.key() == ConstantKey{5});
  CHECK(symbol.type() == nullptr);
  CHECK(symbol.resolve().is_null());
  CHECK(symbol.resolve().key() == ConstantKey{5});
  CHECK(opened.event(0)["n"].integer() == 6);
}

}  // namespace jfrtree
