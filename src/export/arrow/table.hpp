#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <jfrtree/arrow.hpp>

#include "export/arrow/buffer.hpp"

namespace jfrtree::internal::arrow {

using FieldMetadata = std::vector<std::pair<std::string, std::string>>;

/// Name and type of a column, in the terms of the C data interface.
struct Field {
  std::string name;
  std::string format;  ///< e.g. "l"; of a dictionary column that of its indices
  bool is_nullable = true;
  FieldMetadata metadata{};
  std::vector<Field> children{};
  std::shared_ptr<const Field> dictionary{};
};

/// The values of a column. Shared and immutable once made.
struct Column {
  std::int64_t length = 0;
  std::int64_t null_count = 0;
  std::vector<Buffer> buffers{};  ///< the first one says what is null; no bytes: nothing
  std::vector<std::shared_ptr<const Column>> children{};
  std::shared_ptr<const Column> dictionary{};
};

using ColumnPointer = std::shared_ptr<const Column>;

/// A column without children; `buffers` are those behind the validity, which is taken.
[[nodiscard]] std::shared_ptr<Column> plain_column(std::size_t length, ValidityBuilder& validity,
                                                   std::vector<Buffer> buffers);

/// Fill in structs of the C data interface, which share the memory of what they are made from.
void export_field(const Field& field, ArrowSchema* schema);
void export_column(ColumnPointer column, ArrowArray* array);

/// Text in which the C data interface holds metadata.
[[nodiscard]] std::string encode_metadata(const FieldMetadata& metadata);

}  // namespace jfrtree::internal::arrow

/// Columns and batches; each batch is a struct column without nulls.
struct jfrtree::internal::ArrowTableData {
  arrow::Field schema;
  std::vector<arrow::ColumnPointer> batches;
};
