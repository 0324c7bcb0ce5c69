#include "clickhouse/tree/tree_errors.hpp"

#include <utility>

#include <jfrtree/error.hpp>

namespace jfrtree::internal {
namespace {

Problem problem_of(ErrorCode code, const char* input, std::uint64_t row, const std::string& what) {
  Problem problem;
  problem.code = code;
  problem.file = input;
  problem.message = "row " + std::to_string(row) + ": " + what;
  return problem;
}

}  // namespace

void throw_row_error(const char* input, std::uint64_t row, const std::string& what) {
  throw FormatError(problem_of(ErrorCode::bad_event, input, row, what));
}

void throw_row_limit(const char* input, std::uint64_t row, const std::string& what,
                     const char* limit, std::uint64_t most) {
  throw LimitError(problem_of(ErrorCode::limit_exceeded, input, row,
                              what + ", more than the limit " + limit + " of " +
                                  std::to_string(most) + "; raise it with --limit " + limit +
                                  "=N, or check the columns and their types"));
}

void throw_sum_error() {
  Problem problem;
  problem.code = ErrorCode::value_out_of_range;
  problem.file = "-";
  problem.message = "the values of one stack add up to more than 2^64-1";
  throw FormatError(std::move(problem));
}

}  // namespace jfrtree::internal
