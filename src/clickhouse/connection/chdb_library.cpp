#include "clickhouse/connection/chdb_library.hpp"

#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <vector>

#include <jfrtree/clickhouse_database.hpp>

namespace jfrtree::internal {

namespace {

constexpr const char* library_name = "libchdb.so";

/// Where scripts/setup puts the library, seen from the program in `build/bin`.
void add_build_folders(std::vector<std::string>& paths) {
  std::error_code error;
  std::filesystem::path folder = std::filesystem::read_symlink("/proc/self/exe", error);
  while (!error && folder.has_relative_path()) {
    folder = folder.parent_path();
    const std::filesystem::path path = folder / "chdb" / library_name;
    if (std::filesystem::exists(path, error)) paths.push_back(path.string());
    error.clear();
  }
}

[[nodiscard]] std::vector<std::string> library_paths(const std::string& path) {
  if (!path.empty()) return {path};
  const char* const from_environment = std::getenv("JFRTREE_LIBCHDB");
  if (from_environment != nullptr && *from_environment != 0) return {from_environment};
  std::vector<std::string> paths = {library_name, "/usr/local/lib/libchdb.so",
                                    "/usr/lib/libchdb.so"};
  add_build_folders(paths);
  return paths;
}

}  // namespace

ChdbLibrary::ChdbLibrary(const std::string& path, const std::string& database) {
  using clickhouse::DatabaseError;
  using clickhouse::DatabaseFault;
  std::string reason;
  if (!library_.open(library_paths(path), reason)) {
    throw DatabaseError(
        DatabaseFault::no_library, database,
        "the embedded ClickHouse engine, libchdb.so, cannot be opened (" + reason +
            "). It is part of the npm package @chdb/lib-linux-x64-gnu 26.7.3-stable.1: npm pack "
            "and tar unpack it, scripts/setup --clickhouse does so in a checkout. Name the file "
            "by --chdb-library or JFRTREE_LIBCHDB, or give a server by --db http://HOST:8123. "
            "The Python package takes the engine of pip install chdb");
  }
  connect = library_.find<Connection**(int, char**)>("chdb_connect");
  close = library_.find<void(Connection**)>("chdb_close_conn");
  query = library_.find<Result*(Connection*, const char*, std::size_t, const char*, std::size_t)>(
      "chdb_query_n");
  destroy_result = library_.find<void(Result*)>("chdb_destroy_query_result");
  error = library_.find<const char*(Result*)>("chdb_result_error");
  buffer = library_.find<char*(Result*)>("chdb_result_buffer");
  length = library_.find<std::size_t(Result*)>("chdb_result_length");
  begin_insert =
      library_.find<Insert*(Connection*, const char*, const char*)>("chdb_stream_insert");
  append = library_.find<int(Insert*, const void*, std::size_t)>("chdb_stream_append");
  end_insert = library_.find<Result*(Insert*)>("chdb_stream_done");
  destroy_insert = library_.find<void(Insert*)>("chdb_destroy_insert_stream");
  enable_signal_handlers = library_.find<void(int)>("chdb_set_signal_handlers_enabled");
  const bool is_whole = connect != nullptr && close != nullptr && query != nullptr &&
                        destroy_result != nullptr && error != nullptr && buffer != nullptr &&
                        length != nullptr && begin_insert != nullptr && append != nullptr &&
                        end_insert != nullptr && destroy_insert != nullptr;
  if (!is_whole) {
    throw DatabaseError(DatabaseFault::no_library, database,
                        "the libchdb.so that was found lacks functions: version 26.7 or newer, "
                        "as in the npm package @chdb/lib-linux-x64-gnu, is needed");
  }
}

}  // namespace jfrtree::internal
