#include "format/layout_builder.hpp"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "format/metadata_parser.hpp"

namespace jfrtree::internal {

namespace {

using Code = DecodeStep::Code;

constexpr std::uint64_t int_id = 1;
constexpr std::uint64_t double_id = 2;
constexpr std::uint64_t string_id = 3;

Field field(std::uint64_t type, bool is_array = false, bool is_reference = false) {
  Field result;
  result.name = "f";
  result.type = TypeId{type};
  result.is_array = is_array;
  result.is_reference = is_reference;
  return result;
}

Type declare(std::uint64_t id, std::vector<Field> fields) {
  Type type;
  type.id = TypeId{id};
  type.name = "t" + std::to_string(id);
  type.fields = std::move(fields);
  return type;
}

Metadata metadata_of(std::vector<Type> types) {
  std::uint64_t id = int_id;
  std::vector<Type> all;
  for (const char* name : {"int", "double", "java.lang.String"}) {
    all.push_back(declare(id++, {}));
    all.back().name = name;
  }
  for (Type& type : types) all.push_back(std::move(type));
  resolve_types(all);
  return Metadata(std::move(all));
}

/// The step that one field compiles to among the given types, where it is one.
DecodeStep single_step(const std::vector<Type>& types, const Field& wanted,
                       bool compressed = true) {
  const Metadata metadata = metadata_of(types);
  const Layouts layouts(metadata, compressed);
  LayoutBuilder builder(layouts);
  DecodeProgram program;
  REQUIRE(builder.append_field(program, wanted));
  builder.simplify_arrays(program);
  REQUIRE(program.size() == 1);
  return program[0];
}

/// `levels` types, each of `width` fields of the one before; the first has `width` fields of
/// type `leaf`. The number of the last one is 10 + levels - 1.
std::vector<Type> multiplied(std::uint64_t leaf, std::size_t width, std::uint64_t levels) {
  std::vector<Type> types;
  for (std::uint64_t level = 0; level < levels; ++level) {
    types.push_back(
        declare(10 + level, std::vector<Field>(width, field(level == 0 ? leaf : 9 + level))));
  }
  return types;
}

}  // namespace

TEST_CASE("a stack frame of four compressed integers is one step") {
  const std::vector<Type> frame = {
      declare(10, {field(99, false, true), field(int_id), field(int_id), field(98, false, true)})};
  const DecodeStep step = single_step(frame, field(10));
  CHECK(step.code == Code::skip_integers);
  CHECK(step.count == 4);
  const DecodeStep frames = single_step(frame, field(10, true));
  CHECK(frames.code == Code::skip_array_integers);
  CHECK(frames.count == 4);
}

TEST_CASE("fixed-width integers are bytes: two keys of eight and two ints of four") {
  const std::vector<Type> frame = {
      declare(10, {field(99, false, true), field(int_id), field(int_id), field(98, false, true)})};
  const DecodeStep step = single_step(frame, field(10), false);
  CHECK(step.code == Code::skip_bytes);
  CHECK(step.count == 24);
  CHECK(single_step(frame, field(10, true), false).code == Code::skip_array_bytes);
}

TEST_CASE("nested structs are flattened") {
  const DecodeStep step =
      single_step({declare(10, {field(11), field(11)}), declare(11, {field(int_id), field(12)}),
                   declare(12, {field(int_id)})},
                  field(10));
  CHECK(step.code == Code::skip_integers);
  CHECK(step.count == 4);
}

TEST_CASE("an array of structs that begin with a string stays an array of that type") {
  const std::vector<Type> types = {declare(10, {field(string_id), field(int_id)})};
  CHECK(single_step(types, field(10, true)).code == Code::skip_array_type);
  CHECK(single_step({declare(10, {field(string_id)})}, field(10, true)).code ==
        Code::skip_array_strings);
}

TEST_CASE("a program of too many steps makes its type unreadable, not the file") {
  std::vector<Field> fields;
  for (std::size_t i = 0; i < Layouts::max_program_steps; ++i) {
    fields.push_back(field(i % 2 == 0 ? int_id : string_id));
  }
  const std::vector<Type> fits = {declare(10, fields)};
  fields.push_back(field(int_id));
  const std::vector<Type> exceeds = {declare(10, fields), declare(11, {field(10)}),
                                     declare(12, {field(int_id)})};
  const Metadata fitting = metadata_of(fits);
  CHECK(Layouts(fitting, true).can_skip(*fitting.find(TypeId{10})));
  const Metadata exceeding = metadata_of(exceeds);
  const Layouts layouts(exceeding, true);
  CHECK_FALSE(layouts.can_skip(*exceeding.find(TypeId{10})));
  CHECK_FALSE(layouts.can_skip(*exceeding.find(TypeId{11})));
  CHECK(layouts.can_skip(*exceeding.find(TypeId{12})));
}

TEST_CASE("structs that multiply beyond any number are unreadable") {
  // 256 ^ 4 is 2^32: a count of 32 bits would be 0 again.
  const Metadata metadata = metadata_of(multiplied(int_id, 256, 4));
  const Layouts layouts(metadata, true);
  CHECK(layouts.can_skip(*metadata.find(TypeId{11})));
  CHECK_FALSE(layouts.can_skip(*metadata.find(TypeId{13})));

  const Metadata bytes = metadata_of(multiplied(double_id, 256, 4));
  const Layouts fixed(bytes, false);
  CHECK(fixed.can_skip(*bytes.find(TypeId{11})));
  CHECK_FALSE(fixed.can_skip(*bytes.find(TypeId{13})));
}

TEST_CASE("the programs of all types together have a bound") {
  // Each of 20,000 types holds a struct of 4000 steps: 80 million steps if all were kept.
  std::vector<Field> long_struct;
  long_struct.reserve(4000);
  for (int i = 0; i < 4000; ++i) long_struct.push_back(field(i % 2 == 0 ? int_id : string_id));
  std::vector<Type> types = {declare(10, long_struct)};
  types.reserve(20'001);
  for (std::uint64_t i = 0; i < 20'000; ++i) types.push_back(declare(100 + i, {field(10)}));
  const Metadata metadata = metadata_of(std::move(types));
  const Layouts layouts(metadata, true);
  std::size_t readable = 0;
  for (const Type& type : metadata.types()) readable += layouts.can_skip(type) ? 1U : 0U;
  CHECK(readable >= 100);
  CHECK(readable <= Layouts::max_total_steps / 4000 + 10);
}

TEST_CASE("scalars are taken into slots, simple types as their field, nothing else") {
  const Metadata metadata =
      metadata_of({declare(10, {field(string_id)}), declare(11, {field(int_id), field(int_id)}),
                   declare(12, {field(99, false, true)}), declare(13, {field(10)})});
  const Layouts layouts(metadata, true);
  LayoutBuilder builder(layouts);
  const auto taken = [&builder](const Field& wanted) {
    DecodeProgram program;
    return builder.append_take(program, wanted, 3) ? program[0].code : Code::skip_bytes;
  };
  CHECK(taken(field(int_id)) == Code::take_integer);
  CHECK(taken(field(double_id)) == Code::take_double);
  CHECK(taken(field(string_id)) == Code::take_position);
  CHECK(taken(field(10)) == Code::take_position);
  CHECK(taken(field(13)) == Code::take_position);
  CHECK(taken(field(11, false, true)) == Code::take_integer);
  CHECK(taken(field(12)) == Code::take_integer);
  CHECK(taken(field(11)) == Code::skip_bytes);
  CHECK(taken(field(int_id, true)) == Code::skip_bytes);
  CHECK(taken(field(11, true, true)) == Code::skip_bytes);
  CHECK(taken(field(999)) == Code::skip_bytes);
}

}  // namespace jfrtree::internal
