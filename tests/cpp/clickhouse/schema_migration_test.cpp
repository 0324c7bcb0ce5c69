#include "clickhouse/schema/schema_migration.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "clickhouse/rows/binary_bytes.hpp"

namespace jfrtree::internal {
namespace {

using clickhouse::DatabaseError;

const std::string newest = "jfrtree schema " + std::to_string(clickhouse::schema_version);

class KeptStatements final : public clickhouse::Database {
 public:
  std::string query(std::string_view sql) override {
    statements.emplace_back(sql);
    std::string rows;
    if (sql.find("system.tables") == sql.npos) return rows;
    for (const char* const table : {"profile_stacks", "profile_samples"}) append_text(rows, table);
    return rows;
  }
  std::string query(std::string_view sql, const clickhouse::QueryParameters&) override {
    return query(sql);
  }
  void insert(std::string_view, std::string_view) override {}
  const std::string& name() const noexcept override { return name_; }
  bool is_embedded() const noexcept override { return false; }

  [[nodiscard]] std::size_t place_of(std::string_view text) const {
    const auto found = std::find_if(
        statements.begin(), statements.end(),
        [text](const std::string& sql) { return sql.find(text) != std::string::npos; });
    return static_cast<std::size_t>(found - statements.begin());
  }

  std::vector<std::string> statements;

 private:
  std::string name_ = "kept";
};

TEST_CASE("the schema of a table is told by its comment") {
  CHECK(schema_of_comment("jfrtree schema 1") == 1);
  CHECK(schema_of_comment("jfrtree schema 12") == 12);
  for (const char* const other : {"", "profiles", "jfrtree schema ", "jfrtree schema 1b"}) {
    CHECK_FALSE(schema_of_comment(other));
  }
}

TEST_CASE("tables of this schema, and of nobody, are left alone") {
  KeptStatements database;
  migrate_tables(database, "profile_samples", newest, true, {});
  migrate_tables(database, "profile_samples", "made by hand", true, {});
  CHECK(database.statements.empty());
}

TEST_CASE("tables of a newer schema are refused, of an older one unless they may be changed") {
  KeptStatements database;
  const std::string newer = "jfrtree schema " + std::to_string(clickhouse::schema_version + 1);
  const std::string newer_text = "kept: the table profile_samples has the " + newer +
                                 ", and this program has " + newest +
                                 ": use a newer program, or another database";
  CHECK_THROWS_WITH_AS(migrate_tables(database, "profile_samples", newer, true, {}),
                       newer_text.c_str(), DatabaseError);
  const std::string older_text =
      "kept: the table profile_samples has the jfrtree schema 1, and this program has " + newest +
      ": --create changes the tables";
  CHECK_THROWS_WITH_AS(migrate_tables(database, "profile_samples", "jfrtree schema 1", false, {}),
                       older_text.c_str(), DatabaseError);
  CHECK_THROWS_AS(migrate_tables(database, "profile_samples", "jfrtree schema 0", true, {}),
                  DatabaseError);
  CHECK(database.statements.empty());
}

TEST_CASE("the view of hours of schema 2 is made anew, and no table is lost") {
  KeptStatements database;
  migrate_tables(database, "profile_samples", "jfrtree schema 2", true, {});
  CHECK(database.statements.front() == "DROP VIEW IF EXISTS profile_samples_to_1h");
  CHECK(database.place_of("CREATE MATERIALIZED VIEW IF NOT EXISTS profile_samples_to_1h") <
        database.place_of("MODIFY COMMENT"));
  CHECK(database.place_of("DROP TABLE") == database.statements.size());
}

TEST_CASE("the table of samples says last that all was changed") {
  KeptStatements database;
  migrate_tables(database, "profile_samples", "jfrtree schema 1", true, {});
  CHECK(database.place_of("DROP VIEW IF EXISTS profile_samples_to_1m") <
        database.place_of("DROP TABLE IF EXISTS profile_samples_1m"));
  CHECK(database.place_of("DROP VIEW IF EXISTS profile_hidden_loads") <
        database.place_of("CREATE VIEW IF NOT EXISTS profile_hidden_loads"));
  CHECK(database.place_of("CREATE VIEW IF NOT EXISTS profile_labels") <
        database.place_of("MODIFY COMMENT"));
  CHECK(database.statements.back() ==
        "ALTER TABLE `profile_samples` MODIFY COMMENT '" + newest + "'");
}

TEST_CASE("on a cluster the tables of all shards are changed") {
  KeptStatements database;
  clickhouse::SchemaOptions options;
  options.cluster = "two";
  migrate_tables(database, "profile_samples", "jfrtree schema 1", true, options);
  const std::size_t distributed =
      database.place_of("DROP TABLE IF EXISTS profile_samples_1m ON CLUSTER `two`");
  const std::size_t local =
      database.place_of("DROP TABLE IF EXISTS profile_samples_1m_local ON CLUSTER `two`");
  CHECK(distributed < local);
  CHECK(local < database.statements.size());
  CHECK(database.statements.back() ==
        "ALTER TABLE `profile_samples` ON CLUSTER `two` MODIFY COMMENT '" + newest + "'");
}

}  // namespace
}  // namespace jfrtree::internal
