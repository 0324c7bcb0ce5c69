#include "format/layout.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "format/layout_builder.hpp"
#include "format/text.hpp"

namespace jfrtree::internal {

namespace {

using Code = DecodeStep::Code;

/// Arrays of structs with arrays of structs nest in values; deeper ones fail the record.
constexpr std::size_t max_nesting = 64;

/// A program that is being run, `repeats` more times.
struct Frame {
  const DecodeProgram* program;
  std::size_t step;
  std::uint64_t repeats;
};

}  // namespace

Layouts::Layouts(const Metadata& metadata, bool has_compressed_integers)
    : metadata_(metadata),
      compressed_(has_compressed_integers),
      programs_(metadata.types().size()),
      is_skippable_(metadata.types().size(), false) {
  LayoutBuilder::build_all(*this);
}

std::size_t Layouts::index_of(const Type& type) const noexcept {
  return static_cast<std::size_t>(&type - metadata_.types().data());
}

bool Layouts::can_skip(const Type& type) const noexcept { return is_skippable_[index_of(type)]; }

void Layouts::skip(const Type& type, ByteReader& reader) const noexcept {
  const std::size_t index = index_of(type);
  if (!is_skippable_[index]) {
    reader.fail();
    return;
  }
  skip(programs_[index], reader);
}

const DecodeProgram* Layouts::skip_program(const Type& type) const noexcept {
  const std::size_t index = index_of(type);
  return is_skippable_[index] ? &programs_[index] : nullptr;
}

void Layouts::skip_field(const Field& field, ByteReader& reader) const noexcept {
  if (field.is_reference) {
    const std::uint64_t count = field.is_array ? reader.count() : 1;
    reader.skip_integers(count, 8);
    return;
  }
  const Type* type = metadata_.find(field.type);
  if (type == nullptr) {
    reader.fail();
    return;
  }
  std::uint64_t count = 1;
  if (field.is_array) {
    count = reader.count();
    // Every element takes a byte at least.
    if (count > reader.remaining()) reader.fail();
  }
  for (std::uint64_t i = 0; i < count && !reader.failed(); ++i) skip(*type, reader);
}

bool Layouts::skip_other_step(const DecodeStep& step, ByteReader& reader) noexcept {
  switch (step.code) {
    case Code::skip_string:
      skip_string(reader);
      return true;
    case Code::skip_array_integers: {
      const std::uint64_t elements = reader.count();
      if (elements > reader.remaining()) {
        reader.fail();
      } else {
        reader.skip_integers(elements * step.count, step.width);
      }
      return true;
    }
    case Code::skip_array_bytes: {
      const std::uint64_t elements = reader.count();
      if (elements > reader.remaining()) {
        reader.fail();
      } else {
        reader.skip_bytes(elements * step.count);
      }
      return true;
    }
    case Code::skip_array_strings: {
      const std::uint64_t elements = reader.count();
      if (elements > reader.remaining()) reader.fail();
      for (std::uint64_t i = 0; i < elements && !reader.failed(); ++i) skip_string(reader);
      return true;
    }
    default:
      return false;
  }
}

void Layouts::skip_elements(std::size_t type, ByteReader& reader) const noexcept {
  const std::uint64_t elements = reader.count();
  // Every element takes a byte at least.
  if (elements > reader.remaining() || !is_skippable_[type]) {
    reader.fail();
  } else if (elements > 0) {
    run_skip(programs_[type], 0, elements, reader);
  }
}

void Layouts::run_skip(const DecodeProgram& program, std::size_t first_step, std::uint64_t times,
                       ByteReader& reader) const noexcept {
  std::array<Frame, max_nesting> frames;
  std::size_t depth = 1;
  frames[0] = {&program, first_step, times - 1};
  while (depth > 0 && !reader.failed()) {
    Frame& frame = frames[depth - 1];
    if (frame.step == frame.program->size()) {
      if (frame.repeats == 0) {
        --depth;
      } else {
        --frame.repeats;
        frame.step = 0;
      }
      continue;
    }
    const DecodeStep& step = (*frame.program)[frame.step++];
    if (skip_step(step, reader)) continue;
    const std::uint64_t elements = reader.count();
    if (elements == 0 || reader.failed()) continue;
    if (elements > reader.remaining() || depth >= max_nesting || !is_skippable_[step.count]) {
      reader.fail();
      return;
    }
    frames[depth++] = {&programs_[step.count], 0, elements - 1};
  }
}

DecodeProgram Layouts::compile(const Type& type, std::span<const FieldSlot> wanted,
                               std::uint64_t& found) const {
  DecodeProgram program;
  std::size_t used = 0;  // steps up to the last wanted field
  found = 0;
  LayoutBuilder builder(*this);
  for (const Field& field : type.fields) {
    bool is_taken = false;
    for (std::size_t i = 0; i < wanted.size() && !is_taken; ++i) {
      if (wanted[i].name != field.name || (found >> i & 1) != 0) continue;
      is_taken = builder.append_take(program, field, wanted[i].slot);
      if (is_taken) {
        found |= std::uint64_t{1} << i;
        used = program.size();
      }
    }
    if (!is_taken && !builder.append_field(program, field)) break;
  }
  program.resize(used);
  builder.simplify_arrays(program);
  return program;
}

void Layouts::fetch(const DecodeProgram& program, ByteReader& reader,
                    std::uint64_t* slots) const noexcept {
  const std::uint8_t* const start = reader.position();
  for (const DecodeStep& step : program) {
    switch (step.code) {
      case Code::take_integer: {
        std::uint64_t value = reader.integer(step.width);
        const unsigned unused = 64U - 8U * step.width;
        if (unused > 0) {
          value <<= unused;
          value = step.is_signed
                      ? static_cast<std::uint64_t>(static_cast<std::int64_t>(value) >> unused)
                      : value >> unused;
        }
        slots[step.slot] = value;
        break;
      }
      case Code::take_byte: {
        const std::uint8_t value = reader.byte();
        slots[step.slot] =
            step.is_signed
                ? static_cast<std::uint64_t>(std::int64_t{static_cast<std::int8_t>(value)})
                : value;
        break;
      }
      case Code::take_float:
        slots[step.slot] = std::bit_cast<std::uint64_t>(
            static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(reader.raw(4)))));
        break;
      case Code::take_double:
        slots[step.slot] = reader.raw(8);
        break;
      case Code::take_position:
        slots[step.slot] = static_cast<std::uint64_t>(reader.position() - start);
        break;
      case Code::skip_array_type:
        skip_elements(step.count, reader);
        break;
      default:
        skip_step(step, reader);
    }
  }
}

}  // namespace jfrtree::internal
