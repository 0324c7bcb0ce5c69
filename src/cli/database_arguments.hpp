#pragma once

#include <string>

#include <jfrtree/clickhouse_database.hpp>

#include "cli/command_line.hpp"

namespace jfrtree::cli {

/// The options that say which database, and how it is reached.
class DatabaseArguments {
 public:
  /// In a group of their own.
  void add_to(CommandLine& line);
  /// With user and password from the environment or a file where the URL has none. Throws
  /// UsageError, and IoError for a file that cannot be read.
  [[nodiscard]] clickhouse::DatabaseOptions options() const;

 private:
  void set_timeout(const std::string& text);

  clickhouse::DatabaseOptions options_;
  std::string password_file_;
};

}  // namespace jfrtree::cli
