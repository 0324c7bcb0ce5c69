#include "clickhouse/query/query_text.hpp"

#include <algorithm>
#include <limits>
#include <map>

#include "clickhouse/rows/sql_text.hpp"
#include "clickhouse/schema/schema_parts.hpp"
#include "profile/kinds.hpp"

namespace jfrtree::internal {

using clickhouse::TimeMacros;

namespace {

/// The last second that a DateTime holds.
constexpr std::int64_t last_second = std::numeric_limits<std::uint32_t>::max();

[[nodiscard]] std::string time_text(std::int64_t seconds) {
  return "toDateTime(" + std::to_string(std::clamp<std::int64_t>(seconds, 0, last_second)) +
         ", 'UTC')";
}

[[nodiscard]] std::string kind_condition(bool is_snapshot) {
  std::string list;
  for (const ProfileKindDescription& kind : profile_kinds()) {
    if (kind.is_snapshot) list += (list.empty() ? "'" : ", '") + std::string(kind.name) + "'";
  }
  return std::string("kind ") + (is_snapshot ? "IN (" : "NOT IN (") + list + ")";
}

}  // namespace

bool is_snapshot_kind(std::string_view kind) noexcept {
  const KindRow* const row = find_kind(kind);
  return row != nullptr && row->description.is_snapshot;
}

bool has_bytes(std::string_view kind) noexcept {
  const KindRow* const row = find_kind(kind);
  return row != nullptr && !row->third.name.empty();
}

std::string QueryText::text(std::string_view value) {
  if (texts_ == Texts::literal) return sql_text(value);
  const std::string name = "text" + std::to_string(parameters_.size());
  parameters_.emplace(name, value);
  return "{" + name + ":String}";
}

std::string QueryText::table(std::string_view name) const {
  return (options_.database.empty() ? "" : sql_name(options_.database) + ".") + std::string(name);
}

bool QueryText::is_by_thread() const noexcept {
  return query_.by_thread || std::any_of(query_.where.begin(), query_.where.end(),
                                         [](const auto& where) { return where.first == "thread"; });
}

std::vector<RangePart> QueryText::parts(bool is_snapshot) const {
  // What Grafana will put in is not known to be whole minutes.
  const bool has_macros = options_.macros != TimeMacros::none;
  return range_parts(has_macros ? TimeRange{} : query_.time,
                     is_snapshot || has_macros || is_by_thread());
}

std::string QueryText::time_conditions(const RangePart& part) const {
  switch (options_.macros) {
    case TimeMacros::official:
      return " AND ts >= $__fromTime AND ts < $__toTime";
    case TimeMacros::altinity:
      return " AND ts >= toDateTime($from) AND ts < toDateTime($to)";
    default:
      break;
  }
  std::string sql;
  if (part.from) sql += " AND ts >= " + time_text(*part.from);
  if (part.from && *part.from > last_second) sql += " AND false";
  if (part.to && *part.to <= last_second) sql += " AND ts < " + time_text(*part.to);
  return sql;
}

std::string QueryText::service_condition() {
  std::string list;
  for (const auto& [key, value] : query_.where) {
    if (key == "service") list += (list.empty() ? "" : ", ") + text(value);
  }
  return list.empty() ? "" : " AND service IN (" + list + ")";
}

std::string QueryText::where_conditions() {
  std::map<std::string_view, std::string> by_key;
  for (const auto& [key, value] : query_.where) {
    if (key == "service") continue;
    std::string& alternatives = by_key[key];
    if (!alternatives.empty()) alternatives += " OR ";
    alternatives += (key == "thread" ? "thread" : "labels[" + text(key) + "]") + " = ";
    alternatives += text(value);
  }
  std::string sql = service_condition();
  for (const auto& [key, alternatives] : by_key) sql += " AND (" + alternatives + ")";
  return sql;
}

std::string QueryText::row_conditions(const RangePart& part) {
  return time_conditions(part) + where_conditions() +
         " AND load_id GLOBAL NOT IN (SELECT load_id FROM " + table("profile_hidden_loads") + ")";
}

/// The newest chunk of each process. Rows that belong to no load have their bucket for a chunk.
std::string QueryText::newest_snapshots(const std::string& conditions) const {
  const std::string moment = "if(load_id = 0, toUnixTimestamp(ts), 0)";
  const std::string rows = " FROM " + table("profile_samples") + " WHERE " + conditions;
  return " AND (process, load_id, " + moment +
         ") GLOBAL IN (SELECT process, argMax(seen_load, age), argMax(seen_moment, age) FROM "
         "(SELECT process, seen_load, seen_moment, (begins, seen_moment, seen_load) AS age FROM "
         "(SELECT process, load_id AS seen_load, " +
         moment + " AS seen_moment" + rows +
         " GROUP BY process, seen_load, seen_moment) AS seen LEFT JOIN (SELECT load_id, any(start) "
         "AS begins FROM " +
         table("profile_chunks") + " WHERE load_id GLOBAL IN (SELECT load_id" + rows +
         ") GROUP BY load_id) AS loads ON seen_load = load_id) GROUP BY process)";
}

std::string QueryText::part_sums(const RangePart& part, std::string_view kind, bool is_snapshot) {
  std::string conditions = "kind = " + text(kind) + row_conditions(part);
  if (is_snapshot) conditions += newest_snapshots(conditions);
  return "SELECT " + thread_column() +
         " AS thread_name, stack_hash AS hash, sum(count) AS samples, sum(value) AS amount\n    "
         "FROM " +
         table(table_of(part.resolution)) + "\n    WHERE " + conditions +
         "\n    GROUP BY thread_name, hash";
}

std::string QueryText::thread_column() const {
  return query_.by_thread ? "toString(thread)" : "''";
}

/// There are so few of them that they lie in one table, of the finest buckets.
std::string QueryText::bytes_sums(std::string_view kind) {
  const bool has_macros = options_.macros != TimeMacros::none;
  const RangePart whole = range_parts(has_macros ? TimeRange{} : query_.time, true).front();
  return "SELECT " + thread_column() +
         " AS thread_name, stack_hash AS hash, sum(bytes) AS sum_of_bytes FROM " +
         table("profile_bytes") + " WHERE kind = " + text(kind) + row_conditions(whole) +
         " GROUP BY thread_name, hash";
}

std::string QueryText::sums(std::string_view kind, Bytes bytes) {
  const bool is_snapshot = is_snapshot_kind(kind);
  std::string sql;
  const std::vector<RangePart> all = parts(is_snapshot);
  for (const RangePart& part : all) {
    if (!sql.empty()) sql += "\n    UNION ALL\n    ";
    sql += part_sums(part, kind, is_snapshot);
  }
  if (bytes == Bytes::with) {
    return "SELECT thread_name, hash, sum(part_samples) AS samples, sum(part_amount) AS amount, "
           "sum(part_bytes) AS bytes FROM\n    (SELECT thread_name, hash, samples AS part_samples, "
           "amount AS part_amount, toUInt64(0) AS part_bytes FROM (" +
           sql + ")\n    UNION ALL SELECT thread_name, hash, 0, 0, sum_of_bytes FROM (" +
           bytes_sums(kind) + "))\n    GROUP BY thread_name, hash";
  }
  if (all.size() == 1) return sql;
  return "SELECT thread_name, hash, sum(part_samples) AS samples, sum(part_amount) AS amount FROM\n"
         "    (SELECT thread_name, hash, samples AS part_samples, amount AS part_amount FROM (" +
         sql + "))\n    GROUP BY thread_name, hash";
}

std::string QueryText::present(const std::string& column) {
  std::string sql;
  for (const bool is_snapshot : {false, true}) {
    for (const RangePart& part : parts(is_snapshot)) {
      sql += sql.empty() ? "" : " UNION ALL ";
      sql += "SELECT DISTINCT " + column + " AS present FROM " + table(table_of(part.resolution)) +
             " WHERE " + kind_condition(is_snapshot) + row_conditions(part);
    }
  }
  return "SELECT DISTINCT present FROM (" + sql + ")";
}

bool QueryText::has_more_than_service() const noexcept {
  return std::any_of(query_.where.begin(), query_.where.end(),
                     [](const auto& where) { return where.first != "service"; });
}

std::string QueryText::recorded_time() {
  const auto& [from, to] = query_.time;
  const auto number = [](std::int64_t ns) { return "toInt64(" + std::to_string(ns) + ")"; };
  const auto time = [&](std::int64_t ns) {
    return "fromUnixTimestamp64Nano(" + number(ns) + ", 'UTC')";
  };
  std::string begins = "toUnixTimestamp64Nano(start)";
  std::string ends = "toUnixTimestamp64Nano(end)";
  std::string conditions = "load_id GLOBAL NOT IN (SELECT load_id FROM " +
                           table("profile_hidden_loads") + ")" + service_condition();
  if (from) {
    begins = "greatest(" + begins + ", " + number(*from) + ")";
    conditions += " AND end > " + time(*from);
  }
  if (to) {
    ends = "least(" + ends + ", " + number(*to) + ")";
    conditions += " AND start < " + time(*to);
  }
  // The ledger knows no labels: only loads that have such rows.
  if (has_more_than_service()) {
    conditions += " AND load_id GLOBAL IN (" + present("load_id") + ")";
  }
  // What lies behind all intervals that begin earlier is new.
  return "SELECT count() AS loads, min(begins), max(ends), sum(greatest(0, ends - "
         "greatest(begins, ifNull(before, begins)))) AS covered, max(is_from_jdk)\n"
         "FROM (SELECT begins, ends, is_from_jdk, maxOrNull(ends) OVER (ORDER BY begins, ends ROWS "
         "BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before\n  FROM (SELECT " +
         begins + " AS begins, " + ends +
         " AS ends, toUInt8(producer NOT LIKE 'async-profiler%') AS is_from_jdk FROM " +
         table("profile_chunks") + "\n    WHERE " + conditions + "))";
}

bool QueryText::by_count(std::string_view kind) const noexcept {
  if (query_.by_count) return *query_.by_count;
  const KindRow* const row = find_kind(kind);
  return row == nullptr || value_may_be_unknown(*row);
}

std::string QueryText::largest_sums(std::string_view kind, Bytes bytes) {
  const bool has_bytes = bytes == Bytes::with;
  const std::string most = std::to_string(query_.max_stacks);
  return "SELECT toUInt8(place > " + most + ") AS is_other, if(place > " + most +
         ", '', each_thread) AS thread_name, if(place > " + most +
         ", 0, each_hash) AS hash,\n"
         "    sum(each_samples) AS samples, sum(each_amount) AS amount, count() AS stacks" +
         (has_bytes ? ", sum(each_bytes) AS bytes" : "") +
         "\n"
         "  FROM (SELECT thread_name AS each_thread, hash AS each_hash, samples AS each_samples, "
         "amount AS each_amount," +
         (has_bytes ? " bytes AS each_bytes," : "") +
         "\n"
         "      row_number() OVER (ORDER BY " +
         std::string(by_count(kind) ? "samples DESC, amount" : "amount DESC, samples") +
         " DESC, hash, thread_name) AS "
         "place\n"
         "    FROM (" +
         sums(kind, bytes) + "))\n  GROUP BY is_other, thread_name, hash";
}

}  // namespace jfrtree::internal
