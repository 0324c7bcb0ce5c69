#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "io/seeded_map.hpp"

namespace jfrtree::internal {

/// Texts of a column, each once, numbered in the order of their first `add`.
class TextDictionary {
 public:
  std::uint32_t add(std::string_view text);
  [[nodiscard]] std::string_view operator[](std::size_t number) const noexcept {
    return texts_[number];
  }
  [[nodiscard]] std::size_t size() const noexcept { return texts_.size(); }
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }
  void clear();

 private:
  std::deque<std::string> texts_;  // never move
  SeededMap<std::string_view, std::uint32_t> numbers_;
  std::size_t bytes_ = 0;
};

/// What the cells of a column are in ClickHouse.
enum class CellType : std::uint8_t {
  low_cardinality,        ///< LowCardinality(String)
  text,                   ///< String
  uint64,                 ///< UInt64
  int64,                  ///< Int64
  date,                   ///< Date: days since the epoch
  date_time,              ///< DateTime: seconds since the epoch
  date_time64,            ///< DateTime64(9): nanoseconds since the epoch
  low_cardinality_array,  ///< Array(LowCardinality(String))
  uint64_array,           ///< Array(UInt64)
  int64_array,            ///< Array(Int64)
  int32_array,            ///< Array(Int32)
  label_map,              ///< Map(LowCardinality(String), LowCardinality(String))
  attribute_map,          ///< Map(LowCardinality(String), String)
};

/// The type as ClickHouse writes it.
[[nodiscard]] std::string_view type_text(CellType type) noexcept;
/// Whether cells hold several elements.
[[nodiscard]] bool is_list(CellType type) noexcept;
/// Whether the elements are pairs of texts.
[[nodiscard]] bool is_map(CellType type) noexcept;

struct ColumnName {
  std::string_view name;
  CellType type;
};

/// The cells of one column.
struct Column {
  ColumnName name;
  /// Of plain cells one each, of lists all elements: numbers, or texts by their number in `texts`.
  std::vector<std::uint64_t> items{};
  std::vector<std::uint64_t> values{};  ///< of maps: the value beside each key
  std::vector<std::uint64_t> ends{};    ///< of lists: where the elements of each cell end
  TextDictionary texts{};

  void add_number(std::uint64_t number) { items.push_back(number); }
  void add_text(std::string_view text) { items.push_back(texts.add(text)); }
  void add_entry(std::string_view key, std::string_view value) {
    add_text(key);
    values.push_back(texts.add(value));
  }
  /// Ends the list of a cell.
  void end_list() { ends.push_back(items.size()); }
};

/// Some rows of a table, column by column.
class RowBlock {
 public:
  explicit RowBlock(const std::vector<ColumnName>& columns);

  [[nodiscard]] Column& operator[](std::size_t column) noexcept { return columns_[column]; }
  [[nodiscard]] const std::vector<Column>& columns() const noexcept { return columns_; }
  void end_row() noexcept { ++rows_; }
  [[nodiscard]] std::size_t rows() const noexcept { return rows_; }
  /// Elements of lists and cells, for those who keep blocks small.
  [[nodiscard]] std::size_t items() const noexcept;
  /// Forgets the rows.
  void clear();

 private:
  std::vector<Column> columns_;
  std::size_t rows_ = 0;
};

// The block in the formats of ClickHouse, appended to `bytes`.

/// One block of Native: LowCardinality with a dictionary of its own.
void append_native(const RowBlock& block, std::string& bytes);
void append_row_binary(const RowBlock& block, std::string& bytes);
void append_tsv(const RowBlock& block, std::string& bytes);
/// An object a line; numbers of 64 bits are numbers.
void append_json_each_row(const RowBlock& block, std::string& bytes);

}  // namespace jfrtree::internal
