#include <filesystem>
#include <system_error>
#include <utility>

#include "clickhouse/chdb_library.hpp"
#include "clickhouse/database_errors.hpp"
#include "clickhouse/open_database.hpp"
#include "clickhouse/sql_text.hpp"

namespace jfrtree::internal {

namespace {

using clickhouse::Database;
using clickhouse::DatabaseError;
using clickhouse::DatabaseFault;
using clickhouse::DatabaseOptions;
using clickhouse::QueryParameters;

/// Bytes that are handed to the engine at once.
constexpr std::size_t piece_bytes = std::size_t{1} << 20;
constexpr std::string_view result_format = "TabSeparated";

class EmbeddedDatabase final : public Database {
 public:
  explicit EmbeddedDatabase(const DatabaseOptions& options)
      : folder_(options.place),
        database_(options.database),
        library_(options.chdb_library, options.place) {
    std::error_code error;
    if (std::filesystem::exists(folder_, error) && !std::filesystem::is_directory(folder_, error)) {
      throw DatabaseError(DatabaseFault::query, folder_, "is no folder");
    }
    // The program has handlers of its own; those of the engine would print pages.
    if (library_.enable_signal_handlers != nullptr) library_.enable_signal_handlers(0);
    connect();
  }
  ~EmbeddedDatabase() override { disconnect(); }

  std::string query(std::string_view sql) override {
    ChdbLibrary::Result* const result = library_.query(*connection_, sql.data(), sql.size(),
                                                       result_format.data(), result_format.size());
    return take(result);
  }

  std::string query(std::string_view sql, const QueryParameters& parameters) override {
    for (const auto& [name, value] : parameters) {
      std::string escaped;  // the engine reads values as TSV
      append_escaped(escaped, value);
      (void)query("SET param_" + name + " = " + sql_text(escaped));
    }
    return query(sql);
  }

  void insert(std::string_view target, std::string_view native) override {
    const std::string sql = "INSERT INTO " + std::string(target);
    ChdbLibrary::Insert* const insert = library_.begin_insert(*connection_, sql.c_str(), "Native");
    if (insert == nullptr) fail("the engine did not begin to insert");
    bool is_taken = true;
    while (is_taken && !native.empty()) {
      const std::string_view piece = native.substr(0, piece_bytes);
      is_taken = library_.append(insert, piece.data(), piece.size()) == 0;
      native.remove_prefix(piece.size());
    }
    ChdbLibrary::Result* const result = library_.end_insert(insert);
    library_.destroy_insert(insert);
    if (result == nullptr) fail("the engine did not end to insert");
    (void)take(result);
    if (!is_taken) fail("the engine took a part of the rows only");
  }

  const std::string& name() const noexcept override { return folder_; }
  bool is_embedded() const noexcept override { return true; }

 private:
  void connect() {
    std::string program = "clickhouse";
    std::string path = "--path=" + folder_;
    char* arguments[] = {program.data(), path.data(), nullptr};
    connection_ = library_.connect(2, arguments);
    if (connection_ == nullptr || *connection_ == nullptr) {
      connection_ = nullptr;
      throw DatabaseError(DatabaseFault::in_use, folder_,
                          "cannot be opened: another process uses it, or it is no folder of a "
                          "database that may be written");
    }
    if (database_.empty()) return;
    (void)query("CREATE DATABASE IF NOT EXISTS " + sql_name(database_));
    (void)query("USE " + sql_name(database_));
  }

  void disconnect() noexcept {
    if (connection_ != nullptr) library_.close(connection_);
    connection_ = nullptr;
  }

  /// The bytes of a result. After an error the connection is made anew: the engine may have kept
  /// rows of the query that failed for the next result.
  std::string take(ChdbLibrary::Result* result) {
    if (result == nullptr) fail("the engine gave no result");
    const char* const error = library_.error(result);
    if (error != nullptr) {
      const std::string text = error;
      library_.destroy_result(result);
      fail(text);
    }
    const std::size_t length = library_.length(result);
    std::string bytes;
    if (length > 0) bytes.assign(library_.buffer(result), length);
    library_.destroy_result(result);
    return bytes;
  }

  [[noreturn]] void fail(const std::string& text) {
    disconnect();
    connect();
    throw_database_error(folder_, text);
  }

  std::string folder_;
  std::string database_;
  ChdbLibrary library_;
  ChdbLibrary::Connection** connection_ = nullptr;
};

/// Whether a folder has contents, but none of the engine's: `status` is there as long as it is open,
/// `tmp` may be left of an attempt.
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
  if (is_foreign(options.place)) {
    throw DatabaseError(DatabaseFault::missing_table, options.place,
                        "the folder holds other files and no database, and is left alone; name "
                        "another one, which need not be there yet");
  }
  return std::make_unique<EmbeddedDatabase>(options);
}

}  // namespace jfrtree::internal
