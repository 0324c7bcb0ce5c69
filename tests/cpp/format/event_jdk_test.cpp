// Every field of real events against what the JDK's own reader printed for them.

#include <doctest/doctest.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include <jfrtree/event.hpp>

#include "format/text.hpp"
#include "support/test_paths.hpp"

namespace jfrtree {

namespace {

using nlohmann::json;

/// Numbers of checks, so that a test that compares nothing fails.
struct Counts {
  int events = 0;
  int leaves = 0;
};

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
    text.replace(at, from.size(), to);
  }
}

/// The JDK writes lone surrogates as they are, which is no JSON. The recording has two of them.
json read_json(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  replace_all(text, R"("\ud83d")", R"("\ufffd")");
  replace_all(text, R"(\ud800 )", R"(\ufffd )");
  return json::parse(text).at("recording").at("events");
}

/// Digits behind a decimal point as nanoseconds.
std::int64_t fraction(std::string_view digits) {
  std::string padded(digits);
  padded.resize(9, '0');
  return std::stoll(padded);
}

/// "2026-11-30T10:53:19.9Z" as ns since the epoch; seconds and fraction may be missing.
std::int64_t to_epoch_ns(const std::string& text) {
  const auto number = [&text](std::size_t at, std::size_t size) {
    return text.size() > at + size ? std::stoi(text.substr(at, size)) : 0;
  };
  using namespace std::chrono;
  const sys_days date = year(number(0, 4)) / month(static_cast<unsigned>(number(5, 2))) /
                        day(static_cast<unsigned>(number(8, 2)));
  const seconds time = hours(number(11, 2)) + minutes(number(14, 2)) + seconds(number(17, 2));
  std::int64_t ns = nanoseconds(date.time_since_epoch() + time).count();
  const std::size_t dot = text.find('.');
  if (dot != std::string::npos) ns += fraction(text.substr(dot + 1, text.size() - dot - 2));
  return ns;
}

/// "PT1M30.5S" as ns.
std::int64_t to_span_ns(const std::string& text) {
  REQUIRE(text.starts_with("PT"));
  std::int64_t ns = 0;
  for (std::size_t at = 2; at < text.size();) {
    const std::size_t end = text.find_first_of("HMS", at);
    REQUIRE(end != std::string::npos);
    const std::string number = text.substr(at, end - at);
    const std::int64_t unit = text[end] == 'H' ? 3600 : text[end] == 'M' ? 60 : 1;
    const std::size_t dot = number.find('.');
    std::int64_t part = std::stoll(number) * unit * 1'000'000'000;
    if (dot != std::string::npos) part += fraction(number.substr(dot + 1));
    ns += part;
    at = end + 1;
  }
  return ns;
}

/// A number with a unit of time as the text of the JDK means it.
std::int64_t expected_ns(const Value& value, const std::string& text) {
  return value.field()->content <= ContentType::timestamp_nanoseconds ? to_epoch_ns(text)
                                                                      : to_span_ns(text);
}

std::int64_t actual_ns(const Value& value, const ChunkInfo& chunk) {
  switch (value.field()->content) {
    case ContentType::timestamp_ticks:
      return chunk.to_epoch_ns(value.integer());
    case ContentType::timespan_ticks:
      return static_cast<std::int64_t>(chunk.to_duration_ns(value.integer()));
    case ContentType::timestamp_milliseconds:
    case ContentType::timespan_milliseconds:
      return value.integer() * 1'000'000;
    case ContentType::timespan_seconds:
      return value.integer() * 1'000'000'000;
    case ContentType::timespan_microseconds:
      return value.integer() * 1000;
    default:
      return value.integer();
  }
}

class Comparison {
 public:
  explicit Comparison(const Chunk& chunk) : chunk_(chunk) {}

  void compare(const Value& value, const json& expected) {
    const Value actual = value.resolve();
    if (expected.is_object()) {
      REQUIRE(actual.kind() == Value::Kind::structure);
      CHECK(actual.size() == expected.size());
      for (const auto& field : expected.items()) {
        CAPTURE(field.key());
        compare(actual[field.key()], field.value());
      }
    } else if (expected.is_array()) {
      // Printed with a stack depth of 1.
      REQUIRE(actual.kind() == Value::Kind::array);
      REQUIRE(actual.size() >= expected.size());
      for (std::size_t i = 0; i < expected.size(); ++i) compare(actual[i], expected[i]);
    } else {
      ++counts.leaves;
      compare_leaf(actual, expected);
    }
  }

  void compare_event(const Event& event, const json& expected) {
    ++counts.events;
    CHECK(event.size() == expected.size());
    for (const auto& field : expected.items()) {
      CAPTURE(field.key());
      compare(event[field.key()], field.value());
    }
  }

  Counts counts;

