#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>

#include "clickhouse/rows/row_block.hpp"
#include "clickhouse/rows/sql_text.hpp"
#include "export/event_cells.hpp"
#include "export/json_text.hpp"

// TSV and JSON lines.

namespace jfrtree::internal {

namespace {

void append_decimal(CellType type, std::uint64_t number, std::string& text) {
  const bool is_signed = type == CellType::int64 || type == CellType::int64_array ||
                         type == CellType::int32_array || type == CellType::date_time64;
  text += is_signed ? std::to_string(static_cast<std::int64_t>(number)) : std::to_string(number);
}

/// Times in UTC are written as numbers where the format takes them, whatever the server's zone. A
/// DateTime64 as seconds with nine decimals.
void append_time64(std::uint64_t nanoseconds, std::string& text) {
  constexpr std::int64_t second = 1'000'000'000;
  const auto time = static_cast<std::int64_t>(nanoseconds);
  char digits[48];
  std::snprintf(digits, sizeof digits, "%lld.%09lld", static_cast<long long>(time / second),
                static_cast<long long>(time % second));
  text += digits;
}

[[nodiscard]] bool is_text(CellType type) noexcept {
  return type == CellType::low_cardinality || type == CellType::text ||
         type == CellType::low_cardinality_array || is_map(type);
}

/// How the parts of a list are written.
struct Style {
  char list_begin;
  char list_end;
  void (*text)(std::string& to, std::string_view text);
  bool is_json;
};

void append_plain(const Column& column, std::uint64_t item, const Style& style, std::string& text) {
  switch (column.name.type) {
    case CellType::date:
      if (style.is_json) text += '"';
      append_date(text, static_cast<std::int64_t>(item));
      if (style.is_json) text += '"';
      break;
    case CellType::date_time64:
      if (style.is_json) text += '"';
      append_time64(item, text);
      if (style.is_json) text += '"';
      break;
    default:
      append_decimal(column.name.type, item, text);
  }
}

void append_list(const Column& column, std::size_t row, const Style& style, std::string& text) {
  const bool has_pairs = is_map(column.name.type);
  const std::size_t begin = row == 0 ? 0 : column.ends[row - 1];
  text += has_pairs ? '{' : style.list_begin;
  for (std::size_t item = begin; item < column.ends[row]; ++item) {
    if (item > begin) text += ',';
    if (is_text(column.name.type)) {
      style.text(text, column.texts[column.items[item]]);
    } else {
      append_decimal(column.name.type, column.items[item], text);
    }
    if (!has_pairs) continue;
    text += ':';
    style.text(text, column.texts[column.values[item]]);
  }
  text += has_pairs ? '}' : style.list_end;
}

constexpr Style tsv_style = {'[', ']', append_sql_text, false};
constexpr Style json_style = {'[', ']', append_json_string, true};

}  // namespace

void append_tsv(const RowBlock& block, std::string& bytes) {
  for (std::size_t row = 0; row < block.rows(); ++row) {
    char separator = 0;
    for (const Column& column : block.columns()) {
      if (separator != 0) bytes += separator;
      separator = '\t';
      if (is_list(column.name.type)) {
        append_list(column, row, tsv_style, bytes);
      } else if (is_text(column.name.type)) {
        append_escaped(bytes, column.texts[column.items[row]]);
      } else {
        append_plain(column, column.items[row], tsv_style, bytes);
      }
    }
    bytes += '\n';
  }
}

void append_json_each_row(const RowBlock& block, std::string& bytes) {
  for (std::size_t row = 0; row < block.rows(); ++row) {
    char separator = '{';
    for (const Column& column : block.columns()) {
      bytes += separator;
      separator = ',';
      append_json_string(bytes, column.name.name);
      bytes += ':';
      if (is_list(column.name.type)) {
        append_list(column, row, json_style, bytes);
      } else if (is_text(column.name.type)) {
        append_json_string(bytes, column.texts[column.items[row]]);
      } else {
        append_plain(column, column.items[row], json_style, bytes);
      }
    }
    bytes += "}\n";
  }
}

}  // namespace jfrtree::internal
