/// Rows of events: what each kind of field becomes. Expected texts are worked out by hand.

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <string>

#include "format/small_chunk.hpp"
#include "profile/event_reading.hpp"
#include "profile/reading.hpp"
#include "support/standard_chunk.hpp"

using namespace jfrtree;
using namespace jfrtree::test;

namespace {

SmallChunk chunk_with(std::string_view fields, const HeaderFields& header = {}) {
  SmallChunk chunk(header);
  chunk.simple_type("t.Symbol", 50, "String text");
  chunk.plain_type("t.Point", 51, "int x; int y");
  chunk.plain_type("t.Line", 52, "Point from; Point to; Symbol* name");
  chunk.plain_type("t.Node", 53, "String name; Node* next");
  chunk.plain_type("t.Group", 54, "Symbol*[] members; Point center");
  chunk.event_type("t.Event", 100, fields);
  return chunk;
}

std::string row(const SmallChunk& chunk) {
  return read_jsonl({chunk.bytes()}, rows_of({"t.Event"})).text;
}

constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();

}  // namespace

TEST_CASE("event rows: primitive fields keep their values, signs and widths") {
  SmallChunk chunk = chunk_with("boolean z; byte b; short s; char c; int i; long j");
  chunk.raw_event(100, ByteWriter()
                           .boolean_value(true)
                           .byte_value(-2)
                           .short_value(-3)
                           .char_value(u'€')
                           .int_value(-4)
                           .long_value(lowest));
  CHECK(row(chunk) ==
        "{\"type\":\"t.Event\",\"z\":true,\"b\":-2,\"s\":-3,\"c\":\"€\",\"i\":-4,"
        "\"j\":-9223372036854775808}\n");
  CHECK(columns_of(catalog_of({chunk.bytes()}), "t.Event") ==
        "z boolean; b int8; s int16; c character; i int32; j int64");
}

TEST_CASE("event rows: unsigned fields have no sign") {
  SmallChunk chunk =
      chunk_with("byte b @Unsigned; short s @Unsigned; int i @Unsigned; long j @Unsigned");
  chunk.raw_event(100, ByteWriter().byte_value(-2).short_value(-2).int_value(-2).long_value(-2));
  CHECK(row(chunk) ==
        "{\"type\":\"t.Event\",\"b\":254,\"s\":65534,\"i\":4294967294,"
        "\"j\":18446744073709551614}\n");
}

TEST_CASE("event rows: floating point is the shortest exact text, NaN and infinities are null") {
  SmallChunk chunk = chunk_with("float f; double d");
  const double infinity = std::numeric_limits<double>::infinity();
  chunk.raw_event(100, ByteWriter().float_value(0.1F).double_value(0.1));
  chunk.raw_event(100, ByteWriter().float_value(2.0F).double_value(-0.0));
  chunk.raw_event(
      100,
      ByteWriter().float_value(std::numeric_limits<float>::quiet_NaN()).double_value(infinity));
  CHECK(row(chunk) ==
        "{\"type\":\"t.Event\",\"f\":0.1,\"d\":0.1}\n"
        "{\"type\":\"t.Event\",\"f\":2.0,\"d\":-0.0}\n"
        "{\"type\":\"t.Event\",\"f\":null,\"d\":null}\n");
  CHECK(read_csv({chunk.bytes()}, rows_of({"t.Event"})).text ==
        "f,d\r\n0.1,0.1\r\n2.0,-0.0\r\n,\r\n");
}

