#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <jfrtree/clickhouse.hpp>
#include <jfrtree/clickhouse_database.hpp>

namespace jfrtree::internal {

/// The number in a comment `jfrtree schema 1`, or nothing for other comments.
[[nodiscard]] std::optional<unsigned> schema_of_comment(std::string_view comment) noexcept;

/// Looks at the comment of the table of samples, `table`. Of this schema, or none of ours: nothing
/// to do. Tables of an older one are changed where `may_change`; a change that was cut short is
/// gone on with by the next call. Throws DatabaseError otherwise.
void migrate_tables(clickhouse::Database& database, const std::string& table,
                    std::string_view comment, bool may_change,
                    const clickhouse::SchemaOptions& options);

}  // namespace jfrtree::internal
