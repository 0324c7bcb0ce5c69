#include "clickhouse/rows/row_block.hpp"

namespace jfrtree::internal {

std::uint32_t TextDictionary::add(std::string_view text) {
  const auto found = numbers_.find(text);
  if (found != numbers_.end()) return found->second;
  const auto number = static_cast<std::uint32_t>(texts_.size());
  numbers_.emplace(std::string_view(texts_.emplace_back(text)), number);
  bytes_ += text.size();
  return number;
}

void TextDictionary::clear() {
  numbers_.clear();
  texts_.clear();
  bytes_ = 0;
}

std::string_view type_text(CellType type) noexcept {
  switch (type) {
    case CellType::low_cardinality:
      return "LowCardinality(String)";
    case CellType::text:
      return "String";
    case CellType::uint64:
      return "UInt64";
    case CellType::int64:
      return "Int64";
    case CellType::date:
      return "Date";
    case CellType::date_time:
      return "DateTime";
    case CellType::date_time64:
      return "DateTime64(9)";
    case CellType::low_cardinality_array:
      return "Array(LowCardinality(String))";
    case CellType::uint64_array:
      return "Array(UInt64)";
    case CellType::int64_array:
      return "Array(Int64)";
    case CellType::int32_array:
      return "Array(Int32)";
    case CellType::label_map:
      return "Map(LowCardinality(String), LowCardinality(String))";
    case CellType::attribute_map:
      break;
  }
  return "Map(LowCardinality(String), String)";
}

bool is_list(CellType type) noexcept { return type >= CellType::low_cardinality_array; }

bool is_map(CellType type) noexcept {
  return type == CellType::label_map || type == CellType::attribute_map;
}

RowBlock::RowBlock(const std::vector<ColumnName>& columns) {
  for (const ColumnName& column : columns) columns_.push_back(Column{column});
}

std::size_t RowBlock::items() const noexcept {
  std::size_t items = 0;
  for (const Column& column : columns_) items += column.items.size();
  return items;
}

void RowBlock::clear() {
  for (Column& column : columns_) {
    column.items.clear();
    column.values.clear();
    column.ends.clear();
    column.texts.clear();
  }
  rows_ = 0;
}

}  // namespace jfrtree::internal
