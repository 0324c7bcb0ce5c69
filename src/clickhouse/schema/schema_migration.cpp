#include "clickhouse/schema/schema_migration.hpp"

#include <charconv>
#include <utility>

#include <jfrtree/clickhouse_load.hpp>

#include "clickhouse/rows/binary_rows.hpp"
#include "clickhouse/rows/sql_text.hpp"
#include "clickhouse/schema/schema_parts.hpp"

namespace jfrtree::internal {

namespace {

using clickhouse::DatabaseError;
using clickhouse::DatabaseFault;
using clickhouse::Model;

constexpr std::string_view mark = "jfrtree schema ";

class Migration : public SchemaMaker {
 public:
  using SchemaMaker::on_cluster;
  using SchemaMaker::SchemaMaker;

  /// Schema 1 had sums by the minute, which were hardly fewer than the finest rows, and no codecs
  /// for numbers that repeat. The order of rows cannot be changed; that of old tables will do.
  void from_1() {
    for (const char* const view : {"profile_kinds", "profile_loads", "profile_hidden_loads",
                                   "profile_recordings", "profile_services", "profile_labels"}) {
      add("DROP VIEW IF EXISTS " + name(view) + on_cluster());
    }
    add("DROP VIEW IF EXISTS " + local("profile_samples_to_1m") + on_cluster());
    add("DROP TABLE IF EXISTS " + name("profile_samples_1m") + on_cluster());
    if (local("") != name("")) {
      add("DROP TABLE IF EXISTS " + local("profile_samples_1m") + on_cluster());
    }
    for (const char* const table : {"profile_samples_1h", "profile_samples"}) {
      add("ALTER TABLE " + local(table) + on_cluster() +
          " MODIFY COLUMN ts CODEC(Delta, ZSTD(6)), MODIFY COLUMN process CODEC(ZSTD(6)), "
          "MODIFY COLUMN labels CODEC(ZSTD(6)), MODIFY COLUMN load_id CODEC(ZSTD(6))");
    }
  }

  /// With schema 2 a view summed all samples by the hour; now that is the loader's work.
  void from_2() { add("DROP VIEW IF EXISTS " + local("profile_samples_to_1h") + on_cluster()); }

  [[nodiscard]] std::vector<std::string> statements() {
    std::vector<std::string> texts;
    for (SchemaStatement& statement : take()) texts.push_back(std::move(statement.sql));
    return texts;
  }
};

/// Says of all tables of ours that they are of this schema, of the samples last: until then nothing
/// is done.
void set_comments(clickhouse::Database& database, const std::string& samples,
                  const std::string& on_cluster) {
  const std::string comment = std::string(mark) + std::to_string(clickhouse::schema_version);
  BinaryRows names(database,
                   database.query("SELECT name FROM system.tables WHERE database = "
                                  "currentDatabase() AND startsWith(comment, '" +
                                  std::string(mark) + "') AND comment != '" + comment +
                                  "' ORDER BY name = '" + samples + "', name FORMAT RowBinary"));
  while (!names.is_at_end()) {
    (void)database.query("ALTER TABLE " + sql_name(names.text()) + on_cluster +
                         " MODIFY COMMENT '" + comment + "'");
  }
}

}  // namespace

std::optional<unsigned> schema_of_comment(std::string_view comment) noexcept {
  unsigned version = 0;
  if (!comment.starts_with(mark)) return std::nullopt;
  comment.remove_prefix(mark.size());
  const char* const end = comment.data() + comment.size();
  const auto read = std::from_chars(comment.data(), end, version);
  if (read.ec != std::errc{} || read.ptr != end) return std::nullopt;
  return version;
}

void migrate_tables(clickhouse::Database& database, const std::string& table,
                    std::string_view comment, bool may_change,
                    const clickhouse::SchemaOptions& options) {
  const std::optional<unsigned> version = schema_of_comment(comment);
  if (!version || *version == clickhouse::schema_version) return;
  const std::string has = "the table " + table + " has the " + std::string(comment) +
                          ", and this program has " + std::string(mark) +
                          std::to_string(clickhouse::schema_version) + ": ";
  if (*version > clickhouse::schema_version) {
    throw DatabaseError(DatabaseFault::too_old, database.name(),
                        has + "use a newer program, or another database");
  }
  if (*version == 0) {
    throw DatabaseError(DatabaseFault::too_old, database.name(), has + "use another database");
  }
  if (!may_change) {
    throw DatabaseError(DatabaseFault::too_old, database.name(),
                        has + "--create changes the tables");
  }
  Migration migration(options);
  if (options.model == Model::hashed) {
    if (*version < 2) migration.from_1();
    migration.from_2();
  }
  for (const std::string& statement : migration.statements()) (void)database.query(statement);
  clickhouse::create_tables(database, options);
  set_comments(database, table + (options.cluster.empty() ? "" : "_local"), migration.on_cluster());
}

}  // namespace jfrtree::internal
