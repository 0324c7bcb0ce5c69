#include "format/layout.hpp"

#include <doctest/doctest.h>

#include <array>
#include <bit>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "format/metadata_parser.hpp"
#include "format/small_chunk.hpp"
#include "format/text.hpp"

namespace jfrtree::internal {

namespace {

using test::Bytes;
using test::ByteWriter;
using test::from_hex;
using test::IntegerEncoding;
using test::TypeKind;
using test::TypeTable;

/// Types of a test with their layouts, for compressed or fixed-width integers.
class Compiled {
 public:
  explicit Compiled(const TypeTable& types,
                    IntegerEncoding integers = IntegerEncoding::compressed) {
    const Bytes payload =
        ByteWriter()
            .zeros(3)
            .raw(encode_metadata_tree(types.metadata(), test::StringEncoding::utf8,
                                      IntegerEncoding::compressed))
            .bytes();
    ParsedMetadata parsed = parse_metadata(payload, true, {});
    REQUIRE(parsed.metadata);
    metadata_ = parsed.metadata;
    layouts_ = std::make_unique<Layouts>(*metadata_, integers == IntegerEncoding::compressed);
  }

  [[nodiscard]] const Type& type(std::string_view name) const {
    const Type* found = metadata_->find(name);
    REQUIRE(found != nullptr);
    return *found;
  }
  [[nodiscard]] const Layouts& layouts() const { return *layouts_; }

  /// Bytes that skipping one value takes, or -1 when it fails.
  [[nodiscard]] int skipped(std::string_view name, const Bytes& bytes) const {
    ByteReader reader(bytes, layouts_->has_compressed_integers());
    layouts_->skip(type(name), reader);
    return reader.failed() ? -1 : static_cast<int>(bytes.size() - reader.remaining());
  }

