#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <jfrtree/clickhouse.hpp>
#include <jfrtree/clickhouse_query.hpp>

#include "clickhouse/rows/binary_bytes.hpp"
#include "clickhouse/rows/row_block.hpp"

namespace jfrtree::clickhouse {
namespace {

using internal::append_number;
using internal::append_text;

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// Has the tables, and three stacks of one kind, whose lengths are told apart from their frames.
class MadeDatabase final : public Database {
 public:
  std::string query(std::string_view sql) override { return query(sql, {}); }
  std::string query(std::string_view sql, const QueryParameters&) override {
    statements.emplace_back(sql);
    std::string rows;
    if (contains(sql, "system.tables")) {
      for (const char* const table : {"profile_samples", "profile_chunks"}) {
        append_text(rows, table);
        append_text(rows, "jfrtree schema " + std::to_string(schema));
      }
    } else if (contains(sql, "length(frames) FROM")) {
      for (std::uint64_t hash = 1; hash <= 3; ++hash) {
        append_number(rows, hash, 8);
        append_number(rows, lengths, 8);
      }
    } else if (contains(sql, "FROM profile_stacks")) {
      if (contains(sql, "length(frames) <= 256") && lengths > 256) return rows;
      internal::RowBlock block({{"stack_hash", internal::CellType::uint64},
                                {"frames", internal::CellType::low_cardinality_array}});
      for (std::uint64_t hash = 1; hash <= 3; ++hash) {
        if (!contains(sql, std::to_string(hash) + ",") &&
            !contains(sql, std::to_string(hash) + ")")) {
          continue;
        }
        block[0].add_number(hash);
        block[1].add_text("frame" + std::to_string(hash));
        block[1].end_list();
        block.end_row();
      }
      internal::append_native(block, rows);
      if (is_cut_in_stacks) rows.pop_back();
    } else if (contains(sql, "FROM profile_chunks")) {
      for (const std::uint64_t number : {3U, 100U, 400U, 250U}) append_number(rows, number, 8);
      append_number(rows, 1, 1);
    } else {
      if (is_read_only && contains(sql, "SETTINGS")) {
        throw DatabaseError(DatabaseFault::read_only, name_, "Cannot modify a setting");
      }
      for (std::uint64_t hash = 1; hash <= 3; ++hash) append_sum(rows, hash);
      if (is_cut) rows.pop_back();
    }
    return rows;
  }
  void insert(std::string_view, std::string_view) override {}
  const std::string& name() const noexcept override { return name_; }
  bool is_embedded() const noexcept override { return true; }

  std::vector<std::string> statements;
  std::uint64_t lengths = 1;
  unsigned schema = schema_version;
  bool is_read_only = false;
  bool is_cut_in_stacks = false;
  bool is_cut = false;

 private:
  static void append_sum(std::string& rows, std::uint64_t hash) {
    append_number(rows, 0, 1);
    append_text(rows, "");
    append_number(rows, hash, 8);
    append_number(rows, hash * 10, 8);
    append_number(rows, hash * 100, 8);
    append_number(rows, 1, 8);
  }

  std::string name_ = "made";
};

std::size_t frame_queries(const MadeDatabase& database) {
  std::size_t count = 0;
  for (const std::string& sql : database.statements) {
    count += contains(sql, "SELECT stack_hash, frames") ? 1U : 0U;
  }
  return count;
}

ProfileQuery locks() {
  ProfileQuery query;
  query.kinds = {"lock"};
  return query;
}

TEST_CASE("sums are read before stacks, and short stacks together") {
  MadeDatabase database;
  const ProfileSet set = query_profiles(database, locks());
  REQUIRE(set.profiles.size() == 1);
  CHECK(set.profiles[0].count == 60);
  CHECK(set.profiles[0].value == 600);
  CHECK(set.profiles[0].default_sample_type == 1);
  CHECK(frame_queries(database) == 1);
  CHECK(contains(database.statements[1], "FROM profile_samples_1h"));
  CHECK(contains(database.statements[2], "length(frames) <= 256"));
  CHECK(contains(database.statements[2], "FORMAT Native"));
}

TEST_CASE("few deep stacks are read at once") {
  MadeDatabase database;
  database.lengths = 400'000;
  CHECK(query_profiles(database, locks()).profiles[0].stacks.size() == 3);
  // None of them comes with the usual ones.
  CHECK(frame_queries(database) == 4);
}

TEST_CASE("the time of recordings is asked within the range") {
  MadeDatabase database;
  ProfileQuery query = locks();
  query.time = {120, 310};
  const ProfileSet set = query_profiles(database, query);
  CHECK(set.span_ns == 250U);
  CHECK(set.start_ns == 100);
  CHECK(set.end_ns == 400);
  const std::string& sql = database.statements.back();
  CHECK(contains(sql, "greatest(toUnixTimestamp64Nano(start), toInt64(120))"));
  CHECK(contains(sql, "least(toUnixTimestamp64Nano(end), toInt64(310))"));
}

TEST_CASE("a user who may set nothing reads as well") {
  MadeDatabase database;
  database.is_read_only = true;
  CHECK(query_profiles(database, locks()).profiles[0].count == 60);
}

TEST_CASE("an answer that is cut short, and tables of another schema") {
  MadeDatabase database;
  database.is_cut = true;
  CHECK_THROWS_WITH_AS((void)query_profiles(database, locks()),
                       "made: its answer ends in the middle of a row", DatabaseError);
  database.is_cut = false;
  database.is_cut_in_stacks = true;
  CHECK_THROWS_WITH_AS((void)query_profiles(database, locks()),
                       "made: its answer ends in the middle of a row", DatabaseError);
  database.schema = schema_version + 1;
  CHECK_THROWS_AS(check_query_tables(database), DatabaseError);
}

TEST_CASE("values of a kind that may be unknown are known where they are above 0") {
  MadeDatabase database;
  ProfileQuery query;
  query.kinds = {"cpu"};
  const ProfileSet set = query_profiles(database, query);
  // Nothing says that async-profiler wrote all of it.
  CHECK(set.profiles[0].sample_types[1].name == "estimated_cpu");
  CHECK(set.profiles[0].default_sample_type == 0);
  CHECK(set.profiles[0].value == 600);
}

}  // namespace
}  // namespace jfrtree::clickhouse
