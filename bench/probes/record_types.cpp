#include "record_types.hpp"

#include <string_view>
#include <utility>

#include "format/varint.hpp"

namespace jfrtree::bench {
namespace {

constexpr int max_nesting = 16;

[[noreturn]] void fail_short() { throw ProbeError("a record ends early"); }

void skip_bytes(const std::uint8_t*& position, const std::uint8_t* end, std::uint64_t count) {
  if (count > static_cast<std::uint64_t>(end - position)) fail_short();
  position += count;
}

void skip_numbers(const std::uint8_t*& position, const std::uint8_t* end, std::uint64_t count) {
  if (!internal::skip_varints(position, end, count)) fail_short();
}

/// The encodings of a string: 0 null, 1 empty, 2 a constant, 3 UTF-8, 4 UTF-16 units, 5 Latin-1.
void skip_string(const std::uint8_t*& position, const std::uint8_t* end) {
  const std::uint64_t encoding = read_number(position, end);
  if (encoding == 2) skip_numbers(position, end, 1);
  if (encoding == 3 || encoding == 5) skip_bytes(position, end, read_number(position, end));
  if (encoding == 4) skip_numbers(position, end, read_number(position, end));
}

/// A string of the metadata, which holds ASCII where it matters here.
std::string read_string(const std::uint8_t*& position, const std::uint8_t* end) {
  const std::uint8_t* text = position;
  skip_string(position, end);
  const std::uint64_t encoding = read_number(text, end);
  if (encoding < 3) return {};
  const std::uint64_t length = read_number(text, end);
  if (encoding != 4) return {reinterpret_cast<const char*>(text), static_cast<std::size_t>(length)};
  std::string units;
  for (std::uint64_t i = 0; i < length; ++i) {
    units.push_back(static_cast<char>(read_number(text, end) & 0x7F));
  }
  return units;
}

/// Reads the elements of the metadata, which stand depth first: the fields behind their class.
class MetadataReader {
 public:
  explicit MetadataReader(std::span<const std::uint8_t> bytes)
      : position_(bytes.data()), end_(bytes.data() + bytes.size()) {}

  RecordTypes read() {
    for (std::uint64_t left = number(); left > 0; --left) {
      strings_.push_back(read_string(position_, end_));
    }
    // Where an element ends does not matter: only its place in the order does.
    for (std::uint64_t left = 1; left > 0; --left) left += read_element();
    return std::move(types_);
  }

 private:
  std::uint64_t number() { return read_number(position_, end_); }

  const std::string& text() {
    const std::uint64_t index = number();
    if (index >= strings_.size()) throw ProbeError("a string of the metadata is missing");
    return strings_[index];
  }

  /// Returns the number of its children.
  std::uint64_t read_element() {
    const std::string& kind = text();
    RecordType type;
    TypeField field;
    std::uint64_t id = 0;
    for (std::uint64_t left = number(); left > 0; --left) {
      const std::string& key = text();
      const std::string& value = text();
      if (key == "name") type.name = field.name = value;
      if (key == "id") id = std::stoull(value);
      if (key == "class" && kind == "field") field.type = std::stoull(value);
      if (key == "constantPool") field.is_constant = value == "true";
      if (key == "dimension") field.is_array = value != "0";
    }
    if (kind == "class") {
      current_ = &types_[id];
      *current_ = std::move(type);
    } else if (kind == "field" && current_ != nullptr) {
      current_->fields.push_back(std::move(field));
    }
    return number();
  }

  const std::uint8_t* position_;
  const std::uint8_t* end_;
  std::vector<std::string> strings_;
  RecordTypes types_;
  RecordType* current_ = nullptr;
};

/// Steps of one kind that follow each other become one.
void append(SkipPlan& plan, SkipStep step) {
  const bool has_count = step.kind == SkipStep::Kind::varints || step.kind == SkipStep::Kind::bytes;
  if (has_count && !plan.empty() && plan.back().kind == step.kind) {
    plan.back().count += step.count;
  } else {
    plan.push_back(std::move(step));
  }
}

SkipPlan primitive_plan(std::string_view name) {
  using Kind = SkipStep::Kind;
  if (name == "boolean" || name == "byte") return {{Kind::bytes, 1, {}}};
  if (name == "float") return {{Kind::bytes, 4, {}}};
  if (name == "double") return {{Kind::bytes, 8, {}}};
  if (name == "java.lang.String") return {{Kind::string, 0, {}}};
  if (name == "char" || name == "short" || name == "int" || name == "long") {
    return {{Kind::varints, 1, {}}};
  }
  return {};
}

SkipPlan nested_plan(const RecordTypes& types, std::uint64_t id, int nesting) {
  const auto found = types.find(id);
  if (found == types.end() || nesting > max_nesting) throw ProbeError("a type is not described");
  SkipPlan plan = primitive_plan(found->second.name);
  if (!plan.empty()) return plan;
  for (const TypeField& field : found->second.fields) {
    SkipPlan value = field.is_constant ? SkipPlan{{SkipStep::Kind::varints, 1, {}}}
                                       : nested_plan(types, field.type, nesting + 1);
    if (field.is_array) value = {{SkipStep::Kind::array, 0, std::move(value)}};
    for (SkipStep& step : value) append(plan, std::move(step));
  }
  return plan;
}

}  // namespace

std::uint64_t read_number(const std::uint8_t*& position, const std::uint8_t* end) {
  std::uint64_t value = 0;
  if (!internal::read_varint(position, end, value)) fail_short();
  return value;
}

std::span<const std::uint8_t> type_bytes(const ChunkBytes& chunk) {
  const std::uint8_t* const record = chunk.begin + chunk.metadata_offset;
  const std::uint8_t* position = record;
  const std::uint64_t size = read_number(position, chunk.end);
  if (size > static_cast<std::uint64_t>(chunk.end - record)) fail_short();
  const std::uint8_t* const end = record + size;
  skip_numbers(position, end, 4);  // type, start, duration, id
  return {position, end};
}

RecordTypes read_types(const ChunkBytes& chunk) { return MetadataReader(type_bytes(chunk)).read(); }

SkipPlan skip_plan(const RecordTypes& types, std::uint64_t type) {
  return nested_plan(types, type, 0);
}

void skip_value(const SkipPlan& plan, const std::uint8_t*& position, const std::uint8_t* end) {
  for (const SkipStep& step : plan) {
    switch (step.kind) {
      case SkipStep::Kind::varints:
        skip_numbers(position, end, step.count);
        break;
      case SkipStep::Kind::bytes:
        skip_bytes(position, end, step.count);
        break;
      case SkipStep::Kind::string:
        skip_string(position, end);
        break;
      case SkipStep::Kind::array: {
        const std::uint64_t count = read_number(position, end);
        const bool is_flat =
            step.element.size() == 1 && step.element[0].kind == SkipStep::Kind::varints;
        if (is_flat) {
          skip_numbers(position, end, count * step.element[0].count);
        } else {
          for (std::uint64_t i = 0; i < count; ++i) skip_value(step.element, position, end);
        }
        break;
      }
    }
  }
}

}  // namespace jfrtree::bench
