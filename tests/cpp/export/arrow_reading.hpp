#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <jfrtree/arrow.hpp>

namespace jfrtree::test {

/// A stream of Arrow arrays as rows of JSON objects, read by the words of the specification alone.
/// Bytes that are no UTF-8, offsets that go back, indices outside of a dictionary and buffers that
/// do not begin at a multiple of 64 bytes are failed checks.
struct ArrowRows {
  std::vector<nlohmann::ordered_json> rows;
  std::vector<std::int64_t> batches;  ///< rows of each
  std::string schema;                 ///< `name type; …` of the columns
  std::string error;                  ///< what the stream said where it failed
};

/// Reads a stream to its end or first error, and releases it.
ArrowRows read_arrow(ArrowArrayStream& stream);
ArrowRows read_arrow(const ArrowTable& table);

/// `int64`, `list<dictionary<int32, utf8>>`, `struct<a: bool>` …
std::string arrow_type_text(const ArrowSchema& schema);
/// Metadata of a field as `key=value, …`.
std::string arrow_metadata_text(const ArrowSchema& schema);

/// Rows as text, a line each.
std::string lines_of(const ArrowRows& rows);

}  // namespace jfrtree::test
