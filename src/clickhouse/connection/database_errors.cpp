#include "clickhouse/connection/database_errors.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

namespace jfrtree {

namespace internal {

using clickhouse::DatabaseError;
using clickhouse::DatabaseFault;

namespace {

constexpr std::size_t longest_message = 600;

[[nodiscard]] unsigned code_of(std::string_view text) {
  constexpr std::string_view mark = "Code: ";
  const std::size_t found = text.find(mark);
  unsigned code = 0;
  if (found == text.npos) return 0;
  std::from_chars(text.data() + found + mark.size(), text.data() + text.size(), code);
  return code;
}

/// One line, without the version and the marks of the exception.
[[nodiscard]] std::string shortened(std::string text) {
  constexpr std::string_view exception = "DB::Exception: ";
  const std::size_t begin = text.find(exception);
  if (begin != text.npos) text.erase(0, begin + exception.size());
  const std::size_t version = text.rfind(" (version ");
  if (version != text.npos) text.erase(version);
  for (char& letter : text) {
    if (letter == '\n' || letter == '\r') letter = ' ';
  }
  while (!text.empty() && text.back() == ' ') text.pop_back();
  if (text.size() > longest_message) text = text.substr(0, longest_message) + " ...";
  return text;
}

/// What to do about it.
[[nodiscard]] std::string hint_of(DatabaseFault fault) {
  switch (fault) {
    case DatabaseFault::denied:
      return "; user and password come from the URL, CLICKHOUSE_USER and CLICKHOUSE_PASSWORD, or "
             "--password-file";
    case DatabaseFault::missing_table:
      return "; --create makes the tables, jfrtree clickhouse schema prints them";
    case DatabaseFault::read_only:
      return "; the user or the table may only be read";
    case DatabaseFault::no_keeper:
      return "; statements ON CLUSTER need a Keeper: without one, run on each shard what jfrtree "
             "clickhouse schema --cluster NAME --each-shard prints";
    case DatabaseFault::disk_full:
      return "; the disk of the database is full";
    default:
      return {};
  }
}

}  // namespace

DatabaseFault fault_of_code(unsigned code) noexcept {
  switch (code) {
    case 192:  // unknown user
    case 193:  // wrong password
    case 194:  // a password is needed
    case 497:  // no right
    case 516:  // authentication failed
      return DatabaseFault::denied;
    case 60:  // unknown table
    case 81:  // unknown database
      return DatabaseFault::missing_table;
    case 164:  // read-only user or query
      return DatabaseFault::read_only;
    case 139:  // nothing is configured
    case 225:  // no Keeper
    case 392:  // or no right to use it
      return DatabaseFault::no_keeper;
    case 243:  // no space for a part
      return DatabaseFault::disk_full;
    case 159:  // timeouts and networks
    case 209:
    case 210:
    case 279:
      return DatabaseFault::unreachable;
    case 202:  // too many queries
    case 241:  // no memory
    case 242:  // the table is read-only for now
    case 252:  // too many parts
    case 319:  // whether it was inserted is not known
    case 999:  // Keeper
      return DatabaseFault::busy;
    default:
      return DatabaseFault::query;
  }
}

void throw_database_error(const std::string& database, const std::string& text, unsigned code) {
  const DatabaseFault fault = fault_of_code(code == 0 ? code_of(text) : code);
  throw DatabaseError(fault, database, shortened(text) + hint_of(fault));
}

}  // namespace internal

namespace clickhouse {

namespace {

[[nodiscard]] Problem problem_of(const std::string& database, const std::string& message) {
  Problem problem;
  problem.code = ErrorCode::io_error;
  problem.file = database;
  problem.message = message;
  return problem;
}

}  // namespace

std::string_view fault_name(DatabaseFault fault) noexcept {
  switch (fault) {
    case DatabaseFault::no_library:
      return "no_library";
    case DatabaseFault::unreachable:
      return "unreachable";
    case DatabaseFault::busy:
      return "busy";
    case DatabaseFault::denied:
      return "denied";
    case DatabaseFault::missing_table:
      return "missing_table";
    case DatabaseFault::read_only:
      return "read_only";
    case DatabaseFault::in_use:
      return "in_use";
    case DatabaseFault::too_old:
      return "too_old";
    case DatabaseFault::no_keeper:
      return "no_keeper";
    case DatabaseFault::disk_full:
      return "disk_full";
    case DatabaseFault::query:
      break;
  }
  return "query";
}

DatabaseError::DatabaseError(DatabaseFault fault, const std::string& database,
                             const std::string& message)
    : Error(problem_of(database, message)), fault_(fault) {}

}  // namespace clickhouse

}  // namespace jfrtree