 private:
  std::shared_ptr<const Metadata> metadata_;
  std::unique_ptr<Layouts> layouts_;
};

TypeTable with_struct(std::string_view fields) {
  TypeTable types = test::small_types();
  types.declare(TypeKind::plain, "t.Frame", 30, "Other* method; int line; int bci; Other* kind");
  types.declare(TypeKind::plain, "t.Other", 31, "String text; byte b");
  types.declare(TypeKind::plain, "t.S", 32, fields);
  return types;
}

/// A value followed by bytes that belong to the next one: skipping stops exactly before them, and
/// fails for every shorter piece of the value.
void check_skips(std::string_view fields, const ByteWriter& value) {
  CAPTURE(fields);
  const Compiled types(with_struct(fields), value.integers());
  Bytes bytes = value.bytes();
  const auto size = static_cast<int>(bytes.size());
  bytes.resize(bytes.size() + 12, std::byte{0x7f});
  CHECK(types.skipped("t.S", bytes) == size);
  for (int cut = 0; cut < size; ++cut) {
    CAPTURE(cut);
    CHECK(types.skipped("t.S", Bytes(bytes.begin(), bytes.begin() + cut)) == -1);
  }
}

}  // namespace

TEST_CASE("skipping a value takes exactly its bytes, for every kind of field") {
  for (const auto integers : {IntegerEncoding::compressed, IntegerEncoding::fixed_width}) {
    const auto value = [integers] { return ByteWriter(integers); };
    check_skips("boolean a; byte b; short c; char d; int e; long f; float g; double h",
                value()
                    .boolean_value(true)
                    .byte_value(-1)
                    .short_value(-3)
                    .char_value(u'€')
                    .int_value(-4)
                    .long_value(INT64_MIN)
                    .float_value(1.5F)
                    .double_value(-2.5));
    check_skips("String s; String t; String u",
                value().string("abc").null_string().utf16_string(u"é"));
    check_skips("int a; String s; Other* k", value().int_value(300).pooled_string(1 << 20).key(7));
    check_skips("int[] a; int after",
                value().count(3).int_value(1).int_value(-1).int_value(3).int_value(9));
    check_skips("byte[] a; byte after", value().count(4).zeros(4).byte_value(1));
    check_skips("double[] a; byte after", value().count(2).zeros(16).byte_value(1));
    check_skips("String[] a; int after",
                value().count(3).string("x").null_string().string("yz").int_value(1));
    check_skips("Other*[] a; int after",
                value().count(2).key(1).key(~std::uint64_t{0}).int_value(5));
    check_skips("Frame[] a; boolean after", value()
                                                .count(2)
                                                .key(1)
                                                .int_value(2)
                                                .int_value(3)
                                                .key(4)
                                                .key(1U << 30)
                                                .int_value(-1)
                                                .int_value(-1)
                                                .key(0)
                                                .boolean_value(true));
    check_skips(
        "Other o; Other[] a; int after",
        value().string("o").u8(1).count(2).string("p").u8(2).null_string().u8(3).int_value(1));
    check_skips("Other[] a; Frame[] b; int[] c; int after",
                value().count(0).count(0).count(0).int_value(77));
    check_skips("S[] children; int after", value()
                                               .count(2)
                                               .count(1)
                                               .count(0)
                                               .int_value(1)
                                               .int_value(2)
                                               .count(0)
                                               .int_value(3)
                                               .int_value(4));
  }
}

TEST_CASE("an array that claims more than its bytes fails") {
  for (const char* fields : {"int[] a", "byte[] a", "String[] a", "Frame[] a", "Other[] a",
                             "Other*[] a", "double[] a", "S[] a"}) {
    CAPTURE(fields);
    const Compiled types(with_struct(fields));
    for (const std::uint64_t count :
         {std::uint64_t{9}, std::uint64_t{0xffffffff}, std::uint64_t{1} << 60, ~std::uint64_t{0}}) {
      CHECK(types.skipped("t.S", ByteWriter().count(count).zeros(8).bytes()) == -1);
    }
  }
}

TEST_CASE("arrays of structs nest up to 64 levels") {
  const auto nested = [](int depth) {
    ByteWriter writer;
    for (int i = 1; i < depth; ++i) writer.count(1);
    return writer.count(0).bytes();
  };
  const TypeTable types = with_struct("S[] children");
  CHECK(Compiled(types).skipped("t.S", nested(64)) == 64);
  CHECK(Compiled(types).skipped("t.S", nested(65)) == -1);
}

TEST_CASE("a type that cannot be decoded cannot be skipped") {
  TypeTable declared = with_struct("int a");
  declared.declare(TypeKind::plain, "t.Marker", 40);
  declared.declare(TypeKind::plain, "t.Bad", 41, "int a; Marker m");
  declared.declare(TypeKind::plain, "t.Holder", 42, "Bad b; int c");
  const Compiled types(declared);
  for (const char* name : {"t.Marker", "t.Bad", "t.Holder"}) {
    CHECK_FALSE(types.layouts().can_skip(types.type(name)));
    CHECK(types.skipped(name, Bytes(20)) == -1);
  }
  CHECK(types.layouts().can_skip(types.type("t.S")));
  CHECK(types.layouts().can_skip(types.type("int")));
}

TEST_CASE("single fields are skipped one after the other") {
  const Compiled types(with_struct("int a; Frame[] f; Other*[] r; Other o; String s"));
  const ByteWriter value = ByteWriter()
                               .int_value(300)
                               .count(1)
                               .zeros(4)
                               .count(2)
                               .key(1)
                               .key(300)
                               .string("o")
                               .u8(1)
                               .string("xyz");
  const std::array<std::size_t, 5> sizes = {2, 5, 4, 4, 5};
  ByteReader reader(value.bytes(), true);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const std::size_t before = reader.remaining();
    types.layouts().skip_field(types.type("t.S").fields[i], reader);
    CHECK(before - reader.remaining() == sizes[i]);
  }
  CHECK(reader.at_end());
  CHECK_FALSE(reader.failed());
}

