#include "clickhouse/query/query_text.hpp"

#include <doctest/doctest.h>

#include <string>

#include <jfrtree/clickhouse_query.hpp>

namespace jfrtree::internal {
namespace {

using clickhouse::ProfileQuery;
using clickhouse::TimeMacros;
using clickhouse::tree_sql;
using clickhouse::TreeSqlOptions;

const std::string hostile = "it's \"a\"\\ \t\n`\xF0\x9F\x94\xA5'); DROP TABLE x --";

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("no text of a query stands in a statement that is run") {
  ProfileQuery query;
  query.where = {{"service", hostile}, {hostile, hostile}, {"thread", hostile}};
  QueryText text(query, QueryText::Texts::bound);
  const std::string sql = text.largest_sums(hostile) + text.present("kind");
  CHECK_FALSE(contains(sql, "DROP"));
  CHECK_FALSE(contains(sql, "it's"));
  CHECK(contains(sql, "service IN ({text"));
  CHECK(contains(sql, "labels[{text"));
  for (const auto& [name, value] : text.parameters()) {
    CHECK(value == hostile);
    CHECK(contains(sql, "{" + name + ":String}"));
  }
}

TEST_CASE("a statement for others holds texts as literals") {
  ProfileQuery query;
  query.kinds = {"cpu"};
  query.where = {{"service", hostile}};
  const std::string sql = tree_sql(query);
  CHECK(contains(sql,
                 "service IN ('it\\'s \"a\"\\\\ \\t\\n`\xF0\x9F\x94\xA5\\'); DROP TABLE x "
                 "--')"));
  CHECK_FALSE(contains(sql, "{text"));
}

TEST_CASE("values of one key are alternatives, keys must all fit") {
  ProfileQuery query;
  query.where = {{"a", "1"}, {"b", "2"}, {"a", "3"}, {"service", "x"}, {"service", "y"}};
  QueryText text(query, QueryText::Texts::literal);
  const std::string sql = text.row_conditions({});
  CHECK(contains(sql, " AND service IN ('x', 'y')"));
  CHECK(contains(sql, " AND (labels['a'] = '1' OR labels['a'] = '3') AND (labels['b'] = '2')"));
}

TEST_CASE("sub-queries over a cluster are sent, not run on each shard") {
  ProfileQuery query;
  query.kinds = {"live"};
  for (const std::string& sql : {tree_sql(query)}) {
    std::size_t found = 0;
    for (std::size_t at = sql.find(" IN (SELECT"); at != sql.npos;
         at = sql.find(" IN (SELECT", at + 1)) {
      const std::string before = sql.substr(at < 10 ? 0 : at - 10, 10);
      CHECK((before.ends_with("GLOBAL") || before.ends_with("GLOBAL NOT")));
      ++found;
    }
    CHECK(found >= 3);
  }
}

TEST_CASE("times are numbers, bounded by what a DateTime holds") {
  ProfileQuery query;
  QueryText text(query, QueryText::Texts::bound);
  CHECK(contains(text.row_conditions({Resolution::finest, -5, 20}),
                 "ts >= toDateTime(0, 'UTC') AND ts < toDateTime(20, 'UTC')"));
  const std::string far = text.row_conditions({Resolution::finest, 1LL << 33, 1LL << 34});
  CHECK(contains(far, "AND false"));
  CHECK_FALSE(contains(far, "ts <"));
}

TEST_CASE("threads and snapshots are in the finest rows alone") {
  ProfileQuery query;
  query.kinds = {"cpu"};
  CHECK(contains(tree_sql(query), "FROM profile_samples_1h\n"));
  query.by_thread = true;
  CHECK(contains(tree_sql(query), "FROM profile_samples\n"));
  query.by_thread = false;
  query.where = {{"thread", "main"}};
  CHECK(contains(tree_sql(query), "FROM profile_samples\n"));
  query.where.clear();
  query.kinds = {"live"};
  CHECK(contains(tree_sql(query), "FROM profile_samples\n"));
}

TEST_CASE("macros of Grafana stand for the range") {
  ProfileQuery query;
  query.kinds = {"cpu"};
  TreeSqlOptions options;
  options.macros = TimeMacros::official;
  options.database = "profiles";
  const std::string official = tree_sql(query, options);
  CHECK(contains(official, "ts >= $__fromTime AND ts < $__toTime"));
  CHECK(contains(official, "FROM `profiles`.profile_samples\n"));
  options.macros = TimeMacros::altinity;
  CHECK(contains(tree_sql(query, options), "toFloat64(sumIf(number, lv = depth)) AS self"));
}

TEST_CASE("a statement is for one kind") {
  CHECK_THROWS_AS((void)tree_sql({}), UsageError);
  ProfileQuery query;
  query.kinds = {"cpu", "alloc"};
  CHECK_THROWS_AS((void)tree_sql(query), UsageError);
}

}  // namespace
}  // namespace jfrtree::internal
