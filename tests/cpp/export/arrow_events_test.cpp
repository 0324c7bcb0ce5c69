/// Events as Arrow batches. Expected values are worked out by hand.

#include <doctest/doctest.h>

#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <jfrtree/arrow.hpp>

#include "export/arrow_reading.hpp"
#include "format/small_chunk.hpp"
#include "profile/event_reading.hpp"
#include "support/scenarios.hpp"
#include "support/test_paths.hpp"

using namespace jfrtree;
using namespace jfrtree::test;

namespace {

SmallChunk chunk_with(std::string_view fields, const HeaderFields& header = {}) {
  SmallChunk chunk(header);
  chunk.simple_type("t.Symbol", 50, "String text");
  chunk.plain_type("t.Point", 51, "int x; int y");
  chunk.plain_type("t.Line", 52, "Point from; Point to; Symbol* name");
  chunk.event_type("t.Event", 100, fields);
  return chunk;
}

std::vector<Source> sources_of(const std::vector<Bytes>& recordings) {
  std::vector<Source> sources;
  for (const Bytes& bytes : recordings) sources.push_back({"", memory_input(bytes, "memory")});
  return sources;
}

ArrowRows read_stream(std::vector<Source> sources, const EventRequest& request,
                      EventStreamOptions options = {}, ReadOptions read = {}) {
  ArrowArrayStream stream{};
  export_stream(std::make_shared<EventStream>(std::move(sources), request, std::move(read),
                                              std::move(options)),
                &stream);
  return read_arrow(stream);
}

ArrowRows rows_in(const std::vector<Bytes>& recordings, EventStreamOptions options = {}) {
  return read_stream(sources_of(recordings), rows_of({"t.Event"}), std::move(options));
}

constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();

/// A chunk of `count` events with a number each.
Bytes numbers(int count) {
  SmallChunk chunk = chunk_with("int i");
  for (int i = 0; i < count; ++i) chunk.raw_event(100, ByteWriter().int_value(i));
  return chunk.bytes();
}

}  // namespace

TEST_CASE("arrow events: numbers keep their widths and signs") {
  SmallChunk chunk = chunk_with(
      "boolean z; byte b; short s; char c; int i; long j; float f; "
      "double d; byte ub @Unsigned; short us @Unsigned; "
      "int ui @Unsigned; long uj @Unsigned");
  chunk.raw_event(100, ByteWriter()
                           .boolean_value(true)
                           .byte_value(-2)
                           .short_value(-3)
                           .char_value(u'€')
                           .int_value(-4)
                           .long_value(lowest)
                           .float_value(0.5F)
                           .double_value(0.1)
                           .byte_value(-2)
                           .short_value(-2)
                           .int_value(-2)
                           .long_value(-2));
  const ArrowRows rows = rows_in({chunk.bytes()});
  CHECK(rows.schema ==
        "z bool; b int8; s int16; c utf8; i int32; j int64; f float; d double; ub uint8; "
        "us uint16; ui uint32; uj uint64");
  CHECK(lines_of(rows) ==
        "{\"z\":true,\"b\":-2,\"s\":-3,\"c\":\"€\",\"i\":-4,\"j\":-9223372036854775808,\"f\":0.5,"
        "\"d\":0.1,\"ub\":254,\"us\":65534,\"ui\":4294967294,\"uj\":18446744073709551614}\n");
}

TEST_CASE("arrow events: points in time and spans are nanoseconds, unknown ones null") {
  const HeaderFields header{
      .start_nanos = 1'000'000'000'000, .start_ticks = 100, .ticks_per_second = 1'000'000};
  SmallChunk chunk =
      chunk_with("long startTime @Timestamp(TICKS); long d @Timespan(TICKS)", header);
  chunk.raw_event(100, ByteWriter().long_value(350).long_value(7));
  chunk.raw_event(100, ByteWriter().long_value(lowest).long_value(lowest));
  const ArrowRows rows = rows_in({chunk.bytes()});
  CHECK(rows.schema == "startTime timestamp[ns, UTC]; d duration[ns]");
  CHECK(lines_of(rows) ==
        "{\"startTime\":1000000250000,\"d\":7000}\n{\"startTime\":null,\"d\":null}\n");
}

