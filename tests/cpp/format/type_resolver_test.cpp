#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "format/metadata_parser.hpp"

namespace jfrtree::internal {

namespace {

constexpr bool reference = true;

Type declare(std::uint64_t id, std::string name, std::vector<Field> fields = {}) {
  Type type;
  type.id = TypeId{id};
  type.name = std::move(name);
  type.fields = std::move(fields);
  return type;
}

Field field(std::uint64_t type, bool is_array = false, bool is_reference = false) {
  Field result;
  result.name = "f";
  result.type = TypeId{type};
  result.is_array = is_array;
  result.is_reference = is_reference;
  return result;
}

/// Numbers of the types that cannot be decoded, in order, separated by spaces.
std::string undecodable(std::vector<Type> types) {
  types.insert(types.begin(), declare(1, "int"));
  types.insert(types.begin(), declare(2, "java.lang.String"));
  resolve_types(types);
  std::string ids;
  for (const Type& type : types) {
    if (!type.is_decodable) ids += (ids.empty() ? "" : " ") + std::to_string(raw(type.id));
  }
  return ids;
}

ContentType content(const std::vector<std::pair<const char*, const char*>>& annotations) {
  Field annotated = field(1);
  for (const auto& [type, value] : annotations) {
    Annotation annotation{type, {}};
    if (value != nullptr) annotation.values.emplace_back("value", value);
    annotated.annotations.push_back(annotation);
  }
  std::vector<Type> types = {declare(1, "long"), declare(10, "t", {annotated})};
  resolve_types(types);
  return types[1].fields[0].content;
}

}  // namespace

TEST_CASE("the nine primitive types are known by name") {
  std::vector<Type> types;
  const std::vector<std::pair<const char*, Primitive>> table = {
      {"boolean", Primitive::boolean},
      {"byte", Primitive::byte},
      {"short", Primitive::short_integer},
      {"char", Primitive::character},
      {"int", Primitive::integer},
      {"long", Primitive::long_integer},
      {"float", Primitive::floating},
      {"double", Primitive::double_floating},
      {"java.lang.String", Primitive::string},
      {"java.lang.Object", Primitive::none}};
  types.reserve(table.size());
  for (const auto& [name, primitive] : table) types.push_back(declare(types.size(), name));
  resolve_types(types);
  for (std::size_t i = 0; i < table.size(); ++i) {
    CAPTURE(table[i].first);
    CHECK(types[i].primitive == table[i].second);
    CHECK(types[i].is_decodable);
  }
}

TEST_CASE("a type with fields is a struct even if its name is a primitive's") {
  std::vector<Type> types = {declare(1, "int"), declare(3, "long", {field(1)}),
                             declare(4, "java.lang.String", {field(1)})};
  resolve_types(types);
  CHECK(types[1].primitive == Primitive::none);
  CHECK(types[2].primitive == Primitive::string);
}

TEST_CASE(
    "a field of an undeclared class makes its type undecodable, a reference to one does not") {
  CHECK(undecodable({declare(10, "bad", {field(999)})}) == "10");
  CHECK(undecodable({declare(10, "bad", {field(999, true)})}) == "10");
  CHECK(undecodable({declare(10, "good", {field(999, false, reference)})}).empty());
  CHECK(undecodable({declare(10, "good", {field(999, true, reference)})}).empty());
}

TEST_CASE("a class without fields that is no primitive has no encoding") {
  CHECK(undecodable({declare(9, "marker"), declare(10, "bad", {field(9)})}) == "10");
  CHECK(undecodable({declare(9, "marker"), declare(10, "bad", {field(9, true)})}) == "10");
  CHECK(undecodable({declare(9, "marker"), declare(10, "good", {field(9, false, reference)})})
            .empty());
}

TEST_CASE("what holds an undecodable type inline is undecodable, what refers to it is not") {
  CHECK(undecodable({declare(10, "bad", {field(999)}), declare(11, "holds", {field(10)}),
                     declare(12, "holds holder", {field(1), field(11)}),
                     declare(13, "array", {field(12, true)}),
                     declare(14, "refers", {field(10, false, reference)}),
                     declare(15, "apart", {field(1)})}) == "10 11 12 13");
}

TEST_CASE("a struct that contains itself inline never ends") {
  CHECK(undecodable({declare(10, "self", {field(1), field(10)})}) == "10");
  CHECK(undecodable({declare(10, "a", {field(11)}), declare(11, "b", {field(12)}),
                     declare(12, "c", {field(10)}), declare(13, "apart", {field(2)})}) ==
        "10 11 12");
  CHECK(undecodable({declare(10, "self", {field(10)}), declare(11, "above", {field(10)})}) ==
        "10 11");
}

TEST_CASE("a struct may contain itself through an array or a reference") {
  CHECK(undecodable({declare(10, "tree", {field(1), field(10, true)})}).empty());
  CHECK(undecodable({declare(10, "list", {field(1), field(10, false, reference)})}).empty());
  CHECK(undecodable({declare(10, "a", {field(11)}), declare(11, "b", {field(10, true)})}).empty());
}

TEST_CASE("a chain of 100,000 structs is resolved without recursion") {
  std::vector<Type> good;
  std::vector<Type> bad;
  constexpr std::uint64_t count = 100'000;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t next = i + 1 < count ? 11 + i : 1;
    good.push_back(declare(10 + i, "g", {field(next)}));
    bad.push_back(declare(10 + i, "b", {field(i + 1 < count ? next : 5'000'000)}));
  }
  CHECK(undecodable(good).empty());
  good.insert(good.begin(), declare(1, "int"));
  bad.insert(bad.begin(), declare(1, "int"));
  resolve_types(bad);
  CHECK_FALSE(bad[1].is_decodable);
  CHECK_FALSE(bad.back().is_decodable);
}

