#include <jfrtree/metadata.hpp>

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

namespace jfrtree {

namespace {

Type make_type(std::uint64_t id, std::string name) {
  Type type;
  type.id = TypeId{id};
  type.name = std::move(name);
  return type;
}

}  // namespace

TEST_CASE("types are found by id") {
  const Metadata metadata(
      {make_type(30, "c"), make_type(1, "a"), make_type(~std::uint64_t{0}, "z")});
  REQUIRE(metadata.types().size() == 3);
  CHECK(metadata.find(TypeId{1})->name == "a");
  CHECK(metadata.find(TypeId{30})->name == "c");
  CHECK(metadata.find(TypeId{~std::uint64_t{0}})->name == "z");
  CHECK(metadata.find(TypeId{0}) == nullptr);
  CHECK(metadata.find(TypeId{2}) == nullptr);
  CHECK(metadata.find(TypeId{31}) == nullptr);
  CHECK(Metadata({}).find(TypeId{0}) == nullptr);
}

TEST_CASE("the first of several types with one id or one name counts") {
  const Metadata metadata({make_type(5, "first"), make_type(5, "second"), make_type(6, "first")});
  CHECK(metadata.find(TypeId{5})->name == "first");
  CHECK(metadata.find("first")->id == TypeId{5});
}

TEST_CASE("names of version 1.0 and later ones mean the same type") {
  CHECK(normalized_type_name("com.oracle.jdk.ExecutionSample") == "jdk.ExecutionSample");
  CHECK(normalized_type_name("com.oracle.jfr.types.StackTrace") == "jdk.types.StackTrace");
  CHECK(normalized_type_name("java.lang.Thread") == "java.lang.Thread");
  CHECK(normalized_type_name("jdk.ExecutionSample") == "jdk.ExecutionSample");
  CHECK(normalized_type_name("com.oracle.other.X") == "com.oracle.other.X");
  CHECK(normalized_type_name("").empty());

  const Metadata old({make_type(1, "com.oracle.jdk.ThreadPark"), make_type(2, "my.Event")});
  CHECK(old.find("jdk.ThreadPark")->id == TypeId{1});
  CHECK(old.find("com.oracle.jdk.ThreadPark")->id == TypeId{1});
  CHECK(old.find("my.Event")->id == TypeId{2});
  CHECK(old.find("my.Other") == nullptr);

  const Metadata recent({make_type(1, "jdk.types.Symbol")});
  CHECK(recent.find("com.oracle.jfr.types.Symbol")->id == TypeId{1});
}

TEST_CASE("an event type is one whose super type is Event") {
  Type type = make_type(1, "a");
  CHECK_FALSE(type.is_event());
  type.super_type = "java.lang.annotation.Annotation";
  CHECK_FALSE(type.is_event());
  type.super_type = "jdk.jfr.Event";
  CHECK(type.is_event());
}

TEST_CASE("the first of several fields with one name is found") {
  Type type = make_type(1, "a");
  for (const char* name : {"x", "_dd.trace.operation", "x"}) {
    Field field;
    field.name = name;
    type.fields.push_back(field);
  }
  CHECK(type.field_index("x") == 0);
  CHECK(type.field_index("_dd.trace.operation") == 1);
  CHECK(type.field_index("y") == -1);
}

TEST_CASE("annotation values are found by name") {
  const Annotation annotation{"jdk.jfr.Category", {{"value-0", "Java"}, {"value-1", "Code"}}};
  CHECK(annotation.value("value-1") == "Code");
  CHECK(annotation.value().empty());
  const Annotation label{"jdk.jfr.Label", {{"value", "Allocated Bytes"}}};
  CHECK(label.value() == "Allocated Bytes");

  Type type = make_type(1, "a");
  Field field;
  CHECK(field.label().empty());
  CHECK(type.label().empty());
  field.annotations = {annotation, label};
  type.annotations = {label};
  CHECK(field.label() == "Allocated Bytes");
  CHECK(type.label() == "Allocated Bytes");
}

TEST_CASE("the offset of local time is kept") {
  CHECK(Metadata({}).gmt_offset_ms() == 0);
  CHECK(Metadata({}, -12'600'000).gmt_offset_ms() == -12'600'000);
}

}  // namespace jfrtree
