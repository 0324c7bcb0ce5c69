#include "format/metadata_parser.hpp"

#include <doctest/doctest.h>

#include <string>

#include "format/small_chunk.hpp"

namespace jfrtree::internal {

namespace {

using test::Bytes;
using test::ByteWriter;
using test::classes_of;
using test::Element;
using test::event_class;
using test::from_hex;
using test::IntegerEncoding;
using test::StringEncoding;
using test::TypeKind;
using test::TypeTable;

/// The payload of a metadata event: start time, duration, metadata id, table and tree.
Bytes payload_of(const Element& root, StringEncoding strings = StringEncoding::utf8,
                 IntegerEncoding integers = IntegerEncoding::compressed) {
  return ByteWriter(integers)
      .long_value(1000)
      .long_value(0)
      .long_value(1)
      .raw(encode_metadata_tree(root, strings, integers))
      .bytes();
}

ParsedMetadata parse(const Element& root, const Limits& limits = {}) {
  return parse_metadata(payload_of(root), true, limits);
}

/// Strings and a tree that are written by hand.
ParsedMetadata parse_by_hand(const std::vector<std::string>& strings, const char* tree_hex,
                             const Limits& limits = {}) {
  const Bytes payload =
      ByteWriter()
          .zeros(3)
          .raw(encode_string_table(strings, StringEncoding::utf8, IntegerEncoding::compressed))
          .raw(from_hex(tree_hex))
          .bytes();
  return parse_metadata(payload, true, limits);
}

/// Some types with one event that uses them.
TypeTable some_types() {
  TypeTable types = test::small_types();
  types.declare(TypeKind::simple, "jdk.types.Symbol", 31, "String string");
  types.declare(TypeKind::plain, "t.Frame", 32, "Symbol* method; int lineNumber");
  types.declare(TypeKind::event, "t.Event", 100,
                "long startTime @Timestamp(TICKS); Frame[] frames; Symbol* name; Symbol[] names; "
                "long size @Unsigned");
  return types;
}

void check_some_types(const ParsedMetadata& parsed) {
  REQUIRE(parsed.metadata);
  CHECK(parsed.error.empty());
  CHECK(parsed.undecodable_types == 0);
  CHECK(parsed.duplicate_types == 0);
  const Type* event = parsed.metadata->find("t.Event");
  REQUIRE(event != nullptr);
  CHECK(event->id == TypeId{100});
  CHECK(event->is_event());
  CHECK_FALSE(event->is_simple);
  REQUIRE(event->fields.size() == 5);
  CHECK(event->fields[0].name == "startTime");
  CHECK(event->fields[0].content == ContentType::timestamp_ticks);
  REQUIRE(event->fields[0].annotations.size() == 1);
  CHECK(event->fields[0].annotations[0].type == "jdk.jfr.Timestamp");
  CHECK(event->fields[0].annotations[0].value() == "TICKS");
  CHECK(event->fields[1].is_array);
  CHECK_FALSE(event->fields[1].is_reference);
  CHECK(event->fields[1].type == TypeId{32});
  CHECK_FALSE(event->fields[2].is_array);
  CHECK(event->fields[2].is_reference);
  CHECK(event->fields[4].is_unsigned);
  CHECK(parsed.metadata->find("jdk.types.Symbol")->is_simple);
  CHECK_FALSE(parsed.metadata->find("t.Frame")->is_simple);
}

/// A chain of elements, each inside of the one before.
Element nested(int depth) {
  Element element{"leaf"};
  for (int i = 1; i < depth; ++i) {
    Element outer{i + 1 == depth ? "root" : "box"};
    outer.child(std::move(element));
    element = std::move(outer);
  }
  return element;
}

}  // namespace

TEST_CASE("types, fields and annotations are read from the tree") {
  check_some_types(parse(some_types().metadata()));
}

TEST_CASE("the table of strings may have any encoding") {
  const Element root = some_types().metadata();
  for (const auto encoding :
       {StringEncoding::utf8, StringEncoding::utf16, StringEncoding::latin1}) {
    check_some_types(parse_metadata(payload_of(root, encoding), true, {}));
  }
}

TEST_CASE("a metadata event may be written in fixed-width integers") {
  const Bytes payload =
      payload_of(some_types().metadata(), StringEncoding::utf16, IntegerEncoding::fixed_width);
  check_some_types(parse_metadata(payload, false, {}));
}

TEST_CASE("a metadata event that is cut at any byte is refused") {
  const Bytes payload = payload_of(some_types().metadata());
  for (std::size_t size = 0; size < payload.size(); ++size) {
    CAPTURE(size);
    const ParsedMetadata parsed = parse_metadata(std::span(payload).first(size), true, {});
    CHECK_FALSE(parsed.metadata);
    CHECK_FALSE(parsed.error.empty());
    CHECK_FALSE(parsed.is_limit);
  }
}

TEST_CASE("bytes behind the tree are ignored") {
  Bytes payload = payload_of(some_types().metadata());
  payload.resize(payload.size() + 10, std::byte{0xff});
  check_some_types(parse_metadata(payload, true, {}));
}

TEST_CASE("the region says how far local time is ahead, also with a minus") {
  Element root = some_types().metadata();
  root.children.at(1).set("gmtOffset", "-12600000");
  CHECK(parse(root).metadata->gmt_offset_ms() == -12'600'000);
  root.children.at(1).set("gmtOffset", "soon");
  CHECK(parse(root).metadata->gmt_offset_ms() == 0);
  root.children.at(1).remove("gmtOffset");
  CHECK(parse(root).metadata->gmt_offset_ms() == 0);
  root.children.pop_back();
  check_some_types(parse(root));
  CHECK(parse(root).metadata->gmt_offset_ms() == 0);
}

TEST_CASE("unknown elements and attributes are passed over wherever they stand") {
  Element root = some_types().metadata();
  root.children.insert(root.children.begin(), Element{"novelty", {{"a", "b"}}, {{"field"}}});
  Element& types = root.children[1];
  types.children.insert(types.children.begin(), Element{"novelty", {}, {{"class"}}});
  Element& event = types.find("class", "t.Event");
  event.attribute("sealed", "true");
  event.children.insert(event.children.begin() + 1,
                        Element{"novelty", {{"name", "x"}}, {{"field"}}});
  event.child(test::setting("threshold", 31, "10 ms").child(test::annotation(21, "TICKS")));
  event.child(Element{"setting", {{"name", "by name"}, {"class", "jdk.settings.Threshold"}}});
  event.children[0].attribute("novelty", "17");
  check_some_types(parse(root));
}

TEST_CASE("annotations of types and fields are kept, array members by their numbers") {
  Element root = some_types().metadata();
  classes_of(root).child(test::annotation_class("jdk.jfr.Category", 40));
  Element category = test::annotation(40);
  category.attribute("value-0", "Java").attribute("value-1", "Code");
  Element& event = classes_of(root).find("class", "t.Event");
  event.child(category);
  event.child(test::annotation(999, "of an undeclared type"));
  const ParsedMetadata parsed = parse(root);
  REQUIRE(parsed.metadata);
  const Type* type = parsed.metadata->find("t.Event");
  REQUIRE(type->annotations.size() == 1);
  CHECK(type->annotations[0].type == "jdk.jfr.Category");
  CHECK(type->annotations[0].value("value-0") == "Java");
  CHECK(type->annotations[0].value("value-1") == "Code");
}

TEST_CASE("the first of two classes with one id counts and the other is reported") {
  Element root = some_types().metadata();
  classes_of(root).child(event_class("t.Late", 100).child(test::field("x", 7)));
  const ParsedMetadata parsed = parse(root);
  REQUIRE(parsed.metadata);
  CHECK(parsed.duplicate_types == 1);
  CHECK(parsed.metadata->find(TypeId{100})->name == "t.Event");
  CHECK(parsed.metadata->find(TypeId{100})->fields.size() == 5);
  CHECK(parsed.metadata->find("t.Late") == nullptr);
}

TEST_CASE("a class without a usable id is left out") {
  Element root = some_types().metadata();
  classes_of(root).child(event_class("t.NoId", 200).remove("id").child(test::field("x", 7)));
  classes_of(root).child(event_class("t.Word", 200).set("id", "many"));
  classes_of(root).child(event_class("t.Half", 200).set("id", "20x"));
  const ParsedMetadata parsed = parse(root);
  check_some_types(parsed);
  CHECK(parsed.metadata->find("t.NoId") == nullptr);
  CHECK(parsed.metadata->find("t.Word") == nullptr);
  CHECK(parsed.metadata->find("t.Half") == nullptr);
}

TEST_CASE("ids use all 64 bits") {
  Element root = some_types().metadata();
  classes_of(root).child(event_class("t.Low", 1).set("id", "-9223372036854775808"));
  classes_of(root).child(event_class("t.High", 9'223'372'036'854'775'807U));
  const ParsedMetadata parsed = parse(root);
  check_some_types(parsed);
  CHECK(parsed.metadata->find("t.Low")->id == TypeId{std::uint64_t{1} << 63});
  CHECK(parsed.metadata->find("t.High")->id == TypeId{~std::uint64_t{0} >> 1});
}

TEST_CASE("a dimension other than 0 makes an array, a reference is one whatever it says") {
  Element root = some_types().metadata();
  Element& event = classes_of(root).find("class", "t.Event");
  event.child(test::field("zero", 6).attribute("dimension", "0"));
  event.child(test::field("two", 6).attribute("dimension", "2"));
  event.child(test::field("no", 31).attribute("constantPool", "false"));
  const ParsedMetadata parsed = parse(root);
  REQUIRE(parsed.metadata);
  const Type* type = parsed.metadata->find("t.Event");
  CHECK_FALSE(type->fields[5].is_array);
  CHECK(type->fields[6].is_array);
  CHECK(type->fields[7].is_reference);
  CHECK(type->is_decodable);
}

TEST_CASE("fields whose class or dimension is no number poison their type alone") {
  for (const char* attribute : {"class", "dimension"}) {
    CAPTURE(attribute);
    Element root = some_types().metadata();
    classes_of(root).child(
        event_class("t.Bad", 200).child(test::field("x", 6).set(attribute, "java.lang.String")));
    const ParsedMetadata parsed = parse(root);
    REQUIRE(parsed.metadata);
    CHECK(parsed.undecodable_types == 1);
    CHECK_FALSE(parsed.metadata->find("t.Bad")->is_decodable);
    CHECK(parsed.metadata->find("t.Event")->is_decodable);
  }
}

TEST_CASE("elements nest as deep as the limit says and no deeper") {
  Limits limits;
  limits.metadata_depth = 10;
  CHECK(parse(nested(10), limits).metadata);
  const ParsedMetadata parsed = parse(nested(11), limits);
  CHECK_FALSE(parsed.metadata);
  CHECK(parsed.is_limit);
  CHECK(parsed.error.find("metadata_depth") != std::string::npos);
  CHECK(parse(nested(64)).metadata);
  CHECK(parse(nested(65)).is_limit);
}

TEST_CASE("elements and strings are counted against their limit") {
  Limits limits;
  limits.metadata_elements = 30;
  const ParsedMetadata parsed = parse(some_types().metadata(), limits);
  CHECK_FALSE(parsed.metadata);
  CHECK(parsed.is_limit);
  CHECK(parsed.error.find("metadata_elements") != std::string::npos);
}

TEST_CASE("counts that the bytes cannot hold are refused before anything is allocated") {
  // 2^40 strings; then an element of 2^34 attributes; then one of 2^34 children.
  const Bytes strings = ByteWriter().zeros(3).count(std::uint64_t{1} << 40).zeros(9).bytes();
  CHECK(parse_metadata(strings, true, {}).error.find("strings") != std::string::npos);
  CHECK_FALSE(parse_by_hand({"root"}, "00 80 80 80 80 40 00 00").metadata);
  CHECK_FALSE(parse_by_hand({"root"}, "00 00 80 80 80 80 40 00 00").metadata);
}

TEST_CASE("an index of a string that is not there is refused") {
  CHECK(parse_by_hand({"root", "k", "v"}, "00 01 01 02 00").metadata);
  CHECK_FALSE(parse_by_hand({"root", "k", "v"}, "03 01 01 02 00").metadata);
  CHECK_FALSE(parse_by_hand({"root", "k", "v"}, "00 01 03 02 00").metadata);
  CHECK_FALSE(parse_by_hand({"root", "k", "v"}, "00 01 01 03 00").metadata);
  CHECK_FALSE(parse_by_hand({"root", "k", "v"}, "ff ff ff ff 0f 01 01 02 00").metadata);
}

TEST_CASE("a root of another name, and one without children, are read") {
  CHECK(parse_by_hand({"tree"}, "00 00 00").metadata);
  Element root = some_types().metadata();
  root.name = "anything";
  check_some_types(parse(root));
}

}  // namespace jfrtree::internal
