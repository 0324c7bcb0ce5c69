#include "export/arrow_reading.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <map>
#include <string_view>

#include "format/text.hpp"

namespace jfrtree::test {

namespace {

using Json = nlohmann::ordered_json;

const std::map<std::string_view, std::string_view>& type_names() {
  static const std::map<std::string_view, std::string_view> names = {
      {"b", "bool"},          {"c", "int8"},
      {"C", "uint8"},         {"s", "int16"},
      {"S", "uint16"},        {"i", "int32"},
      {"I", "uint32"},        {"l", "int64"},
      {"L", "uint64"},        {"f", "float"},
      {"g", "double"},        {"u", "utf8"},
      {"U", "large_utf8"},    {"tsn:UTC", "timestamp[ns, UTC]"},
      {"tDn", "duration[ns]"}};
  return names;
}

template <typename Number>
Number element(const ArrowArray& array, std::size_t buffer, std::int64_t index) {
  Number number{};
  REQUIRE(array.buffers[buffer] != nullptr);
  std::memcpy(&number, static_cast<const Number*>(array.buffers[buffer]) + index, sizeof(number));
  return number;
}

bool bit(const ArrowArray& array, std::size_t buffer, std::int64_t index) {
  const auto byte = element<std::uint8_t>(array, buffer, index / 8);
  return (byte >> (index % 8) & 1) != 0;
}

bool is_valid(const ArrowArray& array, std::int64_t index) {
  return array.buffers[0] == nullptr || bit(array, 0, array.offset + index);
}

template <typename Offset>
Json text_at(const ArrowArray& array, std::int64_t index) {
  const auto begin = element<Offset>(array, 1, index);
  const auto end = element<Offset>(array, 1, index + 1);
  REQUIRE(begin <= end);
  const std::string_view text(static_cast<const char*>(array.buffers[2]) + begin,
                              static_cast<std::size_t>(end - begin));
  CHECK(internal::is_valid_utf8(text));
  return std::string(text);
}

Json value_at(const ArrowSchema& schema, const ArrowArray& array, std::int64_t row);

Json list_at(const ArrowSchema& schema, const ArrowArray& array, std::int64_t index) {
  const auto begin = element<std::int32_t>(array, 1, index);
  const auto end = element<std::int32_t>(array, 1, index + 1);
  REQUIRE(begin <= end);
  REQUIRE(end <= array.children[0]->length);
  Json list = Json::array();
  for (std::int32_t i = begin; i < end; ++i) {
    list.push_back(value_at(*schema.children[0], *array.children[0], i));
  }
  return list;
}

Json struct_at(const ArrowSchema& schema, const ArrowArray& array, std::int64_t index) {
  Json object = Json::object();
  for (std::int64_t i = 0; i < schema.n_children; ++i) {
    object[schema.children[i]->name] = value_at(*schema.children[i], *array.children[i], index);
  }
  return object;
}

Json number_at(std::string_view format, const ArrowArray& array, std::int64_t index) {
  switch (format.front()) {
    case 'b':
      return bit(array, 1, index);
    case 'c':
      return element<std::int8_t>(array, 1, index);
    case 'C':
      return element<std::uint8_t>(array, 1, index);
    case 's':
      return element<std::int16_t>(array, 1, index);
    case 'S':
      return element<std::uint16_t>(array, 1, index);
    case 'i':
      return element<std::int32_t>(array, 1, index);
    case 'I':
      return element<std::uint32_t>(array, 1, index);
    case 'L':
      return element<std::uint64_t>(array, 1, index);
    case 'f':
      return element<float>(array, 1, index);
    case 'g':
      return element<double>(array, 1, index);
    default:
      return element<std::int64_t>(array, 1, index);
  }
}

Json value_at(const ArrowSchema& schema, const ArrowArray& array, std::int64_t row) {
  REQUIRE(row < array.length);
  if (!is_valid(array, row)) return nullptr;
  const std::int64_t index = array.offset + row;
  const std::string_view format = schema.format;
  if (schema.dictionary != nullptr) {
    REQUIRE(array.dictionary != nullptr);
    const auto number = number_at(format, array, index).get<std::int64_t>();
    REQUIRE(number >= 0);
    return value_at(*schema.dictionary, *array.dictionary, number);
  }
  if (format == "+s") return struct_at(schema, array, index);
  if (format == "+l") return list_at(schema, array, index);
  if (format == "u") return text_at<std::int32_t>(array, index);
  if (format == "U") return text_at<std::int64_t>(array, index);
  return number_at(format, array, index);
}

/// What holds for every array, and for those below it.
void check_array(const ArrowSchema& schema, const ArrowArray& array) {
  REQUIRE(!!array.release);
  REQUIRE(array.n_children == schema.n_children);
  for (std::int64_t i = 0; i < array.n_buffers; ++i) {
    CHECK(reinterpret_cast<std::uintptr_t>(array.buffers[i]) % 64 == 0);
  }
  std::int64_t nulls = 0;
  for (std::int64_t row = 0; row < array.length; ++row) nulls += is_valid(array, row) ? 0 : 1;
  CHECK(array.null_count == nulls);
  if ((schema.flags & ARROW_FLAG_NULLABLE) == 0) CHECK(nulls == 0);
  for (std::int64_t i = 0; i < array.n_children; ++i) {
    if (std::string_view(schema.format) == "+s") {
      CHECK(array.children[i]->length == array.length);
    }
    check_array(*schema.children[i], *array.children[i]);
  }
  if (schema.dictionary != nullptr) check_array(*schema.dictionary, *array.dictionary);
}

}  // namespace

std::string arrow_type_text(const ArrowSchema& schema) {
  const std::string_view format = schema.format;
  if (schema.dictionary != nullptr) {
    return "dictionary<" + std::string(type_names().at(format)) + ", " +
           arrow_type_text(*schema.dictionary) + ">";
  }
  if (format == "+l") return "list<" + arrow_type_text(*schema.children[0]) + ">";
  if (format != "+s") return std::string(type_names().at(format));
  std::string text;
  for (std::int64_t i = 0; i < schema.n_children; ++i) {
    if (i > 0) text += ", ";
    text += std::string(schema.children[i]->name) + ": " + arrow_type_text(*schema.children[i]);
  }
  return "struct<" + text + ">";
}

std::string arrow_metadata_text(const ArrowSchema& schema) {
  std::string text;
  const char* at = schema.metadata;
  if (at == nullptr) return text;
  const auto number = [&at] {
    std::int32_t value = 0;
    std::memcpy(&value, at, sizeof(value));
    at += sizeof(value);
    return value;
  };
  const auto string = [&at, &number] {
    const auto size = static_cast<std::size_t>(number());
    std::string value(at, size);
    at += size;
    return value;
  };
  for (std::int32_t left = number(); left > 0; --left) {
    if (!text.empty()) text += ", ";
    text += string();
    text += "=" + string();
  }
  return text;
}

ArrowRows read_arrow(ArrowArrayStream& stream) {
  ArrowRows result;
  ArrowSchema schema{};
  REQUIRE(stream.get_schema(&stream, &schema) == 0);
  for (std::int64_t i = 0; i < schema.n_children; ++i) {
    if (i > 0) result.schema += "; ";
    result.schema +=
        std::string(schema.children[i]->name) + " " + arrow_type_text(*schema.children[i]);
  }
  for (;;) {
    ArrowArray batch{};
    if (stream.get_next(&stream, &batch) != 0) {
      const char* const error = stream.get_last_error(&stream);
      result.error = error == nullptr ? "no message" : error;
      break;
    }
    if (batch.release == nullptr) break;
    check_array(schema, batch);
    result.batches.push_back(batch.length);
    for (std::int64_t row = 0; row < batch.length; ++row) {
      result.rows.push_back(value_at(schema, batch, row));
    }
    batch.release(&batch);
    CHECK(!batch.release);
  }
  schema.release(&schema);
  CHECK(!schema.release);
  stream.release(&stream);
  CHECK(!stream.release);
  return result;
}

ArrowRows read_arrow(const ArrowTable& table) {
  ArrowArrayStream stream{};
  table.export_stream(&stream);
  ArrowRows rows = read_arrow(stream);
  CHECK(table.rows() == static_cast<std::int64_t>(rows.rows.size()));
  return rows;
}

std::string lines_of(const ArrowRows& rows) {
  std::string text;
  for (const Json& row : rows.rows) text += row.dump() + "\n";
  return text;
}

}  // namespace jfrtree::test
