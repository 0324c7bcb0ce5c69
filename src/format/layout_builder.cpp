#include "format/layout_builder.hpp"

#include <algorithm>

#include "format/byte_width.hpp"

namespace jfrtree::internal {

namespace {

using Code = DecodeStep::Code;

}  // namespace

LayoutBuilder::LayoutBuilder(const Layouts& layouts) : layouts_(layouts) {}

void LayoutBuilder::build_all(Layouts& layouts) {
  LayoutBuilder builder(layouts);
  const std::span<const Type> types = layouts.metadata_.types();
  // Inline structs are built before the types that hold them; decodable types have no cycles.
  std::vector<std::size_t> waiting(types.size(), 0);
  std::vector<std::vector<std::size_t>> users(types.size());
  std::vector<std::size_t> ready;
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (!types[i].is_decodable) continue;
    for (const Field& field : types[i].fields) {
      const Type* target = layouts.metadata_.find(field.type);
      if (field.is_reference || field.is_array || target->primitive != Primitive::none) continue;
      users[layouts.index_of(*target)].push_back(i);
      ++waiting[i];
    }
    if (waiting[i] == 0) ready.push_back(i);
  }
  while (!ready.empty()) {
    const std::size_t index = ready.back();
    ready.pop_back();
    builder.build(layouts, index);
    for (const std::size_t user : users[index]) {
      if (--waiting[user] == 0) ready.push_back(user);
    }
  }
  for (DecodeProgram& program : layouts.programs_) builder.simplify_arrays(program);
}

void LayoutBuilder::build(Layouts& layouts, std::size_t index) {
  if (total_steps_ > Layouts::max_total_steps) return;
  const Type& type = layouts_.metadata_.types()[index];
  DecodeProgram program;
  bool is_sound = true;
  if (type.primitive != Primitive::none) {
    is_sound = append(program, primitive_step(type.primitive));
  } else {
    for (const Field& field : type.fields) is_sound = is_sound && append_field(program, field);
  }
  total_steps_ += program.size();
  layouts.is_skippable_[index] = is_sound && !program.empty();
  layouts.programs_[index] = std::move(program);
}

bool LayoutBuilder::append_field(DecodeProgram& program, const Field& field) {
  if (field.is_reference) {
    if (field.is_array) {
      DecodeStep step = integers(8, 1);
      step.code =
          step.code == Code::skip_integers ? Code::skip_array_integers : Code::skip_array_bytes;
      return append(program, step);
    }
    return append(program, integers(8, 1));
  }
  const Type* type = layouts_.metadata_.find(field.type);
  if (type == nullptr || !type->is_decodable) return false;
  return field.is_array ? append_array(program, *type) : append_inline(program, *type);
}

bool LayoutBuilder::append_inline(DecodeProgram& program, const Type& type) {
  if (type.primitive != Primitive::none) return append(program, primitive_step(type.primitive));
  const std::size_t index = layouts_.index_of(type);
  if (!layouts_.is_skippable_[index]) return false;
  const DecodeProgram& inner = layouts_.programs_[index];
  return std::all_of(inner.begin(), inner.end(),
                     [&program](const DecodeStep& step) { return append(program, step); });
}

DecodeStep LayoutBuilder::array_step(const DecodeStep& element) noexcept {
  switch (element.code) {
    case Code::skip_integers:
      return {Code::skip_array_integers, element.width, false, 0, element.count};
    case Code::skip_bytes:
      return {Code::skip_array_bytes, 8, false, 0, element.count};
    default:
      return {Code::skip_array_strings, 8, false, 0, 0};
  }
}

bool LayoutBuilder::append_array(DecodeProgram& program, const Type& type) const {
  if (type.primitive != Primitive::none) {
    return append(program, array_step(primitive_step(type.primitive)));
  }
  return append(program, {Code::skip_array_type, 8, false, 0,
                          static_cast<std::uint32_t>(layouts_.index_of(type))});
}

void LayoutBuilder::simplify_arrays(DecodeProgram& program) const {
  for (DecodeStep& step : program) {
    if (step.code != Code::skip_array_type) continue;
    const DecodeProgram& element = layouts_.programs_[step.count];
    const bool is_simple = element.size() == 1 && (element[0].code == Code::skip_integers ||
                                                   element[0].code == Code::skip_bytes ||
                                                   element[0].code == Code::skip_string);
    if (is_simple) step = array_step(element[0]);
  }
}

bool LayoutBuilder::append_take(DecodeProgram& program, const Field& field, std::uint16_t slot) {
  if (field.is_array) return false;
  DecodeStep step{Code::take_integer, 8, false, slot, 0};
  if (field.is_reference) {
    program.push_back(step);
    return true;
  }
  const Type* type = layouts_.metadata_.find(field.type);
  // A simple type stands for its one field.
  for (int depth = 0; type != nullptr && depth < 8 && type->primitive == Primitive::none; ++depth) {
    if (type->fields.size() != 1 || type->fields.front().is_array) return false;
    if (type->fields.front().is_reference) {
      program.push_back(step);
      return true;
    }
    type = layouts_.metadata_.find(type->fields.front().type);
  }
  if (type == nullptr) return false;
  switch (type->primitive) {
    case Primitive::boolean:
    case Primitive::byte:
      step.code = Code::take_byte;
      step.is_signed = type->primitive == Primitive::byte && !field.is_unsigned;
      break;
    case Primitive::floating:
      step.code = Code::take_float;
      break;
    case Primitive::double_floating:
      step.code = Code::take_double;
      break;
    case Primitive::string:
      step.code = Code::take_position;
      program.push_back(step);
      return append(program, {Code::skip_string, 8, false, 0, 0});
    case Primitive::none:
      return false;
    default:
      step.width = byte_width(type->primitive);
      step.is_signed = !field.is_unsigned && type->primitive != Primitive::character;
  }
  program.push_back(step);
  return true;
}

DecodeStep LayoutBuilder::integers(std::uint8_t width, std::uint32_t count) const noexcept {
  if (layouts_.compressed_) return {Code::skip_integers, 8, false, 0, count};
  return {Code::skip_bytes, 8, false, 0, width * count};
}

DecodeStep LayoutBuilder::primitive_step(Primitive primitive) const noexcept {
  switch (primitive) {
    case Primitive::boolean:
    case Primitive::byte:
      return {Code::skip_bytes, 8, false, 0, 1};
    case Primitive::floating:
      return {Code::skip_bytes, 8, false, 0, 4};
    case Primitive::double_floating:
      return {Code::skip_bytes, 8, false, 0, 8};
    case Primitive::string:
      return {Code::skip_string, 8, false, 0, 0};
    default:
      return integers(byte_width(primitive), 1);
  }
}

bool LayoutBuilder::append(DecodeProgram& program, DecodeStep step) {
  const bool is_merging = !program.empty() && program.back().code == step.code &&
                          (step.code == Code::skip_bytes || step.code == Code::skip_integers);
  if (is_merging) {
    if (step.count > Layouts::max_step_count - program.back().count) return false;
    program.back().count += step.count;
    return true;
  }
  if (program.size() >= Layouts::max_program_steps) return false;
  program.push_back(step);
  return true;
}

}  // namespace jfrtree::internal
