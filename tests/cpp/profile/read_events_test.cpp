/// Which rows are read: types, columns, times, limits, several chunks, damaged input.

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <string>

#include "format/small_chunk.hpp"
#include "profile/event_reading.hpp"
#include "profile/reading.hpp"
#include "support/standard_chunk.hpp"

using namespace jfrtree;
using namespace jfrtree::test;

namespace {

/// Events t.A with n = 1, 2, 3 at 0, 100 and 200 ns behind 1.7e18, and t.B with m = 9 between.
SmallChunk three_and_one(const HeaderFields& header = {}) {
  SmallChunk chunk(header);
  chunk.event_type("t.A", 100, "long startTime @Timestamp(TICKS); int n");
  chunk.event_type("t.B", 101, "long startTime @Timestamp(TICKS); int m");
  chunk.event("t.A", {{"startTime", 1000}, {"n", 1}});
  chunk.event("t.B", {{"startTime", 1050}, {"m", 9}});
  chunk.event("t.A", {{"startTime", 1100}, {"n", 2}});
  chunk.event("t.A", {{"startTime", 1200}, {"n", 3}});
  return chunk;
}

EventRequest numbers() {
  EventRequest request = rows_of({"t.A"});
  request.columns = {"n"};
  return request;
}

std::string csv(const std::vector<Bytes>& recordings, const EventRequest& request) {
  return read_csv(recordings, request).text;
}

constexpr std::int64_t start = 1'700'000'000'000'000'000;

}  // namespace

TEST_CASE("read_events: from is included, to is not") {
  const std::vector<Bytes> recordings{three_and_one().bytes()};
  EventRequest request = numbers();
  request.time = {start + 100, start + 200};
  CHECK(csv(recordings, request) == "n\r\n2\r\n");
  request.time = {start + 101, std::nullopt};
  CHECK(csv(recordings, request) == "n\r\n3\r\n");
  request.time.to_ns = request.time.from_ns;
  CHECK(csv(recordings, request) == "n\r\n");
}

TEST_CASE(
    "read_events: a time range works without the column, and by the chunk for what has none") {
  SmallChunk chunk;
  chunk.event_type("t.A", 100, "int n");
  chunk.event("t.A", {{"n", 1}});
  EventRequest request = numbers();
  request.time = {start, start + 1};
  CHECK(csv({chunk.bytes()}, request) == "n\r\n1\r\n");
  request.time = {start + 1, std::nullopt};
  CHECK(csv({chunk.bytes()}, request) == "n\r\n");
}

TEST_CASE("read_events: reading stops after as many rows as asked for") {
  const Bytes bytes = three_and_one().bytes();
  EventRequest request = numbers();
  request.max_rows = 2;
  const WrittenRows rows = read_csv({bytes, bytes}, request);
  CHECK(rows.text == "n\r\n1\r\n2\r\n");
  CHECK(rows.result.rows == 2);
  request.max_rows = 4;
  CHECK(csv({bytes, bytes}, request) == "n\r\n1\r\n2\r\n3\r\n1\r\n");
  request.max_rows = 0;
  CHECK(csv({bytes, bytes}, request) == "n\r\n");
}

TEST_CASE("read_events: several types come in the order of the file") {
  const std::vector<Bytes> recordings{three_and_one().bytes()};
  EventRequest request = rows_of({"t.B", "t.A"});
  request.columns = {"m", "n"};
  CHECK(read_csv(recordings, request, true).text ==
        "type,m,n\r\nt.A,,1\r\nt.B,9,\r\nt.A,,2\r\nt.A,,3\r\n");
  CHECK(read_jsonl(recordings, request).text ==
        "{\"type\":\"t.A\",\"n\":1}\n{\"type\":\"t.B\",\"m\":9}\n"
        "{\"type\":\"t.A\",\"n\":2}\n{\"type\":\"t.A\",\"n\":3}\n");
}

