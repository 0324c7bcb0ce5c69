#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace jfrtree::cli {

/// Text in columns that line up, for a person. Cells are made printable.
class Table {
 public:
  enum class Align : std::uint8_t { left, right };

  /// `indent` spaces stand before each line.
  explicit Table(std::vector<Align> columns, std::size_t indent = 0)
      : columns_(std::move(columns)), indent_(indent) {}

  /// A row has at most as many cells as the table has columns.
  void add(std::vector<std::string> cells);
  /// All rows, without spaces at line ends.
  [[nodiscard]] std::string text() const;
  [[nodiscard]] bool empty() const noexcept { return rows_.empty(); }

 private:
  std::vector<Align> columns_;
  std::size_t indent_;
  std::vector<std::vector<std::string>> rows_;
};

/// `text` broken between words into lines of at most `width` characters; lines after the first
/// begin with `indent` spaces.
[[nodiscard]] std::string wrap(std::string_view text, std::size_t indent, std::size_t width);

}  // namespace jfrtree::cli
