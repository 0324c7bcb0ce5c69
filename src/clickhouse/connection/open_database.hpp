#pragma once

#include <memory>

#include <jfrtree/clickhouse_database.hpp>

namespace jfrtree::internal {

// A database of each kind, without asking it for anything.
[[nodiscard]] std::unique_ptr<clickhouse::Database> open_embedded(
    const clickhouse::DatabaseOptions& options);
[[nodiscard]] std::unique_ptr<clickhouse::Database> open_http(
    const clickhouse::DatabaseOptions& options);

/// Makes the database that the options name. The user needs the right to do so.
void create_database(const clickhouse::DatabaseOptions& options);

/// Whether a server of this version has what is needed; what is no version has not.
[[nodiscard]] bool is_new_enough(std::string_view version) noexcept;

}  // namespace jfrtree::internal