TEST_CASE("read_events: chunks that declare a type differently share the columns of both") {
  SmallChunk other({.start_nanos = start + 1'000'000'000});
  other.event_type("t.A", 333, "String text; int n");
  other.event("t.A", {{"text", "new"}, {"n", 7}});
  const std::vector<Bytes> recordings{three_and_one().bytes(), other.bytes()};
  CHECK(csv(recordings, rows_of({"t.A"})) ==
        "startTime,n,text\r\n"
        "2023-11-14T22:13:20.000000000Z,1,\r\n"
        "2023-11-14T22:13:20.000000100Z,2,\r\n"
        "2023-11-14T22:13:20.000000200Z,3,\r\n"
        ",7,new\r\n");
}

TEST_CASE("read_events: jdk.X means com.oracle.jdk.X too, and is shown as recorded") {
  SmallChunk chunk;
  chunk.event_type("com.oracle.jdk.FileRead", 100, "int n");
  chunk.event("com.oracle.jdk.FileRead", {{"n", 4}});
  CHECK(read_jsonl({chunk.bytes()}, rows_of({"jdk.FileRead"})).text ==
        "{\"type\":\"com.oracle.jdk.FileRead\",\"n\":4}\n");
}

TEST_CASE("read_events: what the recordings declare is told, asked for or not") {
  const WrittenRows rows = read_jsonl({three_and_one().bytes()}, rows_of({"t.C"}));
  CHECK(rows.text.empty());
  CHECK(rows.result.declared_types == std::vector<std::string>{"t.A", "t.B"});
}

TEST_CASE("read_events: an event whose fields overrun it is lost, the others are not") {
  SmallChunk chunk;
  chunk.event_type("t.A", 100, "int n; String text");
  chunk.event("t.A", {{"n", 1}, {"text", "x"}});
  chunk.raw_event(100, ByteWriter().int_value(2).u8(3).count(9).u8('x'));
  chunk.event("t.A", {{"n", 3}, {"text", "z"}});
  const WrittenRows rows = read_csv({chunk.bytes()}, rows_of({"t.A"}));
  CHECK(rows.text == "n,text\r\n1,x\r\n3,z\r\n");
  CHECK(findings(rows.result.problems).find("bad_event chunk 1") == 0);
}

TEST_CASE("read_events: an event cut at each of its bytes is lost and reads nothing else") {
  const Bytes whole =
      ByteWriter().int_value(300).string("text").count(2).int_value(7).int_value(8).bytes();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    CAPTURE(size);
    SmallChunk chunk;
    chunk.event_type("t.A", 100, "int n; String text; int[] list");
    chunk.raw_event(100, ByteWriter().raw(Bytes(
                             whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size))));
    chunk.raw_event(100, ByteWriter().raw(whole));
    CHECK(csv({chunk.bytes()}, rows_of({"t.A"})) == "n,text,list\r\n300,text,\"[7,8]\"\r\n");
  }
}

TEST_CASE("read_events: a list that claims more than there is costs nothing") {
  SmallChunk chunk;
  chunk.event_type("t.A", 100, "int[] list");
  chunk.raw_event(100, ByteWriter().long_value(std::int64_t{1} << 60));
  const WrittenRows rows = read_csv({chunk.bytes()}, rows_of({"t.A"}));
  CHECK(rows.text == "list\r\n");
  CHECK(rows.result.rows == 0);
}

TEST_CASE("read_events: the first problem is an error where strict asks for that") {
  SmallChunk chunk;
  chunk.event_type("t.A", 100, "String text");
  chunk.raw_event(100, ByteWriter().u8(3).count(9));
  ReadOptions options;
  options.strict = true;
  CHECK_THROWS_AS((void)read_jsonl({chunk.bytes()}, rows_of({"t.A"}), options), FormatError);
}

TEST_CASE("read_events: the wish to stop ends the reading") {
  const std::atomic<bool> stop{true};
  ReadOptions options;
  options.stop = &stop;
  CHECK_THROWS_AS((void)read_jsonl({three_and_one().bytes()}, rows_of({"t.A"}), options),
                  Interrupted);
}

TEST_CASE("read_event_types: counts and columns of all declared types by name") {
  SmallChunk chunk = three_and_one();
  chunk.event_type("t.Unused", 102, "int n");
  const EventCatalog catalog = catalog_of({chunk.bytes(), chunk.bytes()});
  REQUIRE(catalog.types.size() == 3);
  CHECK(catalog.types[0].schema.type == "t.A");
  CHECK(catalog.types[0].count == 6);
  CHECK(catalog.types[1].count == 2);
  CHECK(catalog.types[2].count == 0);
  CHECK(columns_of(catalog, "t.B") == "startTime timestamp; m int32");
  CHECK(catalog.start_ns == start);
  CHECK(catalog.end_ns == start + 5'000'000);
}

TEST_CASE("read_event_types: undeclared types are skipped and noted, once for all") {
  SmallChunk chunk = three_and_one();
  chunk.raw_event(555, ByteWriter().int_value(1));
  chunk.raw_event(555, ByteWriter().int_value(1));
  const EventCatalog catalog = catalog_of({chunk.bytes()});
  CHECK(catalog.types.size() == 2);
  CHECK(findings(catalog.problems).find("[unknown_event_type x2 chunk 1") == 0);
}

