/// What is known of databases without having one.

#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include <unistd.h>

#include <jfrtree/clickhouse.hpp>
#include <jfrtree/clickhouse_load.hpp>

#include "clickhouse/connection/database_errors.hpp"
#include "clickhouse/connection/database_url.hpp"
#include "clickhouse/connection/open_database.hpp"
#include "clickhouse/connection/retries.hpp"
#include "clickhouse/load/ledger.hpp"

using namespace jfrtree;
using namespace jfrtree::clickhouse;
using namespace jfrtree::internal;

TEST_CASE("a URL of a database in its parts") {
  const DatabaseUrl full =
      parse_database_url("https://me:p%40ss%3Aw%2F@host:8443/ch?database=d%20b");
  CHECK(full.address == "https://host:8443/ch");
  CHECK(full.user == "me");
  CHECK(full.password == "p@ss:w/");
  CHECK(full.database == "d b");
  CHECK(parse_database_url("http://host").address == "http://host/");
  CHECK_FALSE(parse_database_url("http://host").has_user);
  CHECK_THROWS_AS((void)parse_database_url("ftp://host"), UsageError);
  CHECK_THROWS_AS((void)parse_database_url("http://"), UsageError);
  CHECK(parse_database_url("http://[::1]:8123").address == "http://[::1]:8123/");
  // A password that is not written as it must be is never taken for a host, and not shown.
  for (const char* odd : {"http://me:sec/ret@host", "http://me:sec#ret@host",
                          "http://me:sec?ret@host", "http://me:sec@ret/x@host"}) {
    try {
      (void)parse_database_url(odd);
      FAIL_CHECK("taken: ", odd);
    } catch (const UsageError& error) {
      CHECK(std::string_view(error.what()).find("sec") == std::string_view::npos);
    }
  }
  CHECK_THROWS_AS((void)parse_database_url("http://host/?user=x"), UsageError);
  CHECK(percent_encoded("a b&c=\xF0") == "a%20b%26c%3D%F0");
}

TEST_CASE("versions before 24.8 are too old") {
  for (const char* version : {"24.8.1.1", "24.10", "25.1.2", "26.7.2.1"}) {
    CHECK(is_new_enough(version));
  }
  for (const char* version : {"24.7.9", "23.12.1", "18.16.1", "", "x", "26", "<html>"}) {
    CHECK_FALSE(is_new_enough(version));
  }
}

TEST_CASE("what a server answers becomes one line with a hint") {
  const auto error_of = [](const std::string& text) {
    try {
      throw_database_error("db", text);
    } catch (const DatabaseError& error) {
      return std::pair(error.fault(), std::string(error.what()));
    }
  };
  const auto [fault, text] = error_of(
      "Code: 60. DB::Exception: Table a.b does not\nexist. (UNKNOWN_TABLE) (version 26.7.2.1)");
  CHECK(fault == DatabaseFault::missing_table);
  CHECK(text ==
        "db: Table a.b does not exist. (UNKNOWN_TABLE); --create makes the tables, jfrtree "
        "clickhouse schema prints them");
  CHECK(error_of("Code: 252. DB::Exception: x").first == DatabaseFault::busy);
  CHECK(error_of("Code: 516. DB::Exception: x").first == DatabaseFault::denied);
  CHECK(error_of("Code: 164. DB::Exception: x").first == DatabaseFault::read_only);
  CHECK(error_of("something else").first == DatabaseFault::query);
}

TEST_CASE("a loader is gone when it ended, its process is, or another one has its number") {
  std::string ended;
  {
    const LoaderMark mark;
    ended = mark.name();
    CHECK(ended.starts_with("loader "));
    CHECK_FALSE(is_gone(ended));
  }
  CHECK(is_gone(ended));
  const LoaderMark mark;
  const LoaderMark another;
  const std::string& own = mark.name();
  CHECK(own != another.name());
  CHECK_FALSE(is_gone(own));
  const std::size_t number = own.rfind(' ');
  const std::string process = own.substr(0, number);
  CHECK_FALSE(is_gone(process));                       // as where the system gives no file
  CHECK(is_gone(process + "0" + own.substr(number)));  // a later start: the pid was used again
  const std::string pid = " " + std::to_string(::getpid()) + " ";
  std::string other_machine = ended;
  other_machine.replace(7, ended.find(pid) - 7, "elsewhere");
  CHECK_FALSE(is_gone(other_machine));
  CHECK_FALSE(is_gone(""));
  CHECK_FALSE(is_gone("committed by hand"));
}

namespace {

/// Fails a number of times.
class FailingDatabase final : public Database {
 public:
  FailingDatabase(unsigned failures, DatabaseFault fault) : failures_(failures), fault_(fault) {}

  std::string query(std::string_view) override {
    ++calls;
    if (calls <= failures_) throw DatabaseError(fault_, "db", "failed");
    return "done";
  }
  std::string query(std::string_view sql, const QueryParameters&) override { return query(sql); }
  void insert(std::string_view, std::string_view) override { (void)query({}); }
  const std::string& name() const noexcept override { return name_; }
  bool is_embedded() const noexcept override { return true; }

  unsigned calls = 0;

 private:
  unsigned failures_;
  DatabaseFault fault_;
  std::string name_ = "db";
};

}  // namespace

TEST_CASE("only what may pass is tried again, and not for ever") {
  LoadOptions options;
  options.retries = 3;
  options.first_wait = std::chrono::milliseconds(1);
  int told = 0;
  options.message = [&told](const std::string&) { ++told; };
  const auto calls_of = [&](unsigned failures, DatabaseFault fault, bool is_done) {
    FailingDatabase database(failures, fault);
    Retries retries(database, options, nullptr);
    if (is_done) {
      CHECK(retries.query("x") == "done");
    } else {
      CHECK_THROWS_AS((void)retries.query("x"), DatabaseError);
    }
    return database.calls;
  };
  CHECK(calls_of(3, DatabaseFault::unreachable, true) == 4);
  CHECK(told == 3);
  CHECK(calls_of(4, DatabaseFault::busy, false) == 4);
  CHECK(calls_of(1, DatabaseFault::denied, false) == 1);
  const std::atomic<bool> stop = true;
  FailingDatabase database(1, DatabaseFault::busy);
  Retries retries(database, options, &stop);
  CHECK_THROWS_AS((void)retries.query("x"), Interrupted);
}

TEST_CASE("a schema of a cluster has a table on each shard and one above") {
  SchemaOptions options;
  options.cluster = "two";
  options.database = "p";
  options.retention_days = 30;
  std::string all;
  for (const std::string& statement : schema_statements(options)) all += statement + ";\n";
  CHECK(all.find("CREATE TABLE IF NOT EXISTS `p`.profile_samples_local ON CLUSTER `two`") !=
        std::string::npos);
  CHECK(all.find("Distributed('two', 'p', 'profile_samples_local', cityHash64(service, "
                 "stack_hash))") != std::string::npos);
  CHECK(all.find("Distributed('two', 'p', 'profile_stacks_local', stack_hash)") !=
        std::string::npos);
  CHECK(all.find("TTL toDate(ts) + INTERVAL 30 DAY") != std::string::npos);
  options.retention_days = 0;
  CHECK_THROWS_AS((void)schema_statements(options), UsageError);
}
