#include "clickhouse/load/ledger.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "clickhouse/rows/sql_text.hpp"

namespace jfrtree::internal {

using clickhouse::Model;

namespace {

constexpr std::int64_t nanoseconds_per_day = 86'400'000'000'000;
/// A load that was started longer ago is taken for abandoned, wherever it was started.
constexpr const char* longest_load = "INTERVAL 1 HOUR";
/// Committed chunks that are remembered, 32 to 64 bytes each.
constexpr std::size_t most_remembered = std::size_t{1} << 20;

[[nodiscard]] std::uint64_t number_of(std::string_view text) {
  std::uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

[[nodiscard]] std::int64_t signed_number_of(std::string_view text) {
  std::int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

[[nodiscard]] std::uint64_t start_key(std::string_view service, std::int64_t start_ns) {
  return hash_bytes(service, mix64(static_cast<std::uint64_t>(start_ns)));
}

[[nodiscard]] std::string time_literal(std::int64_t ns) {
  return "fromUnixTimestamp64Nano(toInt64(" + std::to_string(ns) + "), 'UTC')";
}

/// A time as text that a column takes: an expression costs a hundred times as much as a literal.
[[nodiscard]] std::string time_value(std::int64_t ns) {
  constexpr std::int64_t nanoseconds_per_second = 1'000'000'000;
  constexpr std::int64_t first_of_ten_digits = 1'000'000'000;  // seconds, in 2001
  const std::int64_t seconds = ns / nanoseconds_per_second;
  if (seconds < first_of_ten_digits) return time_literal(ns);
  std::string fraction = std::to_string(ns % nanoseconds_per_second);
  fraction.insert(0, 9 - fraction.size(), '0');
  return "'" + std::to_string(seconds) + "." + fraction + "'";
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
                                    const std::string& notes, const std::string& now) {
  const auto number = [](std::uint64_t value) { return std::to_string(value) + ", "; };
  const auto text = [](const std::string& value) { return sql_text(value) + ", "; };
  return "(" + number(entry.chunk_hash) + number(entry.load_id) +
         number(static_cast<std::uint64_t>(state)) + text(entry.service) + text(entry.source) +
         number(entry.process) + text(entry.host) + text(entry.producer) +
         time_value(entry.start_ns) + ", " + time_value(entry.end_ns) + ", " +
         number(entry.events) + number(entry.samples) + text(notes) + text(entry.problems) + "'" +
         now + "')";
}

}  // namespace

Ledger::Ledger(Retries& database, const clickhouse::LoadOptions& options) : database_(database) {
  const bool is_hashed = options.request.model == Model::hashed;
  table_ = is_hashed ? "profile_chunks" : "otel_profile_chunks";
  time_column_ = is_hashed ? "ts" : "Timestamp";
  load_condition_ = is_hashed ? "load_id" : "toUInt64OrZero(ResourceAttributes['jfrtree.load_id'])";
  sample_tables_ =
      is_hashed ? std::vector<std::string>{"profile_samples", "profile_samples_1h", "profile_bytes"}
                : std::vector<std::string>{"otel_profiles"};
  if (!options.cluster.empty()) {
    for (std::string& table : sample_tables_) table += "_local";
    on_cluster_ = " ON CLUSTER " + sql_name(options.cluster);
    settings_ = " SETTINGS insert_distributed_sync = 1";
  }
}

std::optional<LoadNotes> Ledger::committed(std::uint64_t chunk_hash, const std::string& service,
                                           std::int64_t start_ns) {
  const std::int64_t day = start_ns / nanoseconds_per_day;
  auto known = committed_.find({service, day});
  if (known == committed_.end()) {
    if (committed_count_ >= most_remembered) forget();
    known = committed_.try_emplace({service, day}).first;
    // Chunks beyond the limit are found when their batch is about to be sent.
    const std::string rows = database_.query(
        "SELECT chunk_hash, toUnixTimestamp64Nano(argMax(start, changed)), argMax(notes, changed) "
        "FROM " +
        table_ + " WHERE service = " + sql_text(service) +
        " AND start >= " + time_literal(day * nanoseconds_per_day) + " AND start < " +
        time_literal((day + 1) * nanoseconds_per_day) +
        " GROUP BY chunk_hash, load_id HAVING argMax(state, changed) = 'committed' LIMIT " +
        std::to_string(most_remembered));
    for (const std::string_view row : split(rows, '\n')) {
      const auto cells = split(row, '\t');
      if (cells.size() < 2) continue;
      const LoadNotes notes = load_notes_of(cells.size() > 2 ? cells[2] : std::string_view());
      known->second.insert({number_of(cells[0]), notes});
      if (notes.is_unfinished) partial_.insert(start_key(service, signed_number_of(cells[1])));
    }
    committed_count_ += known->second.size();
  }
  const auto found = known->second.find(chunk_hash);
  return found == known->second.end() ? std::nullopt : std::optional(found->second);
}

bool Ledger::has_partial(const LedgerEntry& entry) const {
  return partial_.count(start_key(entry.service, entry.start_ns)) > 0;
}

void Ledger::forget() {
  committed_.clear();
  partial_.clear();
  committed_count_ = 0;
}

void Ledger::remember(const LedgerEntry& entry) {
  if (committed_count_ >= 2 * most_remembered) forget();
  const auto known = committed_.find({entry.service, entry.start_ns / nanoseconds_per_day});
  if (known == committed_.end()) return;  // it is asked for when it is needed
  if (known->second.insert({entry.chunk_hash, entry.notes}).second) ++committed_count_;
  if (entry.notes.is_unfinished) partial_.insert(start_key(entry.service, entry.start_ns));
}

std::vector<LedgerEntry> Ledger::states_of(std::span<const LedgerEntry> entries) {
  std::string starts;
  for (const LedgerEntry& entry : entries) {
    starts += (starts.empty() ? "" : ", ") + time_literal(entry.start_ns);
  }
  std::vector<LedgerEntry> states;
  if (starts.empty()) return states;
  const std::string rows = database_.query(
      "SELECT chunk_hash, load_id, toUnixTimestamp64Nano(argMax(start, changed)), "
      "argMax(process, changed), argMax(events, changed), argMax(notes, changed), "
      "argMax(service, changed), argMax(source, changed) FROM " +
      table_ + " WHERE start IN (" + starts +
      ") GROUP BY chunk_hash, load_id HAVING argMax(state, changed) = 'committed'");
  for (const std::string_view row : split(rows, '\n')) {
    const auto cells = split(row, '\t');
    if (cells.size() < 7) continue;
    LedgerEntry& state = states.emplace_back();
    state.chunk_hash = number_of(cells[0]);
    state.load_id = number_of(cells[1]);
    state.start_ns = signed_number_of(cells[2]);
    state.process = number_of(cells[3]);
    state.events = number_of(cells[4]);
    state.notes = load_notes_of(cells[5]);
    state.service = unescaped(cells[6]);
    if (cells.size() > 7) state.source = unescaped(cells[7]);
  }
  return states;
}

void Ledger::write(std::span<const LedgerEntry> entries, KnownLoad::State state) {
  if (entries.empty()) return;
  // The server's clock, as the age of a load is asked by it.
  std::string now = database_.query("SELECT toDecimal64(now64(6), 6)");
  now.erase(std::min(now.find('\n'), now.size()));
  std::string sql = "INSERT INTO " + table_ + settings_ + " VALUES ";
  for (const LedgerEntry& entry : entries) {
    if (&entry != entries.data()) sql += ", ";
    // Who loads is of interest only as long as it loads.
    const bool is_started = state == KnownLoad::State::started;
    const std::string notes = is_started ? loader_.name() : to_text(entry.notes);
    sql += values_of(entry, state, notes, now);
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
      table_ + " WHERE chunk_hash IN (" +
      number_list(loads, [](const KnownLoad& load) { return load.chunk_hash; }) +
      ") AND load_id IN (" +
      number_list(loads, [](const KnownLoad& load) { return load.load_id; }) +
      ") GROUP BY chunk_hash, load_id");
}

std::vector<KnownLoad> Ledger::loads_of(std::span<const std::uint64_t> chunk_hashes) {
  std::vector<KnownLoad> loads = read_loads_of(chunk_hashes);
  SeededSet<std::uint64_t> gone;
  for (const KnownLoad& load : loads) {
    if (load.is_abandoned) gone.insert(load.load_id);
  }
  if (gone.empty()) return loads;
  // A loader may have committed between the answer and its end. What it left behind is what the
  // ledger says now that it is gone.
  loads = read_loads_of(chunk_hashes);
  for (KnownLoad& load : loads) {
    load.is_abandoned = load.is_abandoned && gone.count(load.load_id) > 0;
  }
  return loads;
}

std::vector<KnownLoad> Ledger::read_loads_of(std::span<const std::uint64_t> chunk_hashes) {
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
    if (load.state == KnownLoad::State::committed) load.notes = load_notes_of(notes);
    load.is_abandoned =
        load.state == KnownLoad::State::started && is_abandoned(notes, cells[3] == "1");
    loads.push_back(load);
  }
  return loads;
}

bool Ledger::is_abandoned(const std::string& notes, bool is_old) const {
  if (notes == loader_.name()) return false;
  // An embedded database has one process at a time.
  return is_old || database_.database().is_embedded() || is_gone(notes);
}

void Ledger::delete_rows(std::span<const KnownLoad> loads) {
  if (loads.empty() || !may_delete_) return;
  const std::string rows = load_condition_ + " IN (" +
                           number_list(loads, [](const KnownLoad& load) { return load.load_id; }) +
                           ")" + time_of(loads);
  try {
    for (const std::string& table : sample_tables_) delete_rows_of(table, rows);
  } catch (const clickhouse::DatabaseError& error) {
    if (on_cluster_.empty() || error.fault() != clickhouse::DatabaseFault::no_keeper) throw;
    may_delete_ = false;
    database_.tell(
        "rows of replaced loads stay in the tables of the shards, where they do not "
        "count: without a Keeper they cannot be deleted from here");
  }
}

/// The time that nearly all rows of loads are of, a day more at either end, so that the server need
/// not look at months. What began long before its chunk stays: it does not count, says the ledger.
std::string Ledger::time_of(std::span<const KnownLoad> loads) {
  const std::string times = database_.query(
      "SELECT greatest(0, intDiv(toUnixTimestamp64Nano(min(start)), 1000000000) - 86400), "
      "least(4294967295, intDiv(toUnixTimestamp64Nano(max(end)), 1000000000) + 86400) FROM " +
      table_ + " WHERE chunk_hash IN (" +
      number_list(loads, [](const KnownLoad& load) { return load.chunk_hash; }) +
      ") AND load_id IN (" +
      number_list(loads, [](const KnownLoad& load) { return load.load_id; }) + ")");
  const auto cells = split(std::string_view(times).substr(0, times.find('\n')), '\t');
  if (cells.size() != 2) return {};
  return " AND " + time_column_ + " BETWEEN toDateTime(" + std::string(cells[0]) +
         ", 'UTC') AND toDateTime(" + std::string(cells[1]) + ", 'UTC')";
}

void Ledger::delete_rows_of(const std::string& table, const std::string& rows) {
  (void)database_.query("ALTER TABLE " + table + on_cluster_ + " DELETE WHERE " + rows +
                        " SETTINGS mutations_sync = 2");
}

}  // namespace jfrtree::internal