TEST_CASE("arrow events: structs are nested, and null where all below them is") {
  SmallChunk chunk = chunk_with("int a; Line* line; Point at");
  chunk.checkpoint(
      {.pools = {chunk.pool("Symbol").entry(7, ByteWriter().string("diagonal")),
                 chunk.pool("Line").entry(
                     1, ByteWriter().int_value(1).int_value(2).int_value(3).int_value(4).key(7))}});
  chunk.raw_event(100, ByteWriter().int_value(1).key(1).int_value(5).int_value(6));
  chunk.raw_event(100, ByteWriter().int_value(2).key(0).int_value(7).int_value(8));
  const ArrowRows rows = rows_in({chunk.bytes()});
  CHECK(rows.schema ==
        "a int32; line struct<from: struct<x: int32, y: int32>, to: struct<x: int32, y: int32>, "
        "name: dictionary<int32, utf8>>; at struct<x: int32, y: int32>");
  CHECK(lines_of(rows) ==
        "{\"a\":1,\"line\":{\"from\":{\"x\":1,\"y\":2},\"to\":{\"x\":3,\"y\":4},"
        "\"name\":\"diagonal\"},\"at\":{\"x\":5,\"y\":6}}\n"
        "{\"a\":2,\"line\":null,\"at\":{\"x\":7,\"y\":8}}\n");
}

TEST_CASE("arrow events: columns of one batch after the other, in bounded batches") {
  const ArrowRows rows = rows_in({numbers(10), numbers(3)}, {.batch_rows = 4});
  CHECK(rows.batches == std::vector<std::int64_t>{4, 4, 4, 1});
  REQUIRE(rows.rows.size() == 13);
  for (int i = 0; i < 13; ++i) CHECK(rows.rows[static_cast<std::size_t>(i)]["i"] == i % 10);
  CHECK(rows_in({numbers(8)}, {.batch_rows = 4}).batches == std::vector<std::int64_t>{4, 4});
}

TEST_CASE("arrow events: a declared type without events has columns and no batch") {
  const ArrowRows rows = rows_in({numbers(0)});
  CHECK(rows.schema == "i int32");
  CHECK(rows.batches.empty());
  CHECK(rows_in({chunk_with("").bytes()}).schema.empty());
}

TEST_CASE("arrow events: chunks that declare a column differently have its common type") {
  SmallChunk first = chunk_with("int i; int n; String same");
  first.raw_event(100, ByteWriter().int_value(-1).int_value(5).string("x"));
  SmallChunk second = chunk_with("long i; String n; String same; int more");
  second.raw_event(100, ByteWriter().long_value(1LL << 40).string("five").string("").int_value(9));
  const ArrowRows rows = rows_in({first.bytes(), second.bytes()});
  CHECK(rows.schema == "i int64; n utf8; same utf8; more int32");
  CHECK(lines_of(rows) ==
        "{\"i\":-1,\"n\":\"5\",\"same\":\"x\",\"more\":null}\n"
        "{\"i\":1099511627776,\"n\":\"five\",\"same\":\"\",\"more\":9}\n");
}

TEST_CASE("arrow events: columns that the caller names are taken as they are") {
  EventStreamOptions options;
  options.columns.resize(2);
  options.columns[0].name = "i";
  options.columns[0].path = {"i"};
  options.columns[0].type = ColumnType::int8;
  options.columns[1].name = "other";
  options.columns[1].path = {"other"};
  SmallChunk chunk = chunk_with("int i");
  chunk.raw_event(100, ByteWriter().int_value(127));
  chunk.raw_event(100, ByteWriter().int_value(128));
  const ArrowRows rows = rows_in({chunk.bytes()}, options);
  CHECK(lines_of(rows) == "{\"i\":127,\"other\":null}\n{\"i\":null,\"other\":null}\n");
}

