#include "clickhouse/schema/schema_parts.hpp"

#include "clickhouse/rows/sql_text.hpp"

namespace jfrtree::internal {

namespace {

constexpr const char* ledger_columns =
    "  chunk_hash UInt64,\n"
    "  load_id UInt64,\n"
    "  state Enum8('started' = 1, 'committed' = 2, 'replaced' = 3),\n"
    "  service LowCardinality(String),\n"
    "  source String,\n"
    "  process UInt64,\n"
    "  host String,\n"
    "  producer String,\n"
    "  start DateTime64(9, 'UTC'),\n"
    "  end DateTime64(9, 'UTC'),\n"
    "  events UInt64,\n"
    "  samples UInt64,\n"
    "  notes String,\n"
    "  problems String,\n"
    "  changed DateTime64(6, 'UTC')";

/// The columns of OpenTelemetry's exporter, without the text indexes that need the newest servers.
constexpr const char* otel_table_columns =
    "  Timestamp DateTime64(9) CODEC(Delta, ZSTD(3)),\n"
    "  ProfileId String CODEC(ZSTD(3)),\n"
    "  SampleType LowCardinality(String) CODEC(ZSTD(3)),\n"
    "  SampleUnit LowCardinality(String) CODEC(ZSTD(3)),\n"
    "  ServiceName LowCardinality(String) CODEC(ZSTD(3)),\n"
    "  ResourceAttributes Map(LowCardinality(String), String) CODEC(ZSTD(3)),\n"
    "  ScopeName String CODEC(ZSTD(3)),\n"
    "  ScopeVersion String CODEC(ZSTD(3)),\n"
    "  ProfileAttributes Map(LowCardinality(String), String) CODEC(ZSTD(3)),\n"
    "  SampleAttributes Map(LowCardinality(String), String) CODEC(ZSTD(3)),\n"
    "  StackHash UInt64 CODEC(ZSTD(3)),\n"
    "  Addresses Array(UInt64) CODEC(ZSTD(3)),\n"
    "  FunctionNames Array(LowCardinality(String)) CODEC(ZSTD(3)),\n"
    "  FileNames Array(LowCardinality(String)) CODEC(ZSTD(3)),\n"
    "  LineNumbers Array(Int32) CODEC(ZSTD(3)),\n"
    "  MappingFileNames Array(LowCardinality(String)) CODEC(ZSTD(3)),\n"
    "  Values Array(Int64) CODEC(ZSTD(3)),\n"
    "  TimestampsUnixNano Array(UInt64) CODEC(ZSTD(3)),\n"
    "  DurationNano UInt64 CODEC(ZSTD(3)),\n"
    "  Period Int64 CODEC(ZSTD(3)),\n"
    "  PeriodType LowCardinality(String) CODEC(ZSTD(3)),\n"
    "  PeriodUnit LowCardinality(String) CODEC(ZSTD(3)),\n"
    "  TraceId String CODEC(ZSTD(3)),\n"
    "  SpanId String CODEC(ZSTD(3))";

class OtelSchema : public SchemaMaker {
 public:
  using SchemaMaker::SchemaMaker;

  void run() {
    add_database();
    add_table("otel_profiles", "Profiles as OpenTelemetry's exporter stores them.",
              otel_table_columns, "MergeTree",
              "PARTITION BY toDate(Timestamp)\n"
              "ORDER BY (ServiceName, SampleType, toDateTime(Timestamp))",
              "toDate(Timestamp)", "cityHash64(ServiceName, StackHash)", true);
    add_ledger("otel_profile_chunks");
  }
};

}  // namespace

std::string SchemaMaker::name(const std::string& table) const {
  return options_.database.empty() ? table : sql_name(options_.database) + "." + table;
}

void SchemaMaker::add_database() {
  if (options_.database.empty()) return;
  statements_.push_back(
      {"CREATE DATABASE IF NOT EXISTS " + sql_name(options_.database) + on_cluster()});
}

std::string SchemaMaker::local_object(const std::string& table) const {
  return options_.cluster.empty() ? table : table + "_local";
}

std::string SchemaMaker::local(const std::string& table) const { return name(local_object(table)); }

std::string SchemaMaker::on_cluster() const {
  return options_.cluster.empty() || options_.each_shard
             ? ""
             : " ON CLUSTER " + sql_name(options_.cluster);
}

void SchemaMaker::add_table(const std::string& table, const std::string& comment,
                            const std::string& columns, const std::string& engine,
                            const std::string& keys, const std::string& day,
                            const std::string& sharding_key, bool is_deduplicated) {
  std::string sql = "CREATE TABLE IF NOT EXISTS " + local(table) + on_cluster() + "\n(\n" +
                    columns + "\n)\nENGINE = " + engine + "\n" + keys;
  std::string settings;
  if (options_.retention_days) {
    sql += "\nTTL " + day + " + INTERVAL " + std::to_string(*options_.retention_days) + " DAY";
    settings = "ttl_only_drop_parts = 1";
  }
  if (is_deduplicated) {
    if (!settings.empty()) settings += ", ";
    settings += "non_replicated_deduplication_window = 1000";
  }
  if (!settings.empty()) sql += "\nSETTINGS " + settings;
  sql += "\nCOMMENT 'jfrtree schema " + std::to_string(clickhouse::schema_version) + "'";
  statements_.push_back({std::move(sql), comment, local_object(table)});
  if (options_.cluster.empty()) return;
  const std::string database =
      options_.database.empty() ? "currentDatabase()" : sql_text(options_.database);
  statements_.push_back({"CREATE TABLE IF NOT EXISTS " + name(table) + on_cluster() + " AS " +
                             local(table) + "\nENGINE = Distributed(" + sql_text(options_.cluster) +
                             ", " + database + ", " + sql_text(table + "_local") + ", " +
                             sharding_key + ")",
                         "The same over all shards.", table});
}

void SchemaMaker::add_ledger(const std::string& table) {
  add_table(table, "What was loaded, by chunk: rows of loads that are not committed do not count.",
            ledger_columns, "ReplacingMergeTree(changed)", "ORDER BY (chunk_hash, load_id)",
            "toDate(end)", "chunk_hash");
}

void SchemaMaker::add_view(const std::string& view, const std::string& target,
                           const std::string& query) {
  statements_.push_back({"CREATE MATERIALIZED VIEW IF NOT EXISTS " + local(view) + on_cluster() +
                             " TO " + local(target) + " AS\n" + query,
                         "", local_object(view)});
}

void SchemaMaker::add_query(const std::string& view, const std::string& comment,
                            const std::string& query) {
  statements_.push_back(
      {"CREATE VIEW IF NOT EXISTS " + name(view) + on_cluster() + " AS\n" + query, comment, view});
}

std::vector<SchemaStatement> otel_schema(const clickhouse::SchemaOptions& options) {
  OtelSchema schema(options);
  schema.run();
  return schema.take();
}

}  // namespace jfrtree::internal
