#include "clickhouse/tree/tree_rows.hpp"

#include <charconv>
#include <limits>
#include <string>

#include "clickhouse/tree/tree_errors.hpp"

namespace jfrtree::internal {

std::unique_ptr<RowParser> make_row_parser(TreeStacks& stacks, const TreeFilterOptions& options) {
  return options.input_format == RowFormat::row_binary ? make_binary_row_parser(stacks, options)
                                                       : make_tsv_row_parser(stacks, options);
}

std::unique_ptr<RowParser> make_dictionary_parser(TreeStacks& stacks,
                                                  const TreeFilterOptions& options) {
  return options.input_format == RowFormat::row_binary
             ? make_binary_dictionary_parser(stacks, options)
             : make_tsv_dictionary_parser(stacks, options);
}

void set_value(TreeStacks& stacks, std::uint32_t stack, std::size_t column, std::uint64_t value,
               std::uint64_t row) {
  constexpr auto highest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (value > highest) {
    throw_row_error("-", row,
                    "the value " + std::to_string(static_cast<std::int64_t>(value)) +
                        " is negative (or above 2^63): a flame graph has no place for it");
  }
  stacks.set_value(stack, column, value);
}

bool RowBlocks::read_header() {
  constexpr std::size_t most_digits = 20;
  const std::string_view bytes = buffer_.bytes();
  const std::size_t end = bytes.substr(0, most_digits + 1).find('\n');
  if (end == std::string_view::npos && bytes.size() <= most_digits) {
    return false;
  }
  const std::string_view digits = bytes.substr(0, end);
  const char* const last = digits.data() + digits.size();
  const auto [position, error] = std::from_chars(digits.data(), last, rows_left_);
  if (end == std::string_view::npos || error != std::errc{} || position != last) {
    throw_row_error(buffer_.name(), parser_.rows() + 1,
                    "no line with the number of rows stands before the block: set "
                    "send_chunk_header = 1, or leave --chunk-header and --pool out");
  }
  buffer_.take(end + 1);
  is_in_block_ = true;
  return true;
}

RowBlocks::Event RowBlocks::advance(bool one_row) {
  if (has_headers_ && !is_in_block_ && !read_header()) {
    return Event::needs_bytes;
  }
  if (!has_headers_ || rows_left_ > 0) {
    const std::uint64_t before = parser_.rows();
    const std::uint64_t most =
        one_row ? 1 : (has_headers_ ? rows_left_ : std::numeric_limits<std::uint64_t>::max());
    buffer_.take(parser_.parse(buffer_.bytes(), most));
    const std::uint64_t done = parser_.rows() - before;
    rows_left_ -= has_headers_ ? done : 0;
    if (one_row && done == 1) {
      return Event::row;
    }
  }
  if (has_headers_ && rows_left_ == 0) {
    is_in_block_ = false;
    return Event::block_end;
  }
  return Event::needs_bytes;
}

void sum_up(TreeStacks& stacks) {
  if (!stacks.sum_up()) {
    throw_sum_error();
  }
}

void RowBlocks::finish() const {
  if (!buffer_.bytes().empty() || parser_.is_inside_row()) {
    throw_row_error(buffer_.name(), parser_.rows() + 1,
                    "the input ends inside the row: check that its columns and their types are "
                    "those that the options say");
  }
  if (is_in_block_) {
    throw_row_error(buffer_.name(), parser_.rows() + 1,
                    "the input ends before the block has the " + std::to_string(rows_left_) +
                        " more rows that it announces");
  }
}

}  // namespace jfrtree::internal