TEST_CASE("arrow events: stacks are lists of frames, with what is truncated beside them") {
  auto chunk = jdk17_chunk();
  const auto stack = chunk.stack({"Main.main", "Main.load"});
  chunk.event("jdk.FileRead", {{"stackTrace", stack}, {"bytesRead", 40}});
  chunk.event("jdk.FileRead", {{"bytesRead", 41}});
  EventRequest request = rows_of({"jdk.FileRead"});
  request.columns = {"bytesRead", "stackTrace"};
  const ArrowRows rows = read_stream(sources_of({chunk.bytes(), chunk.bytes()}), request);
  CHECK(rows.schema ==
        "bytesRead int64; stackTrace list<dictionary<int32, utf8>>; stackTrace.truncated bool");
  const std::string one =
      "{\"bytesRead\":40,\"stackTrace\":[\"Main.main\",\"Main.load\"],"
      "\"stackTrace.truncated\":false}\n"
      "{\"bytesRead\":41,\"stackTrace\":null,\"stackTrace.truncated\":null}\n";
  CHECK(lines_of(rows) == one + one);
}

TEST_CASE("arrow events: lists of values and of structs") {
  SmallChunk chunk = chunk_with("int[] numbers; Point[] points; Symbol*[] names");
  chunk.checkpoint({.pools = {chunk.pool("Symbol").entry(7, ByteWriter().string("seven"))}});
  chunk.raw_event(100, ByteWriter()
                           .count(2)
                           .int_value(10)
                           .int_value(20)
                           .count(1)
                           .int_value(3)
                           .int_value(4)
                           .count(2)
                           .key(7)
                           .key(8));
  chunk.raw_event(100, ByteWriter().count(0).count(0).count(0));
  const ArrowRows rows = rows_in({chunk.bytes()});
  CHECK(rows.schema ==
        "numbers list<int32>; points list<struct<x: int32, y: int32>>; "
        "names list<dictionary<int32, utf8>>");
  CHECK(lines_of(rows) ==
        "{\"numbers\":[10,20],\"points\":[{\"x\":3,\"y\":4}],\"names\":[\"seven\",null]}\n"
        "{\"numbers\":[],\"points\":[],\"names\":[]}\n");
}

TEST_CASE("arrow events: null, empty and hostile texts stay apart") {
  const std::string hostile("a\0b\r\n\"\xF0\x9F\x8C\xB3", 10);
  SmallChunk chunk = chunk_with("String s; Symbol* c");
  chunk.checkpoint({.pools = {chunk.pool("Symbol")
                                  .entry(1, ByteWriter().string(hostile))
                                  .entry(2, ByteWriter().string(""))
                                  .entry(3, ByteWriter().null_string())}});
  chunk.raw_event(100, ByteWriter().string(hostile).key(1));
  chunk.raw_event(100, ByteWriter().string("").key(2));
  chunk.raw_event(100, ByteWriter().null_string().key(3));
  const ArrowRows rows = rows_in({chunk.bytes()});
  REQUIRE(rows.rows.size() == 3);
  for (const char* const column : {"s", "c"}) {
    CHECK(rows.rows[0][column] == hostile);
    CHECK(rows.rows[1][column] == "");
    CHECK(rows.rows[2][column].is_null());
  }
}

TEST_CASE("arrow events: several types have a column that says which") {
  SmallChunk chunk = chunk_with("int i; int type");
  chunk.event_type("t.Other", 101, "String i");
  chunk.raw_event(100, ByteWriter().int_value(1).int_value(2));
  chunk.raw_event(101, ByteWriter().string("one"));
  const ArrowRows rows =
      read_stream(sources_of({chunk.bytes()}), rows_of({"t.*"}), {.with_type = true});
  CHECK(rows.schema == "type dictionary<int32, utf8>; i utf8; type#2 int32");
  CHECK(lines_of(rows) ==
        "{\"type\":\"t.Event\",\"i\":\"1\",\"type#2\":2}\n"
        "{\"type\":\"t.Other\",\"i\":\"one\",\"type#2\":null}\n");
}