TEST_CASE("read_event_types: an unfinished chunk ends with its last event") {
  const HeaderFields header{.duration_nanos = 0, .file_state = 1};
  CHECK(catalog_of({three_and_one(header).bytes()}).end_ns == start + 200);
}

TEST_CASE("matches_event_type: names in either spelling, stars, nothing else") {
  CHECK(matches_event_type("jdk.X", "jdk.X"));
  CHECK(matches_event_type("jdk.X", "com.oracle.jdk.X"));
  CHECK(matches_event_type("com.oracle.jdk.X", "jdk.X"));
  CHECK_FALSE(matches_event_type("jdk.X", "jdk.XY"));
  CHECK(matches_event_type("jdk.*", "jdk.XY"));
  CHECK(matches_event_type("*Y", "jdk.XY"));
  CHECK(matches_event_type("j*k*Y", "jdk.XkkY"));
  CHECK_FALSE(matches_event_type("j*k*Y", "jdk.XkkYZ"));
  CHECK(matches_event_type("jdk.GC*", "com.oracle.jdk.GCPhase"));
  CHECK_FALSE(matches_event_type("", "jdk.X"));
  CHECK(matches_event_type("*", "t.A"));
}

TEST_CASE("matches_event_type: a pattern never means types that may hold secrets") {
  for (const std::string name :
       {"jdk.InitialSystemProperty", "jdk.InitialEnvironmentVariable", "jdk.JVMInformation",
        "jdk.SystemProcess", "jdk.ProcessStart", "com.oracle.jdk.InitialSystemProperty"}) {
    CAPTURE(name);
    CHECK(is_sensitive_event_type(name));
    CHECK_FALSE(matches_event_type("*", name));
    CHECK_FALSE(matches_event_type("*" + name, name));
    CHECK(matches_event_type(name, name));
  }
  CHECK_FALSE(is_sensitive_event_type("jdk.ExecutionSample"));
}

TEST_CASE("choose_columns: a name stands for what is below it, in the order asked for") {
  SmallChunk chunk;
  chunk.plain_type("t.Point", 51, "int x; int y");
  chunk.event_type("t.A", 100, "Point p; int pp; int n");
  chunk.raw_event(100, ByteWriter().int_value(1).int_value(2).int_value(3).int_value(4));
  EventRequest request = rows_of({"t.A"});
  request.columns = {"n", "p", "n", "p.x"};
  CHECK(csv({chunk.bytes()}, request) == "n,p.x,p.y\r\n4,1,2\r\n");
  request.columns = {"q"};
  CHECK_THROWS_WITH_AS((void)csv({chunk.bytes()}, request), doctest::Contains("no column q"),
                       UsageError);
}

TEST_CASE("unite_columns: a column of several types has the one that holds all") {
  const auto schema = [](ColumnType type) {
    EventColumn column;
    column.name = "n";
    column.type = type;
    return EventSchema{"t.A", {}, {column}};
  };
  const auto united = [&schema](ColumnType one, ColumnType other) {
    const std::vector<EventSchema> schemas{schema(one), schema(other)};
    return unite_columns(schemas).front().type;
  };
  CHECK(united(ColumnType::int8, ColumnType::int8) == ColumnType::int8);
  CHECK(united(ColumnType::int8, ColumnType::uint32) == ColumnType::int64);
  CHECK(united(ColumnType::int64, ColumnType::float32) == ColumnType::float64);
  CHECK(united(ColumnType::duration, ColumnType::int64) == ColumnType::text);
}

TEST_CASE("summarize: settings by event name, each once") {
  auto chunk = jdk17_chunk();
  const auto id = static_cast<std::int64_t>(chunk.type_id("jdk.ExecutionSample"));
  chunk.event("jdk.ActiveSetting", {{"id", id}, {"name", "period"}, {"value", "20 ms"}});
  chunk.event("jdk.ActiveSetting", {{"id", id}, {"name", "enabled"}, {"value", "true"}});
  chunk.event("jdk.ActiveSetting", {{"id", id}, {"name", "period"}, {"value", "20 ms"}});
  chunk.event("jdk.ActiveSetting", {{"id", 98'765}, {"name", "a"}, {"value", "b"}});
  const Bytes bytes = chunk.bytes();
  std::vector<Source> sources{{"1.jfr", memory_input(bytes, "1.jfr")}};
  SummaryRequest request;
  request.settings = true;
  const RecordingSummary summary = summarize(std::move(sources), request);
  const std::vector<RecordingSetting> expected{{"jdk.ExecutionSample", "enabled", "true"},
                                               {"jdk.ExecutionSample", "period", "20 ms"},
                                               {"type 98765", "a", "b"}};
  CHECK(summary.settings == expected);
  CHECK(summary_of({bytes}).settings.empty());
}
