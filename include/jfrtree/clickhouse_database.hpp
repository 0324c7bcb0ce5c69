#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include <jfrtree/clickhouse_engine.hpp>
#include <jfrtree/clickhouse_fault.hpp>
#include <jfrtree/error.hpp>

namespace jfrtree::clickhouse {

/// A database could not do what was asked. The message names it without its password.
class DatabaseError : public Error {
 public:
  DatabaseError(DatabaseFault fault, const std::string& database, const std::string& message);

  [[nodiscard]] DatabaseFault fault() const noexcept { return fault_; }
  /// Whether the same may well succeed a moment later.
  [[nodiscard]] bool is_temporary() const noexcept {
    return fault_ == DatabaseFault::unreachable || fault_ == DatabaseFault::busy;
  }

 private:
  DatabaseFault fault_;
};

enum class Compression : std::uint8_t { none, zstd, lz4, gzip };

struct DatabaseOptions {
  /// A folder for the embedded engine, which is made when it is not there, or an http or https URL,
  /// `https://user:password@host:8443/?database=profiles`.
  std::string place = "jfrtree.chdb";
  std::string database{};      ///< instead of the URL's; empty and none there: `default`
  std::string user{};          ///< where the URL has none; empty: `default`
  std::string password{};      ///< where the URL has none
  std::string chdb_library{};  ///< path of libchdb.so; empty: searched for
  EngineFactory engine{};      ///< opens folders in its place, unless `chdb_library` is given
  Compression compression = Compression::zstd;  ///< of what is sent by HTTP
  std::string certificates{};                   ///< a file of certificates to trust for https
  std::chrono::milliseconds connect_timeout{10'000};
  std::chrono::seconds answer_timeout{600};  ///< without a byte from a server; 0: no end
  /// A database that the server does not have is made when it is opened; in a folder it always is.
  bool create_database = false;
  /// Waiting ends with Interrupted soon after this becomes true.
  const std::atomic<bool>* stop = nullptr;
};

/// Values of a statement's parameters, by name.
using QueryParameters = std::map<std::string, std::string>;

/// A ClickHouse database. For one thread at a time.
class Database {
 public:
  Database() = default;
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  virtual ~Database() = default;

  /// Runs a statement; the result as TSV (`TabSeparated`) unless it says FORMAT. Throws
  /// DatabaseError.
  virtual std::string query(std::string_view sql) = 0;
  /// The same with the values of parameters, `{name:Type}` in the statement: they are bound by the
  /// server, never pasted into SQL.
  virtual std::string query(std::string_view sql, const QueryParameters& parameters) = 0;
  /// Inserts blocks of Native. `target` is what stands between INSERT INTO and FORMAT: the table,
  /// columns and settings. Nothing or all of it is inserted, as far as the server promises that.
  virtual void insert(std::string_view target, std::string_view native) = 0;

  /// For messages: the folder, or the URL without user and password.
  [[nodiscard]] virtual const std::string& name() const noexcept = 0;
  /// No other process can have it open.
  [[nodiscard]] virtual bool is_embedded() const noexcept = 0;
};

/// Opens a database and asks for its version: 24.8 or newer. Throws DatabaseError, and UsageError
/// for what is no URL.
///
/// The embedded engine is libchdb.so, opened when it is needed: `chdb_library`, else the
/// environment's JFRTREE_LIBCHDB, else by the name in the usual folders of libraries, else where
/// scripts/setup --clickhouse puts it, below a folder `build/` above the program. A process opens
/// one folder at a time. A caller that has an engine of its own gives it as `engine`. libcurl is
/// opened likewise.
[[nodiscard]] std::unique_ptr<Database> open_database(const DatabaseOptions& options);

/// Whether a place is a URL, not a folder.
[[nodiscard]] bool is_url(std::string_view place) noexcept;

/// Throws UsageError for what is meant to be a URL and is none, as `localhost:8123`: it would be
/// the name of a folder.
void check_place(const std::string& place);

}  // namespace jfrtree::clickhouse
