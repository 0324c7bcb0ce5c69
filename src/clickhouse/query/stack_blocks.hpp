#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "clickhouse/query/query_stacks.hpp"

namespace jfrtree::internal {

/// Adds the stacks of an answer in Native with the columns `stack_hash` and `frames`. There each
/// block holds the text of a frame once, however many stacks have it: the answer is a tenth of what
/// it were in RowBinary. `database` is named where the answer is cut short or has other columns,
/// which is a DatabaseError. Throws LimitError as `QueryStacks` does.
void add_stack_blocks(QueryStacks& stacks, std::string_view bytes, const std::string& database);

}  // namespace jfrtree::internal
