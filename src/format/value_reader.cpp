#include "format/value_reader.hpp"

#include <bit>

namespace jfrtree {

using internal::ByteReader;
using internal::StringEncoding;
using internal::StringValue;

namespace {

/// Strings of the string pool may refer to each other; a longer chain is a loop.
constexpr int max_string_references = 8;

}  // namespace

Value ValueReader::field(const Field& field, std::span<const std::byte> bytes) const {
  if (!field.is_array) return element(field, bytes);
  ByteReader reader(bytes, contents_.has_compressed_integers());
  const std::uint64_t count = reader.count();
  if (reader.failed() || count > reader.remaining()) return {};
  Value value;
  value.contents_ = &contents_;
  value.type_ = contents_.metadata().find(field.type);
  value.field_ = &field;
  value.kind_ = Value::Kind::array;
  value.size_ = count;
  value.bytes_ = reader.rest();
  return value;
}

Value ValueReader::element(const Field& field, std::span<const std::byte> bytes) const {
  const Type* type = contents_.metadata().find(field.type);
  if (!field.is_reference) return type == nullptr ? Value() : inline_value(*type, &field, bytes);
  ByteReader reader(bytes, contents_.has_compressed_integers());
  const ConstantKey key{reader.key()};
  if (reader.failed()) return {};
  Value value;
  value.contents_ = &contents_;
  value.type_ = type;
  value.field_ = &field;
  value.kind_ = Value::Kind::reference;
  value.key_ = key;
  return value;
}

Value ValueReader::inline_value(const Type& type, const Field* field,
                                std::span<const std::byte> bytes) const {
  Value value;
  value.contents_ = &contents_;
  value.type_ = &type;
  value.field_ = field;
  value.bytes_ = bytes;
  ByteReader reader(bytes, contents_.has_compressed_integers());
  if (type.primitive == Primitive::string) {
    const StringValue string = internal::read_string(reader);
    value.kind_ = find_string(bytes) ? Value::Kind::string : Value::Kind::null;
    if (string.encoding == StringEncoding::constant) value.key_ = ConstantKey{string.key};
  } else if (type.primitive != Primitive::none) {
    read_number(value, type.primitive, reader);
  } else if (contents_.layouts().can_skip(type)) {
    value.kind_ = Value::Kind::structure;
    value.size_ = type.fields.size();
  }
  if (reader.failed()) return {};
  return value;
}

void ValueReader::read_number(Value& value, Primitive primitive, ByteReader& reader) const {
  const bool is_unsigned = value.field_ != nullptr && value.field_->is_unsigned;
  value.kind_ = Value::Kind::integer;
  switch (primitive) {
    case Primitive::boolean:
      value.kind_ = Value::Kind::boolean;
      value.integer_ = reader.byte() != 0 ? 1 : 0;
      break;
    case Primitive::byte: {
      const std::uint8_t byte = reader.byte();
      value.integer_ =
          is_unsigned ? std::int64_t{byte} : std::int64_t{static_cast<std::int8_t>(byte)};
      break;
    }
    case Primitive::short_integer: {
      const auto number = static_cast<std::uint16_t>(reader.integer(2));
      value.integer_ =
          is_unsigned ? std::int64_t{number} : std::int64_t{static_cast<std::int16_t>(number)};
      break;
    }
    case Primitive::character:
      value.integer_ = static_cast<std::uint16_t>(reader.integer(2));
      break;
    case Primitive::integer: {
      const auto number = static_cast<std::uint32_t>(reader.integer(4));
      value.integer_ =
          is_unsigned ? std::int64_t{number} : std::int64_t{static_cast<std::int32_t>(number)};
      break;
    }
    case Primitive::floating:
      value.kind_ = Value::Kind::floating;
      value.floating_ = std::bit_cast<float>(static_cast<std::uint32_t>(reader.raw(4)));
      break;
    case Primitive::double_floating:
      value.kind_ = Value::Kind::floating;
      value.floating_ = std::bit_cast<double>(reader.raw(8));
      break;
    default:
      value.integer_ = static_cast<std::int64_t>(reader.integer(8));
  }
}

Value ValueReader::constant(const Type& type, ConstantKey key) const {
  const internal::PoolIndex& index = contents_.pools.index(type.id);
  const std::uint32_t ordinal = index.find(raw(key));
  Value value;
  if (ordinal != internal::PoolIndex::none) {
    value = inline_value(type, nullptr, contents_.bytes.subspan(index.offset(ordinal)));
  }
  value.key_ = key;
  return value;
}

Value ValueReader::member(const Type& type, std::size_t index,
                          std::span<const std::byte> bytes) const {
  if (index >= type.fields.size()) return {};
  ByteReader reader(bytes, contents_.has_compressed_integers());
  for (std::size_t i = 0; i < index; ++i) contents_.layouts().skip_field(type.fields[i], reader);
  if (reader.failed()) return {};
  return field(type.fields[index], reader.rest());
}

std::optional<StringValue> ValueReader::find_string(std::span<const std::byte> bytes) const {
  for (int i = 0; i < max_string_references; ++i) {
    ByteReader reader(bytes, contents_.has_compressed_integers());
    const StringValue string = internal::read_string(reader);
    if (reader.failed() || string.encoding == StringEncoding::null) return std::nullopt;
    if (string.encoding != StringEncoding::constant) return string;
    const Type* type = contents_.metadata().find("java.lang.String");
    if (type == nullptr) return std::nullopt;
    const internal::PoolIndex& index = contents_.pools.index(type->id);
    const std::uint32_t ordinal = index.find(string.key);
    if (ordinal == internal::PoolIndex::none) return std::nullopt;
    bytes = contents_.bytes.subspan(index.offset(ordinal));
  }
  return std::nullopt;
}

std::string ValueReader::text(std::span<const std::byte> bytes) const {
  std::string text;
  if (const auto string = find_string(bytes)) {
    internal::append_string(text, *string, contents_.has_compressed_integers(),
                            contents_.limits.string_bytes);
  }
  return text;
}

}  // namespace jfrtree