 private:
  void compare_leaf(const Value& value, const json& expected) {
    if (expected.is_null()) {
      // Also what the JDK makes of numbers that JSON has not.
      const bool is_null = value.is_null() || !std::isfinite(value.number());
      CHECK(is_null);
    } else if (expected.is_boolean()) {
      CHECK(value.kind() == Value::Kind::boolean);
      CHECK((value.integer() == 1) == expected.get<bool>());
    } else if (expected.is_number_float()) {
      CHECK(value.kind() == Value::Kind::floating);
      compare_floating(value, expected.get<double>());
    } else if (expected.is_number_unsigned()) {
      CHECK(value.kind() == Value::Kind::integer);
      CHECK(static_cast<std::uint64_t>(value.integer()) == expected.get<std::uint64_t>());
    } else if (expected.is_number()) {
      CHECK(value.kind() == Value::Kind::integer);
      CHECK(value.integer() == expected.get<std::int64_t>());
    } else if (value.type()->primitive == Primitive::character) {
      std::string text;
      internal::append_code_point(text, static_cast<std::uint32_t>(value.integer()));
      CHECK(text == expected.get<std::string>());
    } else if (value.kind() == Value::Kind::integer) {
      const auto text = expected.get<std::string>();
      CHECK(actual_ns(value, chunk_.info()) == expected_ns(value, text));
    } else {
      CHECK(value.text() == expected.get<std::string>());
    }
  }

  static void compare_floating(const Value& value, double expected) {
    if (value.type()->primitive == Primitive::floating) {
      CHECK(static_cast<float>(value.number()) == static_cast<float>(expected));
    } else {
      CHECK(value.number() == expected);
    }
    CHECK(std::signbit(value.number()) == std::signbit(expected));
  }

  const Chunk& chunk_;
};

/// Compares all events of a type, in the order of the file: one thread made them.
Counts compare_all(std::string_view type) {
  const std::string name(type);
  const json expected = read_json(test::testdata("expected/jdk17-events.jfr/" + name + ".json"));
  const auto input = open_input(test::testdata("jdk17-events.jfr").string());
  ChunkReader reader(*input);
  const auto chunk = reader.next();
  REQUIRE(chunk);
  Comparison comparison(*chunk);
  std::size_t number = 0;
  for (const RawEvent& raw : *chunk) {
    const Event event(*chunk, raw);
    if (event.type_name() != type) continue;
    CAPTURE(number);
    REQUIRE(number < expected.size());
    comparison.compare_event(event, expected[number++].at("values"));
  }
  CHECK(number == expected.size());
  CHECK(reader.problems().empty());
  return comparison.counts;
}

}  // namespace

TEST_CASE("every field of every type is what the JDK reads") {
  const Counts counts = compare_all("example.AllTypes");
  CHECK(counts.events == 12);
  CHECK(counts.leaves > 400);
}

TEST_CASE("every unit, and unsigned numbers, are what the JDK reads") {
  const Counts counts = compare_all("example.Annotated");
  CHECK(counts.events == 2);
  CHECK(counts.leaves > 80);
}

TEST_CASE("annotations give the fields their meaning") {
  const auto input = open_input(test::testdata("jdk17-events.jfr").string());
  ChunkReader reader(*input);
  const auto chunk = reader.next();
  REQUIRE(chunk);
  const Type* type = chunk->metadata().find("example.Annotated");
  REQUIRE(type != nullptr);
  CHECK(type->label() == "Annotated");
  const auto content = [type](std::string_view name) {
    const int index = type->field_index(name);
    REQUIRE(index >= 0);
    return type->fields[static_cast<std::size_t>(index)].content;
  };
  CHECK(content("startTime") == ContentType::timestamp_ticks);
  CHECK(content("duration") == ContentType::timespan_ticks);
  CHECK(content("spanNanos") == ContentType::timespan_nanoseconds);
  CHECK(content("spanMicros") == ContentType::timespan_microseconds);
  CHECK(content("spanMillis") == ContentType::timespan_milliseconds);
  CHECK(content("spanSeconds") == ContentType::timespan_seconds);
  CHECK(content("spanTicks") == ContentType::timespan_ticks);
  CHECK(content("epochMillis") == ContentType::timestamp_milliseconds);
  CHECK(content("stampTicks") == ContentType::timestamp_ticks);
  CHECK(content("bytes") == ContentType::bytes);
  CHECK(content("bits") == ContentType::bits);
  CHECK(content("bytesPerSecond") == ContentType::bytes_per_second);
  CHECK(content("hertz") == ContentType::hertz);
  CHECK(content("share") == ContentType::percentage);
  CHECK(content("address") == ContentType::memory_address);
  CHECK(content("enabled") == ContentType::none);
}

}  // namespace jfrtree
