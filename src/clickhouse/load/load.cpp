#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <jfrtree/clickhouse_load.hpp>

#include "clickhouse/connection/retries.hpp"
#include "clickhouse/load/loader.hpp"
#include "clickhouse/rows/sample_tables.hpp"
#include "clickhouse/rows/sql_text.hpp"
#include "clickhouse/schema/schema_migration.hpp"
#include "clickhouse/schema/schema_parts.hpp"

namespace jfrtree {

namespace clickhouse {

void create_tables(Database& database, const SchemaOptions& options) {
  for (const std::string& statement : schema_statements(options)) {
    (void)database.query(statement);
  }
}

}  // namespace clickhouse

namespace internal {

namespace {

using namespace clickhouse;

/// The comment of a table, or nothing where there is no such table.
[[nodiscard]] std::optional<std::string> comment_of(Database& database, const std::string& table) {
  std::string rows = database.query(
      "SELECT comment FROM system.tables WHERE database = currentDatabase() AND name = " +
      sql_text(table));
  if (rows.empty()) return std::nullopt;
  rows.pop_back();
  return unescaped(rows);
}

/// Whether all tables and views are there: then nothing needs the right to make them.
[[nodiscard]] bool has_all(Database& database, const SchemaOptions& options) {
  const std::vector<std::string> objects = schema_objects(options);
  std::string names;
  for (const std::string& object : objects) {
    names += (names.empty() ? "" : ", ") + sql_text(object);
  }
  return database.query(
             "SELECT count() FROM system.tables WHERE database = currentDatabase() AND "
             "name IN (" +
             names + ")") == std::to_string(objects.size()) + "\n";
}

/// `create_tables`, whose refusal says who can do it.
void create_missing(Database& database, const SchemaOptions& options) {
  try {
    create_tables(database, options);
  } catch (const DatabaseError& error) {
    if (error.fault() != DatabaseFault::denied) throw;
    throw DatabaseError(DatabaseFault::denied, database.name(),
                        std::string("this user may not make the tables: somebody who may runs what "
                                    "jfrtree clickhouse schema prints (") +
                            error.what() + ")");
  }
}

/// Throws DatabaseError where the server knows no such cluster.
void check_cluster(Database& database, const std::string& cluster) {
  if (cluster.empty()) return;
  std::string names;
  try {
    names = database.query("SELECT DISTINCT cluster FROM system.clusters ORDER BY cluster = " +
                           sql_text(cluster) + " DESC, cluster LIMIT 12");
  } catch (const DatabaseError& error) {
    if (error.fault() != DatabaseFault::denied) throw;
    return;  // statements on the cluster will say it
  }
  std::string known;
  for (const std::string_view name : split(names, '\n')) {
    if (unescaped(name) == cluster) return;
    known += (known.empty() ? "" : ", ") + unescaped(name);
  }
  throw DatabaseError(DatabaseFault::query, database.name(),
                      "knows no cluster " + cluster +
                          (known.empty() ? ", and none at all" : "; there are " + known));
}

void check_tables_once(Database& database, const LoadOptions& options) {
  check_cluster(database, options.cluster);
  const bool is_hashed = options.request.model == Model::hashed;
  const std::string table = is_hashed ? "profile_samples" : "otel_profiles";
  std::string local = table;
  if (!options.cluster.empty()) local += "_local";
  const std::string ledger = is_hashed ? "profile_chunks" : "otel_profile_chunks";
  // Made last: whoever was killed while making the tables left it out.
  const std::string last = is_hashed ? "profile_labels" : ledger;
  const std::optional<std::string> comment = comment_of(database, local);
  const bool has_ledger = comment_of(database, ledger).has_value();
  const bool is_there = comment && has_ledger && comment_of(database, last);
  const SchemaOptions schema{options.request.model, options.cluster, {}, std::nullopt};
  // A folder is changed at once: no other program has it.
  const bool may_change = options.create || database.is_embedded();
  if (comment) migrate_tables(database, table, *comment, may_change, schema);
  // A folder that holds nothing yet, or what we began to make, is ours to fill.
  const bool is_ours = !comment || schema_of_comment(*comment).has_value();
  const bool may_create = options.create || (database.is_embedded() && is_ours);
  if (is_there && (!options.create || has_all(database, schema))) return;
  if (!may_create) {
    throw DatabaseError(DatabaseFault::missing_table, database.name(),
                        "has no table " +
                            (!comment     ? table
                             : has_ledger ? last
                                          : ledger) +
                            ": --create makes the tables, jfrtree clickhouse schema prints them");
  }
  create_missing(database, schema);
}

}  // namespace

void check_tables(clickhouse::Database& database, const clickhouse::LoadOptions& options,
                  const std::atomic<bool>* stop) {
  Retries(database, options, stop).try_often([&] { check_tables_once(database, options); });
}

}  // namespace internal

clickhouse::LoadResult clickhouse::load(Database& database, std::vector<Source> sources,
                                        const LoadOptions& options, const ReadOptions& reading) {
  internal::check_row_request(options.request);
  internal::check_tables(database, options, reading.stop);
  internal::Loader loader(database, options, reading.stop);
  SampleRowResult read =
      read_sample_rows(std::move(sources), options.request.samples, loader, reading);
  loader.finish();
  LoadResult result = loader.take_result();
  result.read = std::move(read);
  return result;
}

}  // namespace jfrtree
