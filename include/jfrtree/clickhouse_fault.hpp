#pragma once

#include <cstdint>
#include <string_view>

namespace jfrtree::clickhouse {

/// What went wrong with a database.
enum class DatabaseFault : std::uint8_t {
  no_library,     ///< libchdb.so or libcurl is not there
  unreachable,    ///< no connection, or it broke: the server is gone
  busy,           ///< the server cannot take it now: too many parts, queries, or no memory
  denied,         ///< wrong user or password, or no right to do it
  missing_table,  ///< a table or database is not there
  read_only,      ///< nothing may be written
  in_use,         ///< another process has the folder
  too_old,        ///< the server, or the schema of its tables, is another one than is needed
  query,          ///< the server refused the query
  no_keeper,      ///< statements ON CLUSTER do not run: there is no Keeper, or it is forbidden
  disk_full,      ///< there is no space left
};

/// The name, e.g. `missing_table`.
[[nodiscard]] std::string_view fault_name(DatabaseFault fault) noexcept;

}  // namespace jfrtree::clickhouse
