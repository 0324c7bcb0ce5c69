#include <unistd.h>

#include <filesystem>
#include <system_error>
#include <utility>

#include "clickhouse/connection/chdb_engine.hpp"
#include "clickhouse/connection/database_errors.hpp"
#include "clickhouse/connection/folder_lock.hpp"
#include "clickhouse/connection/open_database.hpp"
#include "clickhouse/rows/sql_text.hpp"

namespace jfrtree::internal {

namespace {

using clickhouse::Database;
using clickhouse::DatabaseError;
using clickhouse::DatabaseFault;
using clickhouse::DatabaseOptions;
using clickhouse::EmbeddedEngine;
using clickhouse::EngineFactory;
using clickhouse::EngineFailure;
using clickhouse::QueryParameters;

class EmbeddedDatabase final : public Database {
 public:
  explicit EmbeddedDatabase(const DatabaseOptions& options)
      : folder_(options.place), database_(options.database) {
    std::error_code error;
    if (std::filesystem::exists(folder_, error) && !std::filesystem::is_directory(folder_, error)) {
      throw DatabaseError(DatabaseFault::query, folder_, "is no folder");
    }
    const bool is_given = options.engine && options.chdb_library.empty();
    open_ = is_given ? options.engine : chdb_engine(options.chdb_library, options.place);
    connect();
  }

  std::string query(std::string_view sql) override { return query(sql, {}); }

  std::string query(std::string_view sql, const QueryParameters& parameters) override {
    QueryParameters escaped;
    for (const auto& [name, value] : parameters) append_escaped(escaped[name], value);
    std::string result;
    run([&] { result = engine_->query(std::string(sql), escaped); });
    return result;
  }

  void insert(std::string_view target, std::string_view native) override {
    run([&] { engine_->insert("INSERT INTO " + std::string(target), native); });
  }

  const std::string& name() const noexcept override { return folder_; }
  bool is_embedded() const noexcept override { return true; }

 private:
  void connect() {
    try {
      engine_ = open_(folder_);
      if (database_.empty()) return;
      (void)engine_->query("CREATE DATABASE IF NOT EXISTS " + sql_name(database_), {});
      (void)engine_->query("USE " + sql_name(database_), {});
    } catch (const EngineFailure& failure) {
      engine_.reset();
      fail(failure);
    }
  }

  /// After an error the folder is opened anew: the engine may have kept rows of the query that
  /// failed for the next result.
  template <typename Work>
  void run(Work&& work) {
    if (!engine_) connect();
    try {
      work();
    } catch (const EngineFailure& failure) {
      engine_.reset();
      connect();
      fail(failure);
    }
  }

  [[noreturn]] void fail(const EngineFailure& failure) const {
    if (failure.fault()) throw DatabaseError(*failure.fault(), folder_, failure.what());
    throw_database_error(folder_, failure.what());
  }

  std::string folder_;
  std::string database_;
  EngineFactory open_;
  std::unique_ptr<EmbeddedEngine> engine_;
};

/// Whether a folder has contents, but none of the engine's: `status` is there as long as it is
/// open, `tmp` may be left of an attempt.
bool is_foreign(const std::string& place) {
  namespace fs = std::filesystem;
  std::error_code error;
  bool has_others = false;
  for (fs::directory_iterator entry(place, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (name == "store" || name == "metadata" || name == "status") return false;
    has_others = has_others || name != "tmp";
  }
  return has_others;
}

}  // namespace

std::unique_ptr<Database> open_embedded(const DatabaseOptions& options) {
  std::error_code error;
  if (std::filesystem::is_directory(options.place, error) &&
      ::access(options.place.c_str(), W_OK | X_OK) != 0) {
    throw DatabaseError(DatabaseFault::query, options.place,
                        "this user may not write into the folder, which the engine does also where "
                        "it only reads: give the right to do so, or copy the folder");
  }
  if (is_open_elsewhere(options.place)) {
    throw DatabaseError(DatabaseFault::in_use, options.place,
                        "another process has the folder open, and only one can: a server takes any "
                        "number of them");
  }
  if (is_foreign(options.place)) {
    throw DatabaseError(DatabaseFault::missing_table, options.place,
                        "the folder holds other files and no database, and is left alone; name "
                        "another one, which need not be there yet");
  }
  return std::make_unique<EmbeddedDatabase>(options);
}

}  // namespace jfrtree::internal
