#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include <jfrtree/clickhouse_tree.hpp>

#include "clickhouse/tree/tree_input.hpp"
#include "clickhouse/tree/tree_stacks.hpp"

namespace jfrtree::internal {

/// Reads rows out of bytes as they arrive and hands them to the stacks.
class RowParser {
 public:
  RowParser() = default;
  RowParser(const RowParser&) = delete;
  RowParser& operator=(const RowParser&) = delete;
  virtual ~RowParser() = default;

  /// Takes whole rows, at most so many, and returns how many bytes they had. Rows that are cut are
  /// to be given again with more bytes; of a function's row the parts that are whole are taken.
  /// Throws FormatError and LimitError.
  virtual std::size_t parse(std::string_view bytes, std::uint64_t most_rows) = 0;
  /// Whether a part of a row has been taken.
  [[nodiscard]] virtual bool is_inside_row() const noexcept { return false; }

  [[nodiscard]] std::uint64_t rows() const noexcept { return rows_; }
  [[nodiscard]] std::uint64_t frames() const noexcept { return frames_; }

 protected:
  std::uint64_t rows_ = 0;
  std::uint64_t frames_ = 0;
};

/// The parser for the input format and the columns of the options, which must outlive it.
[[nodiscard]] std::unique_ptr<RowParser> make_row_parser(TreeStacks& stacks,
                                                         const TreeFilterOptions& options);
/// The same for the rows of a dictionary of frames.
[[nodiscard]] std::unique_ptr<RowParser> make_dictionary_parser(TreeStacks& stacks,
                                                                const TreeFilterOptions& options);

/// The same for one format each.
[[nodiscard]] std::unique_ptr<RowParser> make_binary_row_parser(TreeStacks& stacks,
                                                                const TreeFilterOptions& options);
[[nodiscard]] std::unique_ptr<RowParser> make_binary_dictionary_parser(
    TreeStacks& stacks, const TreeFilterOptions& options);
[[nodiscard]] std::unique_ptr<RowParser> make_tsv_row_parser(TreeStacks& stacks,
                                                             const TreeFilterOptions& options);
[[nodiscard]] std::unique_ptr<RowParser> make_tsv_dictionary_parser(
    TreeStacks& stacks, const TreeFilterOptions& options);

/// Sets a value of a stack. Throws FormatError when it is out of range.
void set_value(TreeStacks& stacks, std::uint32_t stack, std::size_t column, std::uint64_t value,
               std::uint64_t row);

/// Sums the stacks of rows that are whole. Throws FormatError when a sum is out of range.
void sum_up(TreeStacks& stacks);

/// The rows of an input: up to its end, or in blocks with a line before each that says how many.
class RowBlocks {
 public:
  RowBlocks(StreamBuffer& buffer, RowParser& parser, bool has_headers)
      : buffer_(buffer), parser_(parser), has_headers_(has_headers) {}

  enum class Event : std::uint8_t { needs_bytes, row, block_end };

  /// Parses what is in the buffer, up to the end of a block, or one row.
  [[nodiscard]] Event advance(bool one_row = false);
  /// To be called at the end of the input. Throws FormatError when something is missing.
  void finish() const;

 private:
  [[nodiscard]] bool read_header();

  StreamBuffer& buffer_;
  RowParser& parser_;
  bool has_headers_;
  bool is_in_block_ = false;
  std::uint64_t rows_left_ = 0;
};

}  // namespace jfrtree::internal
