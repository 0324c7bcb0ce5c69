#include <string>
#include <utility>

#include <jfrtree/clickhouse.hpp>

#include "clickhouse/rows/sample_tables.hpp"
#include "clickhouse/rows/sql_text.hpp"
#include "clickhouse/schema/schema_parts.hpp"

namespace jfrtree {

namespace internal {

namespace {

/// What rows of sums have in common: all but their numbers.
constexpr const char* key_columns =
    "  service LowCardinality(String),\n"
    "  kind LowCardinality(String),\n"
    "  ts DateTime('UTC') CODEC(Delta, ZSTD(6)),\n"
    "  stack_hash UInt64 CODEC(ZSTD(1)),\n"
    "  process UInt64 CODEC(ZSTD(6)),\n"
    "  thread LowCardinality(String),\n"
    "  labels Map(LowCardinality(String), LowCardinality(String)) CODEC(ZSTD(6)),\n"
    "  load_id UInt64 CODEC(ZSTD(6)),\n";

constexpr const char* sample_numbers =
    "  count UInt64 CODEC(T64, ZSTD(1)),\n"
    "  value UInt64 CODEC(T64, ZSTD(1))";

/// The third number, which few kinds have and few samples of these are.
constexpr const char* bytes_number = "  bytes UInt64 CODEC(T64, ZSTD(1))";

constexpr const char* stack_columns =
    "  service LowCardinality(String),\n"
    "  stack_hash UInt64,\n"
    "  frames Array(LowCardinality(String)) CODEC(ZSTD(1)),\n"
    "  last_seen Date";

constexpr const char* series_columns =
    "  service LowCardinality(String),\n"
    "  kind LowCardinality(String),\n"
    "  labels Map(LowCardinality(String), LowCardinality(String)),\n"
    "  first SimpleAggregateFunction(min, DateTime('UTC')),\n"
    "  last SimpleAggregateFunction(max, DateTime('UTC'))";

[[nodiscard]] std::string snapshot_kinds() {
  std::string list;
  for (const ProfileKindDescription& kind : profile_kinds()) {
    if (!kind.is_snapshot) continue;
    if (!list.empty()) list += ", ";
    append_sql_text(list, kind.name);
  }
  return list;
}

/// The kinds as rows of constants.
[[nodiscard]] std::string kind_rows_text() {
  std::string rows;
  for (const KindRow& kind : kind_rows()) {
    if (!rows.empty()) rows += ",\n";
    rows += "  (" + sql_text(kind.description.name) + ", " + sql_text(kind.value.unit) +
            (kind.description.is_snapshot ? ", 1" : ", 0") +
            (value_may_be_unknown(kind) ? ", 1)" : ", 0)");
  }
  return rows;
}

class HashedSchema : public SchemaMaker {
 public:
  using SchemaMaker::SchemaMaker;

  void run() {
    add_database();
    add_table("profile_stacks", "Stacks, each once per service and month.", stack_columns,
              "ReplacingMergeTree(last_seen)",
              "PARTITION BY toYYYYMM(last_seen)\nORDER BY (service, stack_hash)", "last_seen",
              "stack_hash");
    add_samples("profile_samples", "Sums per bucket of time, kind, stack and labels.",
                "toStartOfHour(ts), ");
    add_samples("profile_samples_1h",
                "The same by the hour, without processes and threads: by load, else by the view.",
                "");
    add_rollup("profile_samples_to_1h", "profile_samples_1h", "toStartOfHour(ts)");
    add_sums("profile_bytes", "The bytes of kinds that have them beside a value (io).",
             bytes_number, "bytes", "toStartOfHour(ts), ");
    add_ledger("profile_chunks");
    add_table("profile_series", "Which series there are, and from when to when.", series_columns,
              "AggregatingMergeTree", "ORDER BY (service, kind, labels)", "toDate(last)",
              "cityHash64(service)");
    add_view("profile_samples_to_series", "profile_series",
             "SELECT service, kind, labels, min(ts) AS first, max(ts) AS last\nFROM " +
                 local("profile_samples") + "\nGROUP BY service, kind, labels");
    add_catalogue();
  }

 private:
  /// `time` is what comes before stacks in the order of rows.
  void add_samples(const std::string& name, const std::string& comment, const std::string& time) {
    add_sums(name, comment, sample_numbers, "(count, value)", time);
  }

  void add_sums(const std::string& name, const std::string& comment, const std::string& numbers,
                const std::string& number_names, const std::string& time) {
    add_table(name, comment, key_columns + numbers, "SummingMergeTree(" + number_names + ")",
              "PARTITION BY toDate(ts)\nORDER BY (service, kind, " + time +
                  "stack_hash, process, thread, labels, load_id, ts)",
              "toDate(ts)", "cityHash64(service, stack_hash)", true);
  }

  /// For rows that did not come with their sums: the loader makes these of each chunk for half of
  /// what a view costs. A state at a moment is not summed over time: such kinds have no sums by
  /// minute or hour.
  void add_rollup(const std::string& name, const std::string& target, const std::string& time) {
    add_view(name, target,
             "SELECT service, kind, " + time +
                 " AS ts, stack_hash, toUInt64(0) AS process, '' AS thread, labels, load_id, "
                 "count, value\nFROM " +
                 local("profile_samples") + "\nWHERE kind NOT IN (" + snapshot_kinds() +
                 ") AND load_id < " + std::to_string(first_load_with_hours));
  }

