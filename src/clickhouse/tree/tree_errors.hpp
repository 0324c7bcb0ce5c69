#pragma once

#include <cstdint>
#include <string>

namespace jfrtree::internal {

/// Throws FormatError about a row (counted from 1) of an input.
[[noreturn]] void throw_row_error(const char* input, std::uint64_t row, const std::string& what);

/// Throws LimitError: something of a row is larger than the limit of that name.
[[noreturn]] void throw_row_limit(const char* input, std::uint64_t row, const std::string& what,
                                  const char* limit, std::uint64_t most);

/// Throws FormatError: a sum of values does not fit.
[[noreturn]] void throw_sum_error();

}  // namespace jfrtree::internal
