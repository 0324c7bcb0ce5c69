#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace jfrtree::bench {

/// Rows of stacks as a query sends them to an executable table: unique stacks in no order, with a
/// value each, the same in every run.
struct StackRows {
  std::string strings;     ///< RowBinary: Array(String), UInt64
  std::string ids;         ///< RowBinary: Array(UInt64), UInt64
  std::string ids32;       ///< RowBinary: Array(UInt32), UInt64
  std::string dictionary;  ///< RowBinary: UInt64, String
  std::string dictionary32;
  std::size_t rows = 0;
  std::size_t frames = 0;
};

/// Stacks of 33 to 53 frames of 6,000 methods, whose names have 43 bytes or so. Each method calls
/// few others, so that stacks share their first frames and differ further down.
[[nodiscard]] StackRows make_stack_rows(std::size_t count);

}  // namespace jfrtree::bench
