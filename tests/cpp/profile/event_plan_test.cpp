#include "profile/event_plan.hpp"
#include "profile/event_value.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "profile/reading.hpp"
#include "support/standard_chunk.hpp"

using namespace jfrtree;
using namespace jfrtree::internal;
using namespace jfrtree::test;

namespace {

constexpr std::int64_t long_min = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t long_max = std::numeric_limits<std::int64_t>::max();
constexpr std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();

struct Converted {
  std::optional<std::uint64_t> number;
  bool is_negative = false;
};

Converted convert(std::int64_t number, Conversion conversion, std::uint8_t bytes = 8,
                  std::int64_t ticks_per_second = 1'000'000'000) {
  ChunkInfo info;
  info.header.ticks_per_second = ticks_per_second;
  Converted result;
  result.number = convert_number(static_cast<std::uint64_t>(number), conversion, {bytes, false},
                                 info, result.is_negative);
  return result;
}

Converted convert_unsigned(std::uint64_t number, Conversion conversion) {
  Converted result;
  result.number = convert_number(number, conversion, {8, true}, ChunkInfo(), result.is_negative);
  return result;
}

std::optional<std::uint64_t> rounded(double number) {
  bool is_negative = false;
  const auto result = round_number(number, is_negative);
  CHECK_FALSE(is_negative);
  return result;
}

/// The plan for an event of a chunk, with class and thread.
struct Planned {
  explicit Planned(const StandardChunk& chunk, std::string_view event, const EventRule& rule,
                   PlanRequest request = {true, true})
      : opened(chunk.bytes()) {
    const ChunkContents& contents = opened.contents();
    const Type* type = contents.metadata().find(event);
    REQUIRE(type != nullptr);
    plan = make_plan(contents, *type, rule, request);
  }
  OpenChunk opened;
  std::optional<EventPlan> plan;
};

EventRule field_rule(std::string_view value, std::string_view other = {}) {
  EventRule rule;
  rule.value = ValueRule::field;
  rule.value_field = value;
  rule.other_field = other;
  return rule;
}

StandardChunk chunk_with(std::string_view fields) {
  auto chunk = jdk17_chunk();
  chunk.types().declare(TypeKind::event, "my.Event", 5000, fields);
  return chunk;
}

Type type_with(std::initializer_list<std::string> names) {
  Type type;
  type.name = "my.Event";
  for (const std::string& name : names) type.fields.emplace_back().name = name;
  return type;
}

ProfileRequest event_request(std::string value_field = {}) {
  return event("my.Event", std::move(value_field));
}

}  // namespace

