#pragma once

#include <string>

#include <jfrtree/clickhouse_database.hpp>

namespace jfrtree::internal {

/// What a number of ClickHouse's exceptions means here.
[[nodiscard]] clickhouse::DatabaseFault fault_of_code(unsigned code) noexcept;

/// Throws what a server or the engine answered, `Code: 60. DB::Exception: …`, shortened to what a
/// person needs. `code` where it is known otherwise; 0: it is read from the text.
[[noreturn]] void throw_database_error(const std::string& database, const std::string& text,
                                       unsigned code = 0);

}  // namespace jfrtree::internal