TEST_CASE("arrow events: an input that can be read only once is kept meanwhile") {
  const Bytes bytes = numbers(3);
  std::size_t position = 0;
  const auto pipe = [&](std::span<std::byte> buffer) {
    const std::size_t count = std::min(buffer.size(), bytes.size() - position);
    std::copy_n(bytes.data() + position, count, buffer.data());
    position += count;
    return count;
  };
  std::vector<Source> sources{{"", stream_input(pipe, "pipe")}};
  CHECK(read_stream(std::move(sources), rows_of({"t.Event"})).rows.size() == 3);
}

TEST_CASE("arrow events: a stream that is not read to its end lets go of its thread") {
  const std::vector<Bytes> recordings{numbers(100)};
  auto events = std::make_unique<EventStream>(sources_of(recordings), rows_of({"t.Event"}),
                                              ReadOptions{}, EventStreamOptions{.batch_rows = 1});
  ArrowArray batch{};
  REQUIRE(events->next(&batch));
  events.reset();
  CHECK(batch.length == 1);  // what was handed out stays
  batch.release(&batch);
  // Nor is one of which nothing was read.
  events = std::make_unique<EventStream>(sources_of(recordings), rows_of({"t.Event"}));
}

TEST_CASE("arrow events: errors keep their kind in C++, and are a message in C") {
  SmallChunk chunk = chunk_with("Symbol* c");
  chunk.checkpoint(
      {.pools = {chunk.pool("Symbol").entry(1, ByteWriter().string("a text above the limit"))}});
  chunk.raw_event(100, ByteWriter().key(1));
  ReadOptions read;
  read.limits.frame_bytes = 10;
  const std::vector<Bytes> recordings{chunk.bytes()};
  EventStream events(sources_of(recordings), rows_of({"t.Event"}), read);
  ArrowArray batch{};
  CHECK_THROWS_AS((void)events.next(&batch), LimitError);
  const ArrowRows rows = read_stream(sources_of(recordings), rows_of({"t.Event"}), {}, read);
  CHECK(rows.rows.empty());
  CHECK(rows.error.find("frame_bytes") != std::string::npos);
  EventRequest request = rows_of({"t.Event"});
  request.columns = {"nothing"};
  CHECK_THROWS_AS(EventStream(sources_of(recordings), request), UsageError);
}

TEST_CASE("arrow events: the caller's wish to stop ends waiting") {
  std::atomic<bool> stop{false};
  ReadOptions read;
  read.stop = &stop;
  const std::vector<Bytes> recordings{numbers(1)};
  EventStream events(sources_of(recordings), rows_of({"t.Event"}), read,
                     {.columns = unite_columns(
                          read_event_schemas(sources_of(recordings), rows_of({"t.Event"}).types))});
  stop = true;
  ArrowArray batch{};
  // The reader may have been faster than the wish.
  try {
    while (events.next(&batch)) batch.release(&batch);
  } catch (const Interrupted&) {
    CHECK(!batch.release);
  }
}

TEST_CASE("arrow events: what was read beside the rows is known at the end") {
  const std::vector<Bytes> recordings{numbers(5)};
  EventStream events(sources_of(recordings), rows_of({"t.Event"}));
  ArrowArray batch{};
  while (events.next(&batch)) batch.release(&batch);
  CHECK(events.result().rows == 5);
  CHECK(events.result().declared_types == std::vector<std::string>{"t.Event"});
}

TEST_CASE("arrow events: schemas are found without reading events, whole files or not") {
  const Bytes one = numbers(2);
  SmallChunk other = chunk_with("String s");
  Bytes both = one;
  const Bytes second = other.bytes();
  both.insert(both.end(), second.begin(), second.end());
  const auto schemas_in = [](const Bytes& bytes) {
    std::string text;
    for (const EventSchema& schema :
         read_event_schemas(sources_of({bytes}), std::vector<std::string>{"t.Event"})) {
      for (const EventColumn& column : schema.columns) text += column.name + ";";
    }
    return text;
  };
  CHECK(schemas_in(both) == "i;s;");
  both.resize(both.size() - 3);  // the second chunk is cut: its metadata may be lost, not the first
  CHECK(schemas_in(both).starts_with("i;"));
  CHECK_THROWS_AS((void)schemas_in(Bytes(100)), FormatError);
}