  void add_catalogue() {
    // Sums by the minute are hardly fewer than the finest rows: they are not worth a table.
    add_query("profile_samples_1m", "The same by the minute, a view of the finest rows.",
              "SELECT service, kind, minute AS ts, stack_hash, toUInt64(0) AS process, "
              "CAST('', 'LowCardinality(String)') AS thread, labels, load_id, samples AS count, "
              "amount AS value\nFROM (SELECT service, kind, toStartOfMinute(ts) AS minute, "
              "stack_hash, labels, load_id, sum(count) AS samples, sum(value) AS amount\n  FROM " +
                  name("profile_samples") + "\n  WHERE kind NOT IN (" + snapshot_kinds() +
                  ")\n  GROUP BY service, kind, minute, stack_hash, labels, load_id)");
    add_query("profile_kinds", "Kinds, the units of their values, and which are snapshots.",
              "SELECT tupleElement(row, 1) AS kind, tupleElement(row, 2) AS unit, "
              "toUInt8(tupleElement(row, 3)) AS is_snapshot, toUInt8(tupleElement(row, 4)) AS "
              "value_may_be_unknown\nFROM (SELECT arrayJoin([\n" +
                  kind_rows_text() + "]) AS row)");
    add_query("profile_loads", "What became of each load of each chunk.",
              "SELECT chunk_hash, load_id, state AS last_state, service AS of_service,\n"
              "  source AS of_source, process AS of_process, host AS of_host, producer AS "
              "of_producer,\n"
              "  start AS begins, end AS ends, events AS event_count, samples AS sample_count\n"
              "FROM " +
                  name("profile_chunks") + " FINAL");
    // Of millions of loads nearly all are committed: the newest state is asked of the others alone.
    add_query("profile_hidden_loads",
              "Loads that are not complete: queries leave out their rows by load_id.",
              "SELECT load_id\nFROM " + name("profile_chunks") +
                  "\nWHERE (chunk_hash, load_id) GLOBAL IN (SELECT chunk_hash, load_id FROM " +
                  name("profile_chunks") +
                  " WHERE state != 'committed')\n"
                  "GROUP BY chunk_hash, load_id\nHAVING argMax(state, changed) != 'committed'");
    add_query("profile_recordings", "Recordings that are stored, by input and process.",
              "SELECT of_service AS service, of_source AS source, of_host AS host, of_process AS "
              "process, any(of_producer) AS producer, count() AS chunks,\n"
              "  min(begins) AS start, max(ends) AS end, sum(event_count) AS events, "
              "sum(sample_count) AS samples\nFROM " +
                  name("profile_loads") +
                  "\nWHERE last_state = 'committed'\nGROUP BY service, source, host, process");
    add_query("profile_services", "Services, with the kinds and times that are stored of each.",
              "SELECT service, groupUniqArray(kind) AS kinds, min(first) AS since, max(last) AS "
              "until\nFROM " +
                  name("profile_series") + "\nGROUP BY service");
    add_query("profile_labels", "Labels and their values by service.",
              "SELECT service, label.1 AS key, label.2 AS value, min(first) AS since, max(last) AS "
              "until\nFROM " +
                  name("profile_series") +
                  "\nARRAY JOIN CAST(labels, 'Array(Tuple(String, String))') AS label\n"
                  "GROUP BY service, key, value");
  }
};

}  // namespace

bool value_may_be_unknown(const KindRow& kind) noexcept {
  // The time of a sample is that of the sampling period, which a recording need not tell; the size
  // of old objects is younger than the event.
  if (kind.description.is_snapshot) return true;
  for (const EventRule& rule : event_rules()) {
    const bool has_period =
        rule.value == ValueRule::period || rule.value == ValueRule::field_or_period;
    const bool is_of_kind =
        rule.kind == kind.description.name ||
        (rule.period == PeriodRule::execution_sample && kind.description.name == "wall");
    if (has_period && is_of_kind) return true;
  }
  return false;
}

std::vector<SchemaStatement> hashed_schema(const clickhouse::SchemaOptions& options) {
  HashedSchema schema(options);
  schema.run();
  return schema.take();
}

std::vector<SchemaStatement> schema_of_model(const clickhouse::SchemaOptions& options) {
  return options.model == clickhouse::Model::hashed ? hashed_schema(options) : otel_schema(options);
}

std::vector<std::string> schema_objects(const clickhouse::SchemaOptions& options) {
  std::vector<std::string> objects;
  for (SchemaStatement& statement : schema_of_model(options)) {
    if (!statement.object.empty()) objects.push_back(std::move(statement.object));
  }
  return objects;
}

}  // namespace internal

namespace clickhouse {

namespace {

[[nodiscard]] std::vector<internal::SchemaStatement> statements_of(const SchemaOptions& options) {
  if (options.retention_days == 0U) throw UsageError("a retention of 0 days would keep nothing");
  if (options.each_shard && options.cluster.empty()) {
    throw UsageError("statements for each shard are those of a cluster");
  }
  return internal::schema_of_model(options);
}

}  // namespace

std::vector<std::string> schema_statements(const SchemaOptions& options) {
  std::vector<std::string> statements;
  for (internal::SchemaStatement& statement : statements_of(options)) {
    statements.push_back(std::move(statement.sql));
  }
  return statements;
}

std::string schema_text(const SchemaOptions& options) {
  std::string text = "-- Tables for profiles of Java Flight Recorder recordings, jfrtree schema " +
                     std::to_string(schema_version) +
                     ".\n-- ClickHouse 24.8 or newer. All statements can be run again.\n";
  for (const internal::SchemaStatement& statement : statements_of(options)) {
    text += "\n";
    if (!statement.comment.empty()) text += "-- " + statement.comment + "\n";
    text += statement.sql + ";\n";
  }
  return text;
}

}  // namespace clickhouse

}  // namespace jfrtree
