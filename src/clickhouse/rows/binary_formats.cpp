#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "clickhouse/rows/binary_bytes.hpp"
#include "clickhouse/rows/row_block.hpp"

// Native and RowBinary.

namespace jfrtree::internal {

namespace {

/// Bytes of a number, of plain cells and of elements; 0: texts.
[[nodiscard]] std::size_t number_bytes(CellType type) noexcept {
  switch (type) {
    case CellType::date:
      return 2;
    case CellType::date_time:
    case CellType::int32_array:
      return 4;
    case CellType::uint64:
    case CellType::int64:
    case CellType::date_time64:
    case CellType::uint64_array:
    case CellType::int64_array:
      return 8;
    default:
      return 0;
  }
}

constexpr std::uint64_t dictionary_version = 1;
/// The dictionary is in the block itself, and it is a new one.
constexpr std::uint64_t own_dictionary = 0x600;

void append_sized(std::string& bytes, std::span<const std::uint64_t> numbers, std::size_t size) {
  switch (size) {
    case 1:
      return append_numbers<1>(bytes, numbers);
    case 2:
      return append_numbers<2>(bytes, numbers);
    case 4:
      return append_numbers<4>(bytes, numbers);
    default:
      return append_numbers<8>(bytes, numbers);
  }
}

/// The cells of a LowCardinality(String): a dictionary, whose first key is the empty text as the
/// default of the type, and a number for each cell.
void append_dictionary(std::string& bytes, std::span<const std::uint64_t> items,
                       const TextDictionary& texts) {
  if (items.empty()) return;
  // The dictionary of a map holds its values, too: only what cells use is a key.
  std::vector<std::uint64_t> keys(texts.size(), 0);  // by text; 0: not used yet
  std::vector<std::uint64_t> used;
  for (const std::uint64_t item : items) {
    if (keys[item] != 0 || texts[item].empty()) continue;
    used.push_back(item);
    keys[item] = used.size();
  }
  const std::uint64_t count = used.size() + 1;
  const std::size_t width_code = count <= 0x100 ? 0 : count <= 0x1'0000 ? 1 : 2;
  append_number(bytes, own_dictionary | width_code, 8);
  append_number(bytes, count, 8);
  append_text(bytes, "");
  for (const std::uint64_t item : used) append_text(bytes, texts[item]);
  append_number(bytes, items.size(), 8);
  std::vector<std::uint64_t> places(items.size());
  std::transform(items.begin(), items.end(), places.begin(),
                 [&keys](std::uint64_t item) { return keys[item]; });
  append_sized(bytes, places, std::size_t{1} << width_code);
}

void append_native_column(const Column& column, std::string& bytes) {
  const CellType type = column.name.type;
  append_text(bytes, column.name.name);
  append_text(bytes, type_text(type));
  const bool has_dictionary =
      type == CellType::low_cardinality || type == CellType::low_cardinality_array || is_map(type);
  if (has_dictionary) append_number(bytes, dictionary_version, 8);
  if (type == CellType::label_map) append_number(bytes, dictionary_version, 8);
  append_numbers<8>(bytes, column.ends);
  if (has_dictionary) {
    append_dictionary(bytes, column.items, column.texts);
    if (type == CellType::label_map) return append_dictionary(bytes, column.values, column.texts);
    for (const std::uint64_t value : column.values) append_text(bytes, column.texts[value]);
    return;
  }
  const std::size_t size = number_bytes(type);
  if (size != 0) return append_sized(bytes, column.items, size);
  for (const std::uint64_t item : column.items) append_text(bytes, column.texts[item]);
}

void append_item(const Column& column, std::size_t item, std::string& bytes) {
  const std::size_t size = number_bytes(column.name.type);
  if (size != 0) {
    append_number(bytes, column.items[item], size);
    return;
  }
  append_text(bytes, column.texts[column.items[item]]);
  if (!column.values.empty()) append_text(bytes, column.texts[column.values[item]]);
}

}  // namespace

void append_native(const RowBlock& block, std::string& bytes) {
  append_leb128(bytes, block.columns().size());
  append_leb128(bytes, block.rows());
  for (const Column& column : block.columns()) append_native_column(column, bytes);
}

void append_row_binary(const RowBlock& block, std::string& bytes) {
  for (std::size_t row = 0; row < block.rows(); ++row) {
    for (const Column& column : block.columns()) {
      if (!is_list(column.name.type)) {
        append_item(column, row, bytes);
        continue;
      }
      const std::size_t begin = row == 0 ? 0 : column.ends[row - 1];
      const std::size_t end = column.ends[row];
      append_leb128(bytes, end - begin);
      for (std::size_t item = begin; item < end; ++item) append_item(column, item, bytes);
    }
  }
}

}  // namespace jfrtree::internal
