#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "export/arrow/table.hpp"

namespace jfrtree::internal::arrow {

/// Where a buffer lies in the body of a message.
struct BodyBuffer {
  std::int64_t offset = 0;
  std::int64_t length = 0;
};

/// Length and number of nulls of one column, parents before children.
struct FieldNode {
  std::int64_t length = 0;
  std::int64_t null_count = 0;
};

/// What a message says about its body.
struct BatchLayout {
  std::int64_t rows = 0;
  std::vector<FieldNode> nodes;
  std::vector<BodyBuffer> buffers;
  std::int64_t body_bytes = 0;
};

/// Where a message lies in a file. Laid out as the footer holds it.
struct FileBlock {
  std::int64_t offset = 0;
  std::int32_t metadata_bytes = 0;  ///< with the eight bytes in front
  std::int32_t padding = 0;
  std::int64_t body_bytes = 0;
};

/// The metadata of messages, FlatBuffers of a multiple of 8 bytes. `schema`: a struct of the
/// columns; its dictionaries are numbered in the order of the columns, parents before children.
[[nodiscard]] std::string schema_message(const Field& schema);
[[nodiscard]] std::string record_batch_message(const BatchLayout& layout);
[[nodiscard]] std::string dictionary_message(const BatchLayout& layout, std::int64_t id);
[[nodiscard]] std::string file_footer(const Field& schema, std::span<const FileBlock> dictionaries,
                                      std::span<const FileBlock> batches);

}  // namespace jfrtree::internal::arrow
