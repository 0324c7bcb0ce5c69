#include <algorithm>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include <jfrtree/clickhouse.hpp>
#include <jfrtree/clickhouse_query.hpp>

#include "clickhouse/query/query_text.hpp"
#include "clickhouse/rows/binary_rows.hpp"

namespace jfrtree::clickhouse {

using internal::BinaryRows;

namespace {

constexpr std::int64_t nanoseconds_per_second = 1'000'000'000;
constexpr std::string_view schema_mark = "jfrtree schema ";

[[nodiscard]] std::int64_t seconds(BinaryRows& rows) {
  return std::int64_t{rows.number<std::uint32_t>()} * nanoseconds_per_second;
}

/// Conditions and the values of their parameters.
class Chosen {
 public:
  explicit Chosen(const CatalogueRequest& request) : request_(request) {
    for (const std::string& service : request.services) {
      const std::string name = "service" + std::to_string(parameters_.size());
      services_ += (services_.empty() ? "{" : ", {") + name + ":String}";
      parameters_.emplace(name, service);
    }
  }

  /// `first` and `last`: expressions of nanoseconds since 1970.
  [[nodiscard]] std::string where(const std::string& service, const std::string& first,
                                  const std::string& last) const {
    std::string sql = " WHERE 1";
    if (!services_.empty()) sql += " AND " + service + " IN (" + services_ + ")";
    const auto& [from, to] = request_.time;
    if (from) sql += " AND " + last + " >= toInt64(" + std::to_string(*from) + ")";
    if (to) sql += " AND " + first + " < toInt64(" + std::to_string(*to) + ")";
    return sql;
  }
  [[nodiscard]] const QueryParameters& parameters() const noexcept { return parameters_; }

 private:
  const CatalogueRequest& request_;
  std::string services_;
  QueryParameters parameters_;
};

/// Of a DateTime.
[[nodiscard]] std::string nanoseconds(const std::string& column) {
  return "toInt64(toUnixTimestamp(" + column + ")) * 1000000000";
}

/// The newest first.
[[nodiscard]] std::vector<StoredRecording> recordings_of(Database& database, const Chosen& chosen,
                                                         std::size_t most) {
  std::string sql =
      "SELECT toString(of_service), of_source, of_host, any(of_producer), of_process, count(), "
      "toUnixTimestamp64Nano(min(begins)), toUnixTimestamp64Nano(max(ends)) AS last, "
      "sum(event_count), sum(sample_count) FROM profile_loads" +
      chosen.where("of_service", "toUnixTimestamp64Nano(begins)", "toUnixTimestamp64Nano(ends)") +
      " AND last_state = 'committed' GROUP BY of_service, of_source, of_host, of_process ORDER BY "
      "last DESC, of_service, of_source, of_process";
  if (most > 0) sql += " LIMIT " + std::to_string(most);
  BinaryRows rows(database, database.query(sql + " FORMAT RowBinary", chosen.parameters()));
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

void list_recordings(Database& database, const Chosen& chosen, std::size_t most,
                     Catalogue& catalogue) {
  // One more tells whether there are more.
  std::vector<StoredRecording> recordings =
      recordings_of(database, chosen, most == 0 ? 0 : most + 1);
  catalogue.has_more_recordings = most > 0 && recordings.size() > most;
  if (catalogue.has_more_recordings) recordings.pop_back();
  std::sort(recordings.begin(), recordings.end(), [](const auto& a, const auto& b) {
    return std::tie(a.service, a.start_ns, a.source, a.process) <
           std::tie(b.service, b.start_ns, b.source, b.process);
  });
  catalogue.recordings = std::move(recordings);
}

[[nodiscard]] std::vector<StoredKind> kinds_of(Database& database, const Chosen& chosen) {
  BinaryRows rows(
      database,
      database.query("SELECT toString(service), toString(kind), min(first), max(last) "
                     "FROM profile_series" +
                         chosen.where("service", nanoseconds("first"), nanoseconds("last")) +
                         " GROUP BY service, kind ORDER BY service, kind FORMAT "
                         "RowBinary",
                     chosen.parameters()));
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

[[nodiscard]] std::vector<StoredLabel> labels_of(Database& database, const Chosen& chosen) {
  BinaryRows rows(
      database,
      database.query("SELECT toString(service), toString(key), value, since, until FROM "
                     "profile_labels" +
                         chosen.where("service", nanoseconds("since"), nanoseconds("until")) +
                         " ORDER BY service, key, value FORMAT RowBinary",
                     chosen.parameters()));
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
                              ": jfrtree clickhouse load --create changes tables of an older one");
    }
  }
  if (found == 2) return;
  throw DatabaseError(DatabaseFault::missing_table, database.name(),
                      std::string("has no table ") +
                          (found == 0 ? "profile_samples" : "profile_samples or profile_chunks") +
                          ": jfrtree clickhouse load fills one, --database names another database");
}

Catalogue query_catalogue(Database& database, const CatalogueRequest& request) {
  check_query_tables(database);
  const Chosen chosen(request);
  Catalogue catalogue;
  if (request.with_recordings) {
    list_recordings(database, chosen, request.most_recordings, catalogue);
  }
  catalogue.kinds = kinds_of(database, chosen);
  catalogue.labels = labels_of(database, chosen);
  return catalogue;
}

}  // namespace jfrtree::clickhouse
