#include <string_view>

#include <jfrtree/clickhouse.hpp>
#include <jfrtree/clickhouse_query.hpp>

#include "clickhouse/query_rows.hpp"
#include "clickhouse/query_text.hpp"

namespace jfrtree::clickhouse {

using internal::BinaryRows;

namespace {

constexpr std::int64_t nanoseconds_per_second = 1'000'000'000;
constexpr std::string_view schema_mark = "jfrtree schema ";

[[nodiscard]] std::int64_t seconds(BinaryRows& rows) {
  return std::int64_t{rows.number<std::uint32_t>()} * nanoseconds_per_second;
}

[[nodiscard]] std::vector<StoredRecording> recordings_of(Database& database) {
  BinaryRows rows(database,
                  database.query("SELECT toString(service), source, host, producer, process, "
                                 "chunks, toUnixTimestamp64Nano(start) AS begins, "
                                 "toUnixTimestamp64Nano(end), events, samples FROM "
                                 "profile_recordings ORDER BY service, begins, source, process "
                                 "FORMAT RowBinary"));
  std::vector<StoredRecording> recordings;
  while (!rows.is_at_end()) {
    StoredRecording& recording = recordings.emplace_back();
    recording.service = rows.text();
    recording.source = rows.text();
    recording.host = rows.text();
    recording.producer = rows.text();
    recording.process = rows.number<std::uint64_t>();
    recording.chunks = rows.number<std::uint64_t>();
    recording.start_ns = rows.number<std::int64_t>();
    recording.end_ns = rows.number<std::int64_t>();
    recording.events = rows.number<std::uint64_t>();
    recording.samples = rows.number<std::uint64_t>();
  }
  return recordings;
}

[[nodiscard]] std::vector<StoredKind> kinds_of(Database& database) {
  BinaryRows rows(database, database.query("SELECT toString(service), toString(kind), min(first), "
                                           "max(last) FROM profile_series GROUP BY service, kind "
                                           "ORDER BY service, kind FORMAT RowBinary"));
  std::vector<StoredKind> kinds;
  while (!rows.is_at_end()) {
    StoredKind& kind = kinds.emplace_back();
    kind.service = rows.text();
    kind.kind = rows.text();
    kind.is_snapshot = internal::is_snapshot_kind(kind.kind);
    kind.first_ns = seconds(rows);
    kind.last_ns = seconds(rows);
  }
  return kinds;
}

[[nodiscard]] std::vector<StoredLabel> labels_of(Database& database) {
  BinaryRows rows(database, database.query("SELECT toString(service), toString(key), value, since, "
                                           "until FROM profile_labels ORDER BY service, key, value "
                                           "FORMAT RowBinary"));
  std::vector<StoredLabel> labels;
  while (!rows.is_at_end()) {
    StoredLabel& label = labels.emplace_back();
    label.service = rows.text();
    label.key = rows.text();
    label.value = rows.text();
    label.first_ns = seconds(rows);
    label.last_ns = seconds(rows);
  }
  return labels;
}

}  // namespace

void check_query_tables(Database& database) {
  // A Distributed table has no comment of its own: its local one does.
  BinaryRows rows(database, database.query("SELECT name, comment FROM system.tables WHERE database "
                                           "= currentDatabase() AND name IN ('profile_samples', "
                                           "'profile_samples_local', 'profile_chunks') FORMAT "
                                           "RowBinary"));
  const std::string wanted = std::string(schema_mark) + std::to_string(schema_version);
  std::size_t found = 0;
  while (!rows.is_at_end()) {
    const std::string_view name = rows.text();
    const std::string_view comment = rows.text();
    if (name != "profile_samples_local") ++found;
    if (comment.starts_with(schema_mark) && comment != wanted) {
      throw DatabaseError(DatabaseFault::too_old, database.name(),
                          "the table " + std::string(name) + " has the " + std::string(comment) +
                              ", and this program has " + wanted +
                              ": query it with the program that made it, or load anew");
    }
  }
  if (found == 2) return;
  throw DatabaseError(DatabaseFault::missing_table, database.name(),
                      std::string("has no table ") +
                          (found == 0 ? "profile_samples" : "profile_samples or profile_chunks") +
                          ": jfrtree clickhouse load fills one, --database names another database");
}

Catalogue query_catalogue(Database& database) {
  check_query_tables(database);
  return {recordings_of(database), kinds_of(database), labels_of(database)};
}

}  // namespace jfrtree::clickhouse