TEST_CASE("convert_number turns ticks into ns by the chunk's clock, rounded down") {
  CHECK(convert(2'799'998'547, Conversion::ticks, 8, 2'799'998'547).number == 1'000'000'000);
  CHECK(convert(1, Conversion::ticks, 8, 3).number == 333'333'333);
  CHECK(convert(2, Conversion::ticks, 8, 3'000'000'000).number == 0);
  CHECK(convert(5, Conversion::ticks, 8, 3'000'000'000).number == 1);
  // An hour at 10 GHz: the product of ticks and 10^9 needs more than 64 bits.
  CHECK(convert(36'000'000'000'000, Conversion::ticks, 8, 10'000'000'000).number ==
        3'600'000'000'000);
}

TEST_CASE("convert_number turns other units of time into ns, and bits into bytes") {
  CHECK(convert(3, Conversion::seconds).number == 3'000'000'000);
  CHECK(convert(3, Conversion::milliseconds).number == 3'000'000);
  CHECK(convert(3, Conversion::microseconds).number == 3'000);
  CHECK(convert(3, Conversion::none).number == 3);
  CHECK(convert(17, Conversion::bits).number == 2);
  CHECK(convert(20'000'000'000, Conversion::seconds).number == largest);
}

TEST_CASE("convert_number takes the ends of long, and the lower end of int, as not available") {
  for (const Conversion conversion :
       {Conversion::none, Conversion::ticks, Conversion::milliseconds, Conversion::bits}) {
    CHECK_FALSE(convert(long_min, conversion).number);
    CHECK_FALSE(convert(long_max, conversion).number);
    CHECK_FALSE(convert(long_min, conversion).is_negative);
  }
  CHECK_FALSE(convert(std::numeric_limits<std::int32_t>::min(), Conversion::none, 4).number);
  CHECK(convert(long_max - 1, Conversion::none).number == 9'223'372'036'854'775'806U);
  CHECK(convert(std::numeric_limits<std::int32_t>::max(), Conversion::none, 4).number ==
        2'147'483'647U);
}

TEST_CASE("convert_number makes negative numbers 0 and says so") {
  for (const std::int64_t number : {std::int64_t{-1}, long_min + 1, std::int64_t{-2'147'483'648}}) {
    const Converted converted = convert(number, Conversion::none);
    CHECK(converted.number == 0);
    CHECK(converted.is_negative);
  }
}

TEST_CASE("convert_number takes all bits of an unsigned number for the number") {
  constexpr std::uint64_t upper_half = std::uint64_t{1} << 63;
  for (const std::uint64_t number : {largest, largest - 1, upper_half, upper_half - 1}) {
    const Converted converted = convert_unsigned(number, Conversion::none);
    CHECK(converted.number == number);
    CHECK_FALSE(converted.is_negative);
  }
  CHECK(convert_unsigned(largest, Conversion::bits).number == 2'305'843'009'213'693'951U);
  CHECK(convert_unsigned(upper_half, Conversion::microseconds).number == largest);
  CHECK(convert_unsigned(largest, Conversion::ticks).is_negative);
}

TEST_CASE("convert_number rounds floating point numbers") {
  const auto bits = std::bit_cast<std::int64_t>(1234.5);
  CHECK(convert(bits, Conversion::floating).number == 1234);
  const Converted negative = convert(std::bit_cast<std::int64_t>(-0.25), Conversion::floating);
  CHECK(negative.number == 0);
  CHECK(negative.is_negative);
}

TEST_CASE("round_number rounds to the nearest, halves to even") {
  CHECK(rounded(0.0) == 0);
  CHECK(rounded(0.49) == 0);
  CHECK(rounded(0.5) == 0);
  CHECK(rounded(1.5) == 2);
  CHECK(rounded(2.5) == 2);
  CHECK(rounded(3.5) == 4);
  CHECK(rounded(2.500001) == 3);
  CHECK(rounded(1e19) == 10'000'000'000'000'000'000U);
}

TEST_CASE("round_number gives nothing for what is no number or beyond 64 bits") {
  CHECK_FALSE(rounded(std::numeric_limits<double>::quiet_NaN()));
  CHECK_FALSE(rounded(std::numeric_limits<double>::infinity()));
  CHECK_FALSE(rounded(-std::numeric_limits<double>::infinity()));
  CHECK_FALSE(rounded(18446744073709551616.0));
}

TEST_CASE("unit_of names nanoseconds, bytes and count") {
  const auto unit = [](ContentType content) {
    Field field;
    field.content = content;
    return unit_of(field);
  };
  CHECK(unit(ContentType::timespan_ticks) == "nanoseconds");
  CHECK(unit(ContentType::timespan_seconds) == "nanoseconds");
  CHECK(unit(ContentType::timespan_milliseconds) == "nanoseconds");
  CHECK(unit(ContentType::timespan_microseconds) == "nanoseconds");
  CHECK(unit(ContentType::timespan_nanoseconds) == "nanoseconds");
  CHECK(unit(ContentType::bytes) == "bytes");
  CHECK(unit(ContentType::bits) == "bytes");
  CHECK(unit(ContentType::none) == "count");
}

TEST_CASE("event_request_rule takes duration where the type has it, else no value") {
  const Type type = type_with({"duration", "stackTrace"});
  const ProfileRequest request = event_request();
  const EventRule with = event_request_rule(type, request);
  CHECK(with.value == ValueRule::field);
  CHECK(with.value_field == "duration");
  CHECK(event_request_rule(type_with({"stackTrace"}), event_request()).value == ValueRule::none);
}

TEST_CASE("event_request_rule takes the field that is named, and refuses one that is not there") {
  const Type type = type_with({"duration", "bytesRead", "stackTrace"});
  const ProfileRequest request = event_request("bytesRead");
  CHECK(event_request_rule(type, request).value_field == "bytesRead");
  CHECK(event_request_rule(type, request).has_chosen_value);
  CHECK_FALSE(event_request_rule(type, event_request("duration")).has_chosen_value);
  CHECK_THROWS_AS((void)event_request_rule(type, event_request("bytesWritten")), UsageError);
}

TEST_CASE("check_value_field lists the numeric fields of the type") {
  const OpenChunk opened(
      chunk_with("long startTime; int n; double share; String text; StackTrace* stackTrace")
          .bytes());
  const Metadata& metadata = opened.contents().metadata();
  const Type* type = metadata.find("my.Event");
  REQUIRE(type != nullptr);
  CHECK_NOTHROW(check_value_field(metadata, *type, event_request()));
  CHECK_NOTHROW(check_value_field(metadata, *type, event_request("n")));
  CHECK_NOTHROW(check_value_field(metadata, *type, event_request("share")));
  CHECK_THROWS_WITH_AS(check_value_field(metadata, *type, event_request("m")),
                       doctest::Contains("has no field m; its numeric fields are "), UsageError);
  CHECK_THROWS_WITH_AS(check_value_field(metadata, *type, event_request("text")),
                       doctest::Contains("n, share"), UsageError);
}

TEST_CASE("event_request_rule takes the class that the event is about") {
  for (const char* name : {"objectClass", "monitorClass", "parkedClass", "thrownClass"}) {
    const Type type = type_with({"stackTrace", name});
    CHECK(event_request_rule(type, event_request()).leaf_field == name);
  }
  CHECK(event_request_rule(type_with({"stackTrace"}), event_request()).leaf_field.empty());
}

TEST_CASE("event_request_rule takes the leaf of the kind that the event belongs to") {
  Type traced = type_with({"stackTrace", "method"});
  CHECK(event_request_rule(traced, event_request()).leaf_field.empty());
  traced.name = "jdk.MethodTrace";
  CHECK(event_request_rule(traced, event_request()).leaf_field == "method");
  CHECK(event_request_rule(traced, event_request()).leaf == LeafRule::method);
  Type old = type_with({"stackTrace", "object"});
  old.name = "com.oracle.jdk.OldObjectSample";
  CHECK(event_request_rule(old, event_request()).leaf == LeafRule::old_object);
}

TEST_CASE("make_plan has nothing for types without a stack trace") {
  CHECK_FALSE(Planned(chunk_with("long startTime; long n"), "my.Event", field_rule("n")).plan);
  CHECK_FALSE(
      Planned(chunk_with("long startTime; String stackTrace"), "my.Event", field_rule("n")).plan);
  CHECK(Planned(chunk_with("StackTrace* stackTrace"), "my.Event", field_rule("n")).plan);
}

TEST_CASE("make_plan converts numbers by the annotations and types of their fields") {
  const auto chunk = chunk_with(
      "long startTime; StackTrace* stackTrace; long ticks @Timespan(TICKS);"
      "long ms @Timespan(MILLISECONDS); long us @Timespan(MICROSECONDS);"
      "int s @Timespan(SECONDS); long ns @Timespan(NANOSECONDS); long size @DataAmount(BYTES);"
      "long bits @DataAmount(BITS); float f; double d; short small; byte b; boolean flag;"
      "String text; Thread* thread; int[] many");
  const auto value = [&](std::string_view field) {
    return Planned(chunk, "my.Event", field_rule(field)).plan->value;
  };
  CHECK(value("ticks") == Conversion::ticks);
  CHECK(value("ms") == Conversion::milliseconds);
  CHECK(value("us") == Conversion::microseconds);
  CHECK(value("s") == Conversion::seconds);
  CHECK(value("ns") == Conversion::none);
  CHECK(value("size") == Conversion::none);
  CHECK(value("bits") == Conversion::bits);
  CHECK(value("f") == Conversion::floating);
  CHECK(value("d") == Conversion::floating);
  CHECK(value("small") == Conversion::none);
  CHECK(value("flag") == Conversion::none);
  for (const char* field : {"text", "thread", "many", "stackTrace", "missing"}) {
    CHECK(value(field) == Conversion::absent);
  }
  CHECK(Planned(chunk, "my.Event", field_rule("s")).plan->value_bytes == 4);
  CHECK(Planned(chunk, "my.Event", field_rule("small")).plan->value_bytes == 2);
  CHECK(Planned(chunk, "my.Event", field_rule("b")).plan->value_bytes == 1);
  CHECK(Planned(chunk, "my.Event", field_rule("ms")).plan->value_bytes == 8);
}

TEST_CASE("make_plan reads a state only where the rule tells CPU from wall by it") {
  EventRule rule;
  CHECK_FALSE(Planned(jdk17_chunk(), "jdk.ExecutionSample", rule).plan->fills(slot_state));
  rule.period = PeriodRule::execution_sample;
  CHECK(Planned(jdk17_chunk(), "jdk.ExecutionSample", rule).plan->fills(slot_state));
}

TEST_CASE("make_plan names events as later versions do") {
  const Planned planned(jdk9_chunk(), "jdk.JavaMonitorEnter", field_rule("duration"));
  CHECK(planned.plan->event == "jdk.JavaMonitorEnter");
  CHECK(planned.plan->value == Conversion::ticks);
}
