#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include <jfrtree/error.hpp>
#include <jfrtree/limits.hpp>

namespace jfrtree {

/// How rows stand in the bytes: ClickHouse's RowBinary or TSV (TabSeparated).
enum class RowFormat : std::uint8_t { row_binary, tab_separated };

/// What an element of a stack is: the text of a frame, or its id.
enum class FrameColumn : std::uint8_t {
  strings,  ///< Array(String)
  ids32,    ///< Array(UInt32)
  ids64,    ///< Array(UInt64)
};

/// What the rows of the result are.
enum class TreeShape : std::uint8_t {
  nested_set,   ///< ord UInt64, level UInt32, value UInt64, self UInt64, label String
  flamebearer,  ///< one row, one String: Pyroscope's JSON
  collapsed,    ///< one String a row: `root;…;leaf N`
};

/// How the program on the other side of the pipes talks.
enum class RowProtocol : std::uint8_t {
  /// Rows up to the end of the input, one result: `executable()` and tables of that engine.
  stream,
  /// The same; a line with the number of rows stands before each block of rows.
  chunks,
  /// Blocks as in `chunks`, for each a result behind a line with the number of its rows, until the
  /// input ends: tables of the engine ExecutablePool.
  pool,
  /// Each row is a whole profile, (Array(stack), Array(value)…), and is answered by one row: a
  /// function. Rows of the result are elements of an array then, without `ord`.
  function,
  /// The same for blocks as in `chunks`: a function with `send_chunk_header`.
  function_chunks,
};

/// What to make of the rows. Columns of a row: the stack, then the values as UInt64 or Int64.
struct TreeFilterOptions {
  RowFormat input_format = RowFormat::row_binary;
  RowFormat output_format = RowFormat::row_binary;
  FrameColumn frames = FrameColumn::strings;
  TreeShape shape = TreeShape::nested_set;
  RowProtocol protocol = RowProtocol::stream;
  /// 1, or 2 for a comparison: value and self of the second are `valueRight UInt64, selfRight
  /// UInt64`, the last columns.
  std::uint32_t values = 1;
  bool leaf_first = false;                   ///< order of the frames of an input stack
  bool reverse = false;                      ///< the tree begins at the leaves
  std::optional<std::uint64_t> max_nodes{};  ///< absent: that of the format of `convert`; 0: all
  double min_width = 0;                      ///< percent of the total
  /// Stacks beyond so many of the largest become one frame `(other)` below the root; 0: none do.
  std::uint64_t largest_stacks = 0;
  /// Of the values; only flamebearer says it: count, nanoseconds, bytes or another word.
  std::string unit = "count";
  Limits limits{};
  const std::atomic<bool>* stop = nullptr;  ///< ends with Interrupted soon after it becomes true
};

/// What was read and written.
struct TreeFilterSummary {
  std::uint64_t rows = 0;
  std::uint64_t frames = 0;          ///< of all rows
  std::uint64_t trees = 0;           ///< results
  std::uint64_t stacks = 0;          ///< different ones, of all results
  std::uint64_t nodes = 0;           ///< written, of all results
  std::uint64_t repaired_texts = 0;  ///< frames that were no valid UTF-8, of all results
};

/// Reads rows of stacks from the descriptor `rows` and writes their call tree to `output`: the
/// filter behind ClickHouse's executable tables and functions. With ids of frames the rows `id,
/// text String` of a dictionary, with ids of the same type, come from the descriptor `dictionary`
/// (-1: none); both are read as their bytes arrive, in whatever order. Descriptors are borrowed,
/// not closed.
///
/// Nothing is written before the input has ended (the block, the row of a function). Input is read
/// to its end on every path, also before an error is thrown and after the reader of `output` went
/// away; except with `pool` and the functions, whose input need not end.
///
/// No rows make the root alone; equal stacks are summed. A row's frame text that is no valid UTF-8
/// is repaired. Memory is that of the different stacks and texts, within `limits`.
///
/// Throws FormatError (rows cut short, lengths that cannot be right, negative values, an id without
/// a text), LimitError, IoError, ClosedPipe, Interrupted, UsageError for options that contradict
/// each other.
TreeFilterSummary filter_stack_rows(int rows, int dictionary, int output,
                                    const TreeFilterOptions& options = {});

}  // namespace jfrtree