TEST_CASE("event rows: times by their annotation, and by the chunk's own clock") {
  // 1.7e18 ns are 2023-11-14T22:13:20Z. 3001 ticks of 2 GHz behind the start are 1000.5 ns.
  SmallChunk chunk = chunk_with(
      "long startTime @Timestamp(TICKS); long ms @Timestamp(MILLISECONDS_SINCE_EPOCH); "
      "long ns @Timestamp(NANOSECONDS_SINCE_EPOCH)",
      {.start_ticks = 1000, .ticks_per_second = 2'000'000'000});
  chunk.raw_event(100, ByteWriter().long_value(3001).long_value(1'700'000'000'123).long_value(-1));
  chunk.raw_event(100, ByteWriter().long_value(lowest).long_value(lowest).long_value(0));
  CHECK(row(chunk) ==
        "{\"type\":\"t.Event\",\"startTime\":\"2023-11-14T22:13:20.000001000Z\","
        "\"ms\":\"2023-11-14T22:13:20.123000000Z\",\"ns\":\"1969-12-31T23:59:59.999999999Z\"}\n"
        "{\"type\":\"t.Event\",\"startTime\":null,\"ms\":null,"
        "\"ns\":\"1970-01-01T00:00:00.000000000Z\"}\n");
}

TEST_CASE("event rows: durations are ns whatever their unit, unknown ones null") {
  SmallChunk chunk = chunk_with(
      "long t @Timespan(TICKS); long n @Timespan(NANOSECONDS); long u @Timespan(MICROSECONDS); "
      "long m @Timespan(MILLISECONDS); long s @Timespan(SECONDS)",
      {.ticks_per_second = 2'000'000'000});
  const auto all = [&chunk](std::int64_t number) {
    chunk.raw_event(100, ByteWriter()
                             .long_value(number)
                             .long_value(number)
                             .long_value(number)
                             .long_value(number)
                             .long_value(number));
  };
  all(7);
  all(-7);
  all(lowest);
  all(highest);
  CHECK(read_csv({chunk.bytes()}, rows_of({"t.Event"})).text ==
        "t,n,u,m,s\r\n"
        "3,7,7000,7000000,7000000000\r\n"
        "-3,-7,-7000,-7000000,-7000000000\r\n"
        ",,,,\r\n"
        ",,,,\r\n");
  CHECK(columns_of(catalog_of({chunk.bytes()}), "t.Event") ==
        "t duration [ns]; n duration [ns]; u duration [ns]; m duration [ns]; s duration [ns]");
}

TEST_CASE("event rows: structs and constants become columns, simple types stand for themselves") {
  SmallChunk chunk = chunk_with("Line line; Line* other; Symbol* word");
  chunk.checkpoint(
      {.pools = {chunk.pool("Symbol").entry(7, ByteWriter().string("seven")),
                 chunk.pool("Line").entry(
                     0, ByteWriter().int_value(5).int_value(6).int_value(7).int_value(8).key(7))}});
  const auto line = ByteWriter().int_value(1).int_value(2).int_value(3).int_value(4).key(7);
  chunk.raw_event(100, ByteWriter().raw(line.bytes()).key(0).key(7));
  // Key 0 is looked up like any other; 9 is missing.
  chunk.raw_event(100, ByteWriter().raw(line.bytes()).key(9).key(0));
  CHECK(columns_of(catalog_of({chunk.bytes()}), "t.Event") ==
        "line.from.x int32; line.from.y int32; line.to.x int32; line.to.y int32; line.name text; "
        "other.from.x int32; other.from.y int32; other.to.x int32; other.to.y int32; "
        "other.name text; word text");
  const WrittenRows rows = read_csv({chunk.bytes()}, rows_of({"t.Event"}));
  CHECK(rows.text ==
        "line.from.x,line.from.y,line.to.x,line.to.y,line.name,other.from.x,other.from.y,"
        "other.to.x,other.to.y,other.name,word\r\n"
        "1,2,3,4,seven,5,6,7,8,seven,seven\r\n"
        "1,2,3,4,seven,,,,,,\r\n");
  CHECK(findings(rows.result.problems) == "[missing_constant chunk 1 at 0]");
}

TEST_CASE("event rows: a type inside itself has no columns") {
  SmallChunk chunk = chunk_with("Node* node; int after");
  chunk.checkpoint({.pools = {chunk.pool("Node")
                                  .entry(1, ByteWriter().string("one").key(2))
                                  .entry(2, ByteWriter().string("two").key(1))}});
  chunk.raw_event(100, ByteWriter().key(1).int_value(300));
  chunk.raw_event(100, ByteWriter().key(2).int_value(4));
  CHECK(row(chunk) ==
        "{\"type\":\"t.Event\",\"node.name\":\"one\",\"after\":300}\n"
        "{\"type\":\"t.Event\",\"node.name\":\"two\",\"after\":4}\n");
}

TEST_CASE("event rows: columns go four levels deep, deeper fields are passed over") {
  SmallChunk chunk;
  chunk.plain_type("t.E", 55, "int deepest; int last");
  chunk.plain_type("t.D", 54, "E e; int d");
  chunk.plain_type("t.C", 53, "D d; int c");
  chunk.plain_type("t.B", 52, "C c; int b");
  chunk.event_type("t.Event", 100, "B b; int after");
  chunk.raw_event(
      100,
      ByteWriter().int_value(1).int_value(2).int_value(3).int_value(4).int_value(5).int_value(6));
  CHECK(row(chunk) == "{\"type\":\"t.Event\",\"b.c.d.d\":3,\"b.c.c\":4,\"b.b\":5,\"after\":6}\n");
}

TEST_CASE("event rows: lists of values are arrays, lists of structs are arrays of objects") {
  SmallChunk chunk = chunk_with("int[] numbers; Line[] lines; Symbol*[] words; int after");
  chunk.checkpoint({.pools = {chunk.pool("Symbol").entry(7, ByteWriter().string("a \"b\""))}});
  chunk.raw_event(100, ByteWriter()
                           .count(3)
                           .int_value(300)
                           .int_value(-1)
                           .int_value(0)
                           .count(1)
                           .int_value(1)
                           .int_value(2)
                           .int_value(3)
                           .int_value(4)
                           .key(7)
                           .count(2)
                           .key(7)
                           .key(8)
                           .int_value(9));
  chunk.raw_event(100, ByteWriter().count(0).count(0).count(0).int_value(1));
  CHECK(row(chunk) ==
        "{\"type\":\"t.Event\",\"numbers\":[300,-1,0],\"lines\":[{\"from.x\":1,\"from.y\":2,"
        "\"to.x\":3,\"to.y\":4,\"name\":\"a \\\"b\\\"\"}],\"words\":[\"a \\\"b\\\"\",null],"
        "\"after\":9}\n"
        "{\"type\":\"t.Event\",\"numbers\":[],\"lines\":[],\"words\":[],\"after\":1}\n");
  CHECK(read_csv({chunk.bytes()}, rows_of({"t.Event"})).text ==
        "numbers,lines,words,after\r\n\"[300,-1,0]\",\"[{\"\"from.x\"\":1,\"\"from.y\"\":2,"
        "\"\"to.x\"\":3,\"\"to.y\"\":4,\"\"name\"\":\"\"a \\\"\"b\\\"\"\"\"}]\","
        "\"[\"\"a \\\"\"b\\\"\"\"\",null]\",9\r\n[],[],[],1\r\n");
}

TEST_CASE("event rows: a list of keys does not multiply the lists of its constants") {
  SmallChunk chunk = chunk_with("Group* one; Group*[] many");
  chunk.checkpoint(
      {.pools = {chunk.pool("Symbol").entry(1, ByteWriter().string("s")),
                 chunk.pool("Group").entry(
                     5, ByteWriter().count(2).key(1).key(1).int_value(3).int_value(4))}});
  chunk.raw_event(100, ByteWriter().key(5).count(2).key(5).key(5));
  CHECK(row(chunk) ==
        "{\"type\":\"t.Event\",\"one.members\":[\"s\",\"s\"],\"one.center.x\":3,\"one.center.y\":4,"
        "\"many\":[{\"center.x\":3,\"center.y\":4},{\"center.x\":3,\"center.y\":4}]}\n");
}

TEST_CASE("event rows: null is not the empty text, strings by key are resolved, text is repaired") {
  SmallChunk chunk = chunk_with("String a; String b; String c; String* d; String e");
  chunk.checkpoint(
      {.pools = {chunk.pool("java.lang.String").entry(3, ByteWriter().string("three"))}});
  chunk.raw_event(
      100, ByteWriter().u8(0).u8(1).u8(2).key(3).key(3).u8(3).count(3).u8('x').u8(0xff).u8('y'));
  CHECK(row(chunk) ==
        "{\"type\":\"t.Event\",\"a\":null,\"b\":\"\",\"c\":\"three\",\"d\":\"three\","
        "\"e\":\"x\xEF\xBF\xBDy\"}\n");
  CHECK(read_csv({chunk.bytes()}, rows_of({"t.Event"})).text ==
        "a,b,c,d,e\r\n,\"\",three,three,x\xEF\xBF\xBDy\r\n");
}

TEST_CASE("event rows: threads are structs, classes names, stacks lists of frames from the root") {
  auto chunk = jdk17_chunk();
  const auto thread =
      chunk.thread({.java_name = "worker", .os_name = "os", .java_id = 5, .os_id = 77});
  const auto stack = chunk.stack({"app.Main.main", "app.Main.run"});
  chunk.allocation_in_new_tlab({.stack = stack,
                                .thread = thread,
                                .object_class = chunk.class_constant("[Ljava/lang/String;"),
                                .allocation_size = 24,
                                .tlab_size = 4096});
  EventRequest request = rows_of({"jdk.ObjectAllocationInNewTLAB"});
  request.columns = {"eventThread.javaName", "eventThread.osThreadId", "objectClass", "tlabSize",
                     "stackTrace"};
  const WrittenRows rows = read_jsonl({chunk.bytes()}, request);
  CHECK(rows.text ==
        "{\"type\":\"jdk.ObjectAllocationInNewTLAB\",\"eventThread.javaName\":\"worker\","
        "\"eventThread.osThreadId\":77,\"objectClass\":\"java.lang.String[]\",\"tlabSize\":4096,"
        "\"stackTrace\":[\"app.Main.main\",\"app.Main.run\"],\"stackTrace.truncated\":false}\n");
  request.columns.clear();
  request.stacks = false;
  CHECK(read_jsonl({chunk.bytes()}, request).text.find("app.Main") == std::string::npos);
}

TEST_CASE("event rows: no stack is null") {
  auto chunk = jdk17_chunk();
  chunk.execution_sample({.stack = 0});
  EventRequest request = rows_of({"jdk.ExecutionSample"});
  request.columns = {"stackTrace"};
  CHECK(read_jsonl({chunk.bytes()}, request).text ==
        "{\"type\":\"jdk.ExecutionSample\",\"stackTrace\":null,\"stackTrace.truncated\":null}\n");
}

TEST_CASE("event rows: names that occur twice are numbered, one called type too") {
  SmallChunk chunk = chunk_with("int n; int n; int type");
  chunk.raw_event(100, ByteWriter().int_value(1).int_value(2).int_value(3));
  CHECK(row(chunk) == "{\"type\":\"t.Event\",\"n\":1,\"n#2\":2,\"type#2\":3}\n");
  CHECK(read_csv({chunk.bytes()}, rows_of({"t.Event"})).text == "n,n#2,type\r\n1,2,3\r\n");
}

TEST_CASE("event rows: fixed width integers are read as well") {
  SmallChunk chunk = chunk_with("long startTime @Timestamp(TICKS); int[] n", {.flags = 2});
  chunk.raw_event(100, chunk.payload().long_value(1000).count(2).int_value(-1).int_value(300));
  CHECK(row(chunk) ==
        "{\"type\":\"t.Event\",\"startTime\":\"2023-11-14T22:13:20.000000000Z\","
        "\"n\":[-1,300]}\n");
}

TEST_CASE("event rows: a sink gets typed cells") {
  class Sum final : public EventSink {
   public:
    void begin_chunk(std::span<const EventSchema> schemas) override {
      columns = schemas[0].columns;
    }
    void row(const EventValues& values) override {
      REQUIRE(values.cells.size() == columns.size());
      if (values.cells[0].kind == EventCell::Kind::integer) total += values.cells[0].integer;
      CHECK(values.cells[1].kind == EventCell::Kind::text);
      texts += values.cells[1].text();
      CHECK(values.cells[2].kind == EventCell::Kind::list);
      elements += values.cells[2].size;
    }
    std::vector<EventColumn> columns;
    std::int64_t total = 0;
    std::string texts;
    std::size_t elements = 0;
  };
  SmallChunk chunk = chunk_with("long duration @Timespan(NANOSECONDS); String text; Point[] list");
  chunk.raw_event(100, ByteWriter().long_value(7).string("a").count(2).zeros(4));
  chunk.raw_event(100, ByteWriter().long_value(lowest).string("b").count(0));
  chunk.raw_event(100, ByteWriter().long_value(30).string("c").count(1).zeros(2));
  const Bytes bytes = chunk.bytes();
  Sum sum;
  const EventReadResult result =
      read_events({{"1.jfr", memory_input(bytes)}}, rows_of({"t.Event"}), sum);
  CHECK(result.rows == 3);
  CHECK(sum.total == 37);
  CHECK(sum.texts == "abc");
  CHECK(sum.elements == 3);
  CHECK(sum.columns[2].elements.size() == 2);
  CHECK(sum.columns[2].elements[1].path == std::vector<std::string>{"y"});
}