TEST_CASE("wanted fields are fetched by name, whatever stands between them") {
  TypeTable declared = with_struct("int a");
  declared.declare(TypeKind::simple, "t.State", 50, "String name");
  declared.declare(TypeKind::event, "t.Event", 100,
                   "long startTime; Frame[] frames; float share; double d; Other* stackTrace; "
                   "byte b; short s; int i; byte ub @Unsigned; short us @Unsigned; int ui "
                   "@Unsigned; char c; boolean flag; String text; State state; State* pooled; "
                   "int last; String never");
  for (const auto integers : {IntegerEncoding::compressed, IntegerEncoding::fixed_width}) {
    const Compiled types(declared, integers);
    const ByteWriter value = ByteWriter(integers)
                                 .long_value(-5)
                                 .count(1)
                                 .key(1)
                                 .int_value(2)
                                 .int_value(3)
                                 .key(4)
                                 .float_value(0.25F)
                                 .double_value(-2.5)
                                 .key(std::uint64_t{1} << 40)
                                 .byte_value(-2)
                                 .short_value(-3)
                                 .int_value(-4)
                                 .byte_value(-2)
                                 .short_value(-3)
                                 .int_value(-4)
                                 .char_value(u'\xffff')
                                 .boolean_value(true)
                                 .string("abc")
                                 .string("RUNNABLE")
                                 .key(7)
                                 .int_value(99);
    const std::array<const char*, 17> names = {
        "last", "startTime", "share", "d",    "stackTrace", "b",     "s",      "i",      "ub",
        "us",   "ui",        "c",     "flag", "text",       "state", "pooled", "missing"};
    std::vector<FieldSlot> wanted;
    for (std::size_t i = 0; i < names.size(); ++i) {
      wanted.push_back({names[i], static_cast<std::uint16_t>(i)});
    }
    std::uint64_t found = 0;
    const DecodeProgram program = types.layouts().compile(types.type("t.Event"), wanted, found);
    CHECK(found == 0xffff);
    std::array<std::uint64_t, 17> slots{};
    slots.back() = 4711;
    // The program stops behind `last`: the string that follows is not there at all.
    ByteReader reader(value.bytes(), integers == IntegerEncoding::compressed);
    types.layouts().fetch(program, reader, slots.data());
    CHECK_FALSE(reader.failed());
    CHECK(reader.at_end());
    const auto number = [&slots](std::size_t i) { return static_cast<std::int64_t>(slots[i]); };
    CHECK(number(0) == 99);
    CHECK(number(1) == -5);
    CHECK(std::bit_cast<double>(slots[2]) == 0.25);
    CHECK(std::bit_cast<double>(slots[3]) == -2.5);
    CHECK(slots[4] == std::uint64_t{1} << 40);
    CHECK(number(5) == -2);
    CHECK(number(6) == -3);
    CHECK(number(7) == -4);
    CHECK(number(8) == 254);
    CHECK(number(9) == 65'533);
    CHECK(number(10) == 4'294'967'292);
    CHECK(number(11) == 65'535);
    CHECK(number(12) == 1);
    CHECK(number(15) == 7);
    CHECK(slots[16] == 4711);
    for (const auto& [slot, text] :
         {std::pair<std::size_t, std::string>(13, "abc"), {14, "RUNNABLE"}}) {
      ByteReader at(std::span(value.bytes()).subspan(slots[slot]),
                    integers == IntegerEncoding::compressed);
      std::string read;
      append_string(read, read_string(at), at.has_compressed_integers(), 100);
      CHECK(read == text);
    }
  }
}

TEST_CASE("an int that was written with nine bytes is its low half") {
  TypeTable declared = test::small_types();
  declared.declare(TypeKind::event, "t.Event", 100, "int a; short b");
  const Compiled types(declared);
  std::uint64_t found = 0;
  const std::array<FieldSlot, 2> wanted = {FieldSlot{"a", 0}, FieldSlot{"b", 1}};
  const DecodeProgram program = types.layouts().compile(types.type("t.Event"), wanted, found);
  const Bytes bytes = from_hex("fc ff ff ff ff ff ff ff ff  fd ff ff ff 0f");
  std::array<std::uint64_t, 2> slots{};
  ByteReader reader(bytes, true);
  types.layouts().fetch(program, reader, slots.data());
  CHECK(static_cast<std::int64_t>(slots[0]) == -4);
  CHECK(static_cast<std::int64_t>(slots[1]) == -3);
}

TEST_CASE("arrays and structs are not fetched, and an event that is cut fails") {
  const Compiled types(with_struct("int[] a; Other o; long b"));
  std::uint64_t found = 0;
  const std::array<FieldSlot, 3> wanted = {FieldSlot{"a", 0}, FieldSlot{"o", 1}, FieldSlot{"b", 2}};
  const DecodeProgram program = types.layouts().compile(types.type("t.S"), wanted, found);
  CHECK(found == 4);
  const ByteWriter value = ByteWriter().count(1).int_value(1).string("o").u8(1).long_value(300);
  for (std::size_t size = 0; size <= value.size(); ++size) {
    std::array<std::uint64_t, 3> slots{};
    ByteReader reader(std::span(value.bytes()).first(size), true);
    types.layouts().fetch(program, reader, slots.data());
    CHECK(reader.failed() == (size < value.size()));
    if (size == value.size()) CHECK(slots[2] == 300);
  }
}

TEST_CASE("fields in front of one that cannot be decoded are still fetched") {
  TypeTable declared = test::small_types();
  declared.declare(TypeKind::plain, "t.Marker", 40);
  declared.declare(TypeKind::event, "t.Event", 100, "int a; Marker m; int b");
  const Compiled types(declared);
  std::uint64_t found = 0;
  const std::array<FieldSlot, 2> wanted = {FieldSlot{"a", 0}, FieldSlot{"b", 1}};
  (void)types.layouts().compile(types.type("t.Event"), wanted, found);
  CHECK(found == 1);
}

}  // namespace jfrtree::internal
