#include "export/arrow/ipc_messages.hpp"

#include <stdexcept>

#include "export/arrow/flat_builder.hpp"

// Numbers of tables, fields and enumerators are those of Arrow's Schema.fbs, Message.fbs and
// File.fbs, columnar format 1.0 and later (metadata version 5).
namespace jfrtree::internal::arrow {

namespace {

using Ref = FlatBuilder::Ref;

constexpr std::int16_t metadata_version_5 = 4;

enum class TypeKind : std::uint8_t {
  integer = 2,
  floating = 3,
  utf8 = 5,
  boolean = 6,
  timestamp = 10,
  list = 12,
  structure = 13,
  duration = 18,
  large_utf8 = 20,
};

enum class HeaderKind : std::uint8_t { schema = 1, dictionary_batch = 2, record_batch = 3 };

constexpr std::int16_t nanosecond = 3;

struct TypeRef {
  TypeKind kind;
  Ref ref;
};

[[nodiscard]] Ref integer_type(FlatBuilder& builder, std::int32_t bits, bool is_signed) {
  builder.begin_table();
  builder.add(0, bits);
  builder.add(1, static_cast<std::uint8_t>(is_signed ? 1 : 0));
  return builder.end_table();
}

/// A type whose table has one field, or none.
template <typename... Number>
[[nodiscard]] Ref small_type(FlatBuilder& builder, Number... number) {
  builder.begin_table();
  (builder.add(0, number), ...);
  return builder.end_table();
}

[[nodiscard]] TypeRef write_type(FlatBuilder& builder, std::string_view format) {
  constexpr std::string_view signed_formats = "csil";
  constexpr std::string_view unsigned_formats = "CSIL";
  if (format.size() == 1) {
    if (const auto at = signed_formats.find(format[0]); at != std::string_view::npos) {
      return {TypeKind::integer, integer_type(builder, 8 << at, true)};
    }
    if (const auto at = unsigned_formats.find(format[0]); at != std::string_view::npos) {
      return {TypeKind::integer, integer_type(builder, 8 << at, false)};
    }
  }
  if (format == "f") return {TypeKind::floating, small_type(builder, std::int16_t{1})};
  if (format == "g") return {TypeKind::floating, small_type(builder, std::int16_t{2})};
  if (format == "b") return {TypeKind::boolean, small_type(builder)};
  if (format == "u") return {TypeKind::utf8, small_type(builder)};
  if (format == "U") return {TypeKind::large_utf8, small_type(builder)};
  if (format == "+l") return {TypeKind::list, small_type(builder)};
  if (format == "+s") return {TypeKind::structure, small_type(builder)};
  if (format == "tDn") return {TypeKind::duration, small_type(builder, nanosecond)};
  if (!format.starts_with("tsn:")) {
    throw std::logic_error("no Arrow type is written for the format " + std::string(format));
  }
  const Ref zone = builder.string(format.substr(4));
  builder.begin_table();
  builder.add(1, zone);
  builder.add(0, nanosecond);
  return {TypeKind::timestamp, builder.end_table()};
}

[[nodiscard]] Ref write_metadata(FlatBuilder& builder, const FieldMetadata& metadata) {
  std::vector<Ref> entries;
  for (const auto& [key, value] : metadata) {
    const Ref key_ref = builder.string(key);
    const Ref value_ref = builder.string(value);
    builder.begin_table();
    builder.add(0, key_ref);
    builder.add(1, value_ref);
    entries.push_back(builder.end_table());
  }
  return builder.vector(entries);
}

[[nodiscard]] Ref write_field(FlatBuilder& builder, const Field& field, std::int64_t& next_id) {
  const std::int64_t id = field.dictionary ? next_id++ : -1;
  std::vector<Ref> children;
  for (const Field& child : field.children) {
    children.push_back(write_field(builder, child, next_id));
  }
  const Ref children_ref = builder.vector(children);
  const Ref name = builder.string(field.name);
  const Ref metadata = write_metadata(builder, field.metadata);
  Ref dictionary{};
  if (field.dictionary) {
    const TypeRef indices = write_type(builder, field.format);
    builder.begin_table();
    builder.add(0, id);
    builder.add(1, indices.ref);
    dictionary = builder.end_table();
  }
  const TypeRef type =
      write_type(builder, field.dictionary ? field.dictionary->format : field.format);
  builder.begin_table();
  builder.add(0, name);
  builder.add(3, type.ref);
  if (field.dictionary) builder.add(4, dictionary);
  builder.add(5, children_ref);
  if (!field.metadata.empty()) builder.add(6, metadata);
  builder.add(1, static_cast<std::uint8_t>(field.is_nullable ? 1 : 0));
  builder.add(2, static_cast<std::uint8_t>(type.kind));
  return builder.end_table();
}

[[nodiscard]] Ref write_schema(FlatBuilder& builder, const Field& schema) {
  std::int64_t next_id = 0;
  std::vector<Ref> fields;
  for (const Field& field : schema.children) fields.push_back(write_field(builder, field, next_id));
  const Ref fields_ref = builder.vector(fields);
  const Ref metadata = write_metadata(builder, schema.metadata);
  builder.begin_table();
  builder.add(1, fields_ref);
  if (!schema.metadata.empty()) builder.add(2, metadata);
  builder.add(0, std::int16_t{0});  // little-endian
  return builder.end_table();
}

[[nodiscard]] Ref write_batch(FlatBuilder& builder, const BatchLayout& layout) {
  const Ref buffers =
      builder.structs(layout.buffers.data(), sizeof(BodyBuffer), layout.buffers.size());
  const Ref nodes = builder.structs(layout.nodes.data(), sizeof(FieldNode), layout.nodes.size());
  builder.begin_table();
  builder.add(0, layout.rows);
  builder.add(1, nodes);
  builder.add(2, buffers);
  return builder.end_table();
}

[[nodiscard]] std::string finish_message(FlatBuilder& builder, HeaderKind kind, Ref header,
                                         std::int64_t body_bytes) {
  builder.begin_table();
  builder.add(3, body_bytes);
  builder.add(2, header);
  builder.add(0, metadata_version_5);
  builder.add(1, static_cast<std::uint8_t>(kind));
  return std::string(builder.finish(builder.end_table()));
}

}  // namespace

std::string schema_message(const Field& schema) {
  FlatBuilder builder;
  const Ref header = write_schema(builder, schema);
  return finish_message(builder, HeaderKind::schema, header, 0);
}

std::string record_batch_message(const BatchLayout& layout) {
  FlatBuilder builder;
  const Ref header = write_batch(builder, layout);
  return finish_message(builder, HeaderKind::record_batch, header, layout.body_bytes);
}

std::string dictionary_message(const BatchLayout& layout, std::int64_t id) {
  FlatBuilder builder;
  const Ref batch = write_batch(builder, layout);
  builder.begin_table();
  builder.add(0, id);
  builder.add(1, batch);
  const Ref header = builder.end_table();
  return finish_message(builder, HeaderKind::dictionary_batch, header, layout.body_bytes);
}

std::string file_footer(const Field& schema, std::span<const FileBlock> dictionaries,
                        std::span<const FileBlock> batches) {
  static_assert(sizeof(FileBlock) == 24);
  FlatBuilder builder;
  const Ref schema_ref = write_schema(builder, schema);
  const Ref batches_ref = builder.structs(batches.data(), sizeof(FileBlock), batches.size());
  const Ref dictionaries_ref =
      builder.structs(dictionaries.data(), sizeof(FileBlock), dictionaries.size());
  builder.begin_table();
  builder.add(1, schema_ref);
  builder.add(2, dictionaries_ref);
  builder.add(3, batches_ref);
  builder.add(0, metadata_version_5);
  return std::string(builder.finish(builder.end_table()));
}

}  // namespace jfrtree::internal::arrow
