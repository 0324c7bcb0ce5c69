#include "clickhouse/ledger.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "clickhouse/sql_text.hpp"

namespace jfrtree::internal {

using clickhouse::Model;

namespace {

constexpr std::int64_t nanoseconds_per_day = 86'400'000'000'000;
/// A load that was started longer ago is taken for abandoned, wherever it was started.
constexpr const char* longest_load = "INTERVAL 1 HOUR";

[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(text.size(), end + 1));
  }
  return parts;
}

[[nodiscard]] std::uint64_t number_of(std::string_view text) {
  std::uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

[[nodiscard]] std::string time_literal(std::int64_t ns) {
  return "fromUnixTimestamp64Nano(toInt64(" + std::to_string(ns) + "), 'UTC')";
}

template <typename Range, typename Get>
[[nodiscard]] std::string number_list(const Range& range, Get&& get) {
  std::string list;
  for (const auto& item : range) {
    list += (list.empty() ? "" : ", ") + std::to_string(get(item));
  }
  return list;
}

[[nodiscard]] std::string values_of(const LedgerEntry& entry, KnownLoad::State state,
                                    const std::string& notes) {
  const auto number = [](std::uint64_t value) { return std::to_string(value) + ", "; };
  const auto text = [](const std::string& value) { return sql_text(value) + ", "; };
  return "(" + number(entry.chunk_hash) + number(entry.load_id) +
         number(static_cast<std::uint64_t>(state)) + text(entry.service) + text(entry.source) +
         number(entry.process) + text(entry.host) + text(entry.producer) +
         time_literal(entry.start_ns) + ", " + time_literal(entry.end_ns) + ", " +
         number(entry.events) + number(entry.samples) + text(notes) + text(entry.problems) +
         "now64(6))";
}

}  // namespace

Ledger::Ledger(Retries& database, const clickhouse::LoadOptions& options) : database_(database) {
  const bool is_hashed = options.request.model == Model::hashed;
  table_ = is_hashed ? "profile_chunks" : "otel_profile_chunks";
  load_condition_ = is_hashed ? "load_id" : "toUInt64OrZero(ResourceAttributes['jfrtree.load_id'])";
  sample_tables_ = is_hashed ? std::vector<std::string>{"profile_samples", "profile_samples_1m",
                                                        "profile_samples_1h"}
                             : std::vector<std::string>{"otel_profiles"};
  if (!options.cluster.empty()) {
    for (std::string& table : sample_tables_) table += "_local";
    on_cluster_ = " ON CLUSTER " + sql_name(options.cluster);
    settings_ = " SETTINGS insert_distributed_sync = 1";
  }
  loader_ = loader_name();
}

bool Ledger::has_committed(std::uint64_t chunk_hash, const std::string& service,
                           std::int64_t start_ns) {
  const std::int64_t day = start_ns / nanoseconds_per_day;
  const auto [known, is_new] = committed_.try_emplace({service, day});
  if (is_new) {
    const std::string rows = database_.query(
        "SELECT chunk_hash FROM " + table_ + " WHERE service = " + sql_text(service) +
        " AND start >= " + time_literal(day * nanoseconds_per_day) + " AND start < " +
        time_literal((day + 1) * nanoseconds_per_day) +
        " GROUP BY chunk_hash, load_id HAVING argMax(state, changed) = 'committed'");
    for (const std::string_view row : split(rows, '\n')) known->second.insert(number_of(row));
  }
  return known->second.count(chunk_hash) > 0;
}

void Ledger::write(std::span<const LedgerEntry> entries, KnownLoad::State state) {
  if (entries.empty()) return;
  // Who loads is of interest only as long as it loads.
  const std::string notes = state == KnownLoad::State::started ? loader_ : std::string();
  std::string sql = "INSERT INTO " + table_ + settings_ + " VALUES ";
  for (const LedgerEntry& entry : entries) {
    if (&entry != entries.data()) sql += ", ";
    sql += values_of(entry, state, notes);
  }
  (void)database_.query(sql);
}

void Ledger::replace(std::span<const KnownLoad> loads) {
  if (loads.empty()) return;
  // What is known of them stays.
  (void)database_.query(
      "INSERT INTO " + table_ + settings_ +
      " SELECT chunk_hash, load_id, 'replaced', argMax(service, changed), argMax(source, changed), "
      "argMax(process, changed), argMax(host, changed), argMax(producer, changed), argMax(start, "
      "changed), argMax(end, changed), argMax(events, changed), argMax(samples, changed), '', "
      "argMax(problems, changed), now64(6) FROM " +
      table_ + " WHERE load_id IN (" +
      number_list(loads, [](const KnownLoad& load) { return load.load_id; }) +
      ") GROUP BY chunk_hash, load_id");
}

std::vector<KnownLoad> Ledger::loads_of(std::span<const std::uint64_t> chunk_hashes) {
  std::vector<KnownLoad> loads;
  if (chunk_hashes.empty()) return loads;
  const std::string rows = database_.query(
      "SELECT chunk_hash, load_id, toInt8(argMax(state, changed)) AS last, max(changed) < now64(6) "
      "- " +
      std::string(longest_load) + ", argMax(notes, changed) FROM " + table_ +
      " WHERE chunk_hash IN (" +
      number_list(chunk_hashes, [](std::uint64_t hash) { return hash; }) +
      ") GROUP BY chunk_hash, load_id HAVING last != 3 ORDER BY chunk_hash, load_id");
  for (const std::string_view row : split(rows, '\n')) {
    const auto cells = split(row, '\t');
    if (cells.size() < 4) continue;
    KnownLoad load{number_of(cells[0]), number_of(cells[1]),
                   static_cast<KnownLoad::State>(number_of(cells[2]))};
    const std::string notes = cells.size() > 4 ? unescaped(cells[4]) : std::string();
    load.is_abandoned =
        load.state == KnownLoad::State::started && is_abandoned(notes, cells[3] == "1");
    loads.push_back(load);
  }
  return loads;
}

bool Ledger::is_abandoned(const std::string& notes, bool is_old) const {
  if (notes == loader_) return false;
  // An embedded database has one process at a time.
  return is_old || database_.database().is_embedded() || is_gone(notes);
}

void Ledger::delete_rows(std::span<const KnownLoad> loads) {
  if (loads.empty() || !may_delete_) return;
  const std::string ids = number_list(loads, [](const KnownLoad& load) { return load.load_id; });
  try {
    for (const std::string& table : sample_tables_) delete_rows_of(table, ids);
  } catch (const clickhouse::DatabaseError& error) {
    if (on_cluster_.empty() || error.fault() != clickhouse::DatabaseFault::no_keeper) throw;
    may_delete_ = false;
    database_.tell(
        "rows of replaced loads stay in the tables of the shards, where they do not "
        "count: without a Keeper they cannot be deleted from here");
  }
}

void Ledger::delete_rows_of(const std::string& table, const std::string& ids) {
  (void)database_.query("ALTER TABLE " + table + on_cluster_ + " DELETE WHERE " + load_condition_ +
                        " IN (" + ids + ") SETTINGS mutations_sync = 2");
}

}  // namespace jfrtree::internal
