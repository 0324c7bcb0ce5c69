#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "clickhouse/connection/shared_library.hpp"

namespace jfrtree::internal {

/// The functions of libchdb.so that are used, as its C interface declares them.
struct ChdbLibrary {
  struct Connection;
  struct Result;
  struct Insert;

  Connection** (*connect)(int count, char** arguments) = nullptr;
  void (*close)(Connection** connection) = nullptr;
  Result* (*query)(Connection* connection, const char* sql, std::size_t sql_length,
                   const char* format, std::size_t format_length) = nullptr;
  void (*destroy_result)(Result* result) = nullptr;
  const char* (*error)(Result* result) = nullptr;
  char* (*buffer)(Result* result) = nullptr;
  std::size_t (*length)(Result* result) = nullptr;
  Insert* (*begin_insert)(Connection* connection, const char* sql, const char* format) = nullptr;
  int (*append)(Insert* insert, const void* bytes, std::size_t size) = nullptr;
  Result* (*end_insert)(Insert* insert) = nullptr;
  void (*destroy_insert)(Insert* insert) = nullptr;
  void (*enable_signal_handlers)(int is_enabled) = nullptr;  ///< may be absent

  /// Opens the library. Throws DatabaseError that says how to get it.
  explicit ChdbLibrary(const std::string& path, const std::string& database);

 private:
  SharedLibrary library_;
};

}  // namespace jfrtree::internal
