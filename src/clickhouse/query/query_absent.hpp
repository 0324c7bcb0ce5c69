#pragma once

#include <string>
#include <vector>

#include <jfrtree/clickhouse_query.hpp>

namespace jfrtree::internal {

/// Throws the ProfileNotFound of a query that found nothing of these kinds (none: of any), which
/// says what was asked for and what is stored.
[[noreturn]] void throw_absent(clickhouse::Database& database,
                               const clickhouse::ProfileQuery& query,
                               const std::vector<std::string>& kinds);

}  // namespace jfrtree::internal
