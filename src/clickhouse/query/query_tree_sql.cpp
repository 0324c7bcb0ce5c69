#include <charconv>
#include <string>

#include <jfrtree/clickhouse_query.hpp>

#include "clickhouse/query/query_text.hpp"

namespace jfrtree::clickhouse {

using internal::QueryText;

namespace {

/// A number as SQL takes it, whatever the locale.
[[nodiscard]] std::string decimal(double number) {
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
  return std::string(digits, end);
}

/// The sums of the largest stacks, with the frames of each.
[[nodiscard]] std::string stacks_sql(QueryText& text, const ProfileQuery& query) {
  const std::string hashes = "(SELECT hash FROM kept)";
  const std::string first_frames =
      query.by_thread
          ? "arrayConcat([multiIf(is_other, '[all other threads]', thread_name = '', '[unknown "
            "thread]', concat('[', thread_name, ']'))], "
          : std::string();
  return "kept AS (\n  " + text.largest_sums(query.kinds.front()) + "\n),\nstacks AS (\n  SELECT " +
         (text.by_count(query.kinds.front()) ? "samples" : "amount") + " AS number, " +
         first_frames +
         "multiIf(is_other, ['(other)'], found = 0, ['[stack is not stored]'], empty(texts), "
         "['[no stack]'], texts)" +
         (query.by_thread ? ")" : "") +
         " AS st\n  FROM kept LEFT JOIN (\n    SELECT stack_hash, any(1) AS found, "
         "any(CAST(frames, 'Array(String)')) AS texts FROM " +
         text.table("profile_stacks") + "\n    WHERE stack_hash GLOBAL IN " + hashes +
         text.service_condition() +
         " GROUP BY stack_hash) AS stored ON kept.hash = stored.stack_hash\n"
         "  WHERE number > 0\n"
         // There is a root in any case: the panel cannot draw nothing.
         "  UNION ALL SELECT toUInt64(0) AS number, CAST([], 'Array(String)') AS st\n)";
}

}  // namespace

std::string tree_sql(const ProfileQuery& query, const TreeSqlOptions& options) {
  if (query.kinds.size() != 1) throw UsageError("the statement is for one kind");
  if (query.max_stacks == 0) throw UsageError("at least one stack must be kept");
  QueryText text(query, QueryText::Texts::literal, options);
  // The Altinity plugin takes texts for numbers where 64 bits are quoted.
  const std::string number = options.macros == TimeMacros::altinity ? "toFloat64" : "toUInt64";
  std::string sql =
      "WITH " + stacks_sql(text, query) +
      ",\n"
      // A box is known by the sum of the hashes of its frames with their places.
      "hashed AS (\n  SELECT number, st, toUInt32(length(st)) AS depth, arrayPushFront(st, "
      "'total') "
      "AS names,\n    arrayPushFront(arrayCumSum(arrayMap((f, i) -> cityHash64(f, i), st, "
      "arrayEnumerate(st))), toUInt64(0)) AS ids\n  FROM stacks\n),\n"
      // Boxes come in the order of the first stack that goes through them.
      "ranked AS (\n  SELECT number, depth, names, ids, row_number() OVER (ORDER BY st) AS place\n"
      "  FROM hashed\n),\n"
      "boxes AS (\n  SELECT number, depth, place, name, id, toUInt32(at - 1) AS lv\n  FROM ranked "
      "ARRAY JOIN names AS name, ids AS id, arrayEnumerate(ids) AS at\n)\n"
      "SELECT any(lv) AS level, " +
      number + "(sum(number)) AS value, " + number +
      "(sumIf(number, lv = depth)) AS self, any(name) AS label\nFROM boxes\nGROUP BY id\n";
  if (options.min_width > 0) {
    sql = "SELECT level, value, self, label FROM (\n" + sql + ") AS tree ";
    sql.insert(sql.find("any(name) AS label"),
               "min(place) AS first, max(sum(number)) OVER () AS total, ");
    sql +=
        "WHERE value >= total * " + decimal(options.min_width / 100) + "\nORDER BY first, level\n";
  } else {
    sql += "ORDER BY min(place), level\n";
  }
  if (options.settings) return sql + "SETTINGS max_block_size = 1024";
  sql.pop_back();
  return sql;
}

}  // namespace jfrtree::clickhouse
