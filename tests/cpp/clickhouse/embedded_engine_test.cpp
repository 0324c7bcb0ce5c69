#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <jfrtree/clickhouse_database.hpp>

namespace jfrtree::clickhouse {
namespace {

/// What engines of a test were asked, and what they are to do.
struct Script {
  std::vector<std::string> calls;
  std::string failure;  ///< of the next statement
  std::string open_failure;
  int open_engines = 0;
};

class ScriptedEngine final : public EmbeddedEngine {
 public:
  explicit ScriptedEngine(Script& script) : script_(script) { ++script_.open_engines; }
  ~ScriptedEngine() override { --script_.open_engines; }

  std::string query(const std::string& sql,
                    const std::map<std::string, std::string>& parameters) override {
    std::string call = sql;
    for (const auto& [name, value] : parameters) call += " " + name + "=" + value;
    script_.calls.push_back(call);
    fail();
    return sql == "SELECT version()" ? "26.7.1\n" : "result\n";
  }

  void insert(const std::string& sql, std::string_view native) override {
    script_.calls.push_back(sql + " <" + std::string(native) + ">");
    fail();
  }

 private:
  void fail() {
    if (script_.failure.empty()) return;
    throw EngineFailure(std::exchange(script_.failure, {}));
  }

  Script& script_;
};

DatabaseOptions options_of(Script& script) {
  DatabaseOptions options;
  options.place = (std::filesystem::temp_directory_path() / "jfrtree-no-such-folder").string();
  options.engine = [&script](const std::string& folder) -> std::unique_ptr<EmbeddedEngine> {
    script.calls.push_back("open " + std::filesystem::path(folder).filename().string());
    if (!script.open_failure.empty()) {
      throw EngineFailure(script.open_failure, DatabaseFault::in_use);
    }
    return std::make_unique<ScriptedEngine>(script);
  };
  return options;
}

DatabaseFault fault_of(const std::function<void()>& work, std::string& message) {
  try {
    work();
  } catch (const DatabaseError& error) {
    message = error.what();
    return error.fault();
  }
  FAIL("nothing was thrown");
  return DatabaseFault::query;
}

TEST_CASE("a folder is opened by the engine of the caller") {
  Script script;
  DatabaseOptions options = options_of(script);
  options.database = "a`b";
  {
    const auto database = open_database(options);
    CHECK(database->is_embedded());
    CHECK(database->name() == options.place);
    CHECK(database->query("SELECT {x:String}", {{"x", "a'b\t\\"}}) == "result\n");
    database->insert("t (a)", "rows");
  }
  CHECK(script.open_engines == 0);
  const std::vector<std::string> expected = {"open jfrtree-no-such-folder",
                                             "CREATE DATABASE IF NOT EXISTS `a\\`b`",
                                             "USE `a\\`b`",
                                             "SELECT version()",
                                             "SELECT {x:String} x=a\\'b\\t\\\\",
                                             "INSERT INTO t (a) <rows>"};
  CHECK(script.calls == expected);
}

TEST_CASE("after a statement that failed the folder is opened anew") {
  Script script;
  const auto database = open_database(options_of(script));
  script.calls.clear();
  script.failure = "Code: 60. DB::Exception: Unknown table t. (UNKNOWN_TABLE) (version 26.7.1)";
  std::string message;
  CHECK(fault_of([&] { (void)database->query("SELECT 1"); }, message) ==
        DatabaseFault::missing_table);
  CHECK(message.find("Unknown table t. (UNKNOWN_TABLE); --create") != std::string::npos);
  CHECK(script.calls == std::vector<std::string>{"SELECT 1", "open jfrtree-no-such-folder"});
  CHECK(script.open_engines == 1);
  script.failure = "Code: 241. DB::Exception: no memory";
  CHECK(fault_of([&] { database->insert("t", "rows"); }, message) == DatabaseFault::busy);
  CHECK(database->query("SELECT 1") == "result\n");
}

TEST_CASE("a folder that cannot be opened is said as the engine says it") {
  Script script;
  script.open_failure = "another process uses it";
  std::string message;
  CHECK(fault_of([&] { (void)open_database(options_of(script)); }, message) ==
        DatabaseFault::in_use);
  CHECK(message.find("jfrtree-no-such-folder: another process uses it") != std::string::npos);
  // It was there and then is not: the next statement tries again.
  script.open_failure.clear();
  const auto database = open_database(options_of(script));
  script.failure = "Code: 1. DB::Exception: x";
  script.open_failure = "gone";
  CHECK(fault_of([&] { (void)database->query("SELECT 1"); }, message) == DatabaseFault::in_use);
  CHECK(script.open_engines == 0);
  script.open_failure.clear();
  CHECK(database->query("SELECT 1") == "result\n");
}

TEST_CASE("a library that is named goes before the engine of the caller") {
  Script script;
  DatabaseOptions options = options_of(script);
  options.chdb_library = "/nonexistent/libchdb.so";
  std::string message;
  CHECK(fault_of([&] { (void)open_database(options); }, message) == DatabaseFault::no_library);
  CHECK(message.find("pip install chdb") != std::string::npos);
  CHECK(script.calls.empty());
}

TEST_CASE("faults have names") {
  CHECK(fault_name(DatabaseFault::no_library) == "no_library");
  CHECK(fault_name(DatabaseFault::missing_table) == "missing_table");
  CHECK(fault_name(DatabaseFault::query) == "query");
}

}  // namespace
}  // namespace jfrtree::clickhouse