TEST_CASE("units of points in time and of spans come from annotations") {
  CHECK(content({}) == ContentType::none);
  CHECK(content({{"jdk.jfr.Timestamp", "TICKS"}}) == ContentType::timestamp_ticks);
  CHECK(content({{"jdk.jfr.Timestamp", "MILLISECONDS_SINCE_EPOCH"}}) ==
        ContentType::timestamp_milliseconds);
  CHECK(content({{"jdk.jfr.Timestamp", "NANOSECONDS_SINCE_EPOCH"}}) ==
        ContentType::timestamp_nanoseconds);
  CHECK(content({{"jdk.jfr.Timestamp", "SECONDS_SINCE_EPOCH"}}) == ContentType::timestamp_seconds);
  CHECK(content({{"jdk.jfr.Timespan", "TICKS"}}) == ContentType::timespan_ticks);
  CHECK(content({{"jdk.jfr.Timespan", "SECONDS"}}) == ContentType::timespan_seconds);
  CHECK(content({{"jdk.jfr.Timespan", "MILLISECONDS"}}) == ContentType::timespan_milliseconds);
  CHECK(content({{"jdk.jfr.Timespan", "MICROSECONDS"}}) == ContentType::timespan_microseconds);
  CHECK(content({{"jdk.jfr.Timespan", "NANOSECONDS"}}) == ContentType::timespan_nanoseconds);
  CHECK(content({{"jdk.jfr.Timespan", nullptr}}) == ContentType::timespan_nanoseconds);
  CHECK(content({{"com.oracle.jfr.Timespan", "TICKS"}}) == ContentType::timespan_ticks);
}

TEST_CASE("amounts and rates come from annotations in either order") {
  CHECK(content({{"jdk.jfr.DataAmount", nullptr}}) == ContentType::bytes);
  CHECK(content({{"jdk.jfr.DataAmount", "BYTES"}}) == ContentType::bytes);
  CHECK(content({{"jdk.jfr.DataAmount", "BITS"}}) == ContentType::bits);
  CHECK(content({{"jdk.jfr.MemoryAmount", nullptr}}) == ContentType::bytes);
  CHECK(content({{"jdk.jfr.Frequency", nullptr}}) == ContentType::hertz);
  CHECK(content({{"jdk.jfr.DataAmount", "BYTES"}, {"jdk.jfr.Frequency", nullptr}}) ==
        ContentType::bytes_per_second);
  CHECK(content({{"jdk.jfr.Frequency", nullptr}, {"jdk.jfr.DataAmount", "BITS"}}) ==
        ContentType::bits_per_second);
  CHECK(content({{"jdk.jfr.Percentage", nullptr}}) == ContentType::percentage);
  CHECK(content({{"jdk.jfr.MemoryAddress", nullptr}}) == ContentType::memory_address);
  CHECK(content({{"jdk.jfr.Label", "x"}, {"my.Own", "TICKS"}}) == ContentType::none);
}

TEST_CASE("unsigned is a property beside the unit") {
  Field both = field(1);
  both.annotations = {{"jdk.jfr.Unsigned", {}}, {"jdk.jfr.DataAmount", {{"value", "BYTES"}}}};
  std::vector<Type> types = {declare(1, "long"), declare(10, "t", {both, field(1)})};
  resolve_types(types);
  CHECK(types[1].fields[0].is_unsigned);
  CHECK(types[1].fields[0].content == ContentType::bytes);
  CHECK_FALSE(types[1].fields[1].is_unsigned);
}

}  // namespace jfrtree::internal
