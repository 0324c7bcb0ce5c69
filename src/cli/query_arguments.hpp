#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <jfrtree/clickhouse_query.hpp>
#include <jfrtree/filter.hpp>

#include "cli/command_line.hpp"
#include "cli/console.hpp"
#include "cli/database_arguments.hpp"
#include "cli/profile_arguments.hpp"

namespace jfrtree::cli {

/// A range of time of a database: its ends are absolute, before now, or behind its start.
struct QueryTimes {
  std::optional<TimePoint> from;
  std::optional<TimePoint> to;

  /// `--PREFIXfrom` and `--PREFIXto`.
  void add_to(CommandLine& line, const std::string& prefix, const std::string& what);
  [[nodiscard]] bool is_given() const noexcept { return from || to; }
  [[nodiscard]] TimeRange resolve(std::int64_t now_ns) const;
  /// Says when a moment that was given lies in the middle of a bucket, whose samples do not count.
  void tell_of_cut_bucket(const std::string& prefix, const Console& console) const;
};

using Conditions = std::vector<std::pair<std::string, std::string>>;

/// A repeatable option of the form KEY=VALUE.
void add_where_option(CommandLine& line, const std::string& option, const std::string& description,
                      Conditions& target);
/// `service=cart, host=a`.
[[nodiscard]] std::vector<std::string> condition_texts(const Conditions& conditions);

/// The options of commands that read profiles from a database.
struct QueryArguments {
  enum class Kinds : std::uint8_t { one, several };

  DatabaseArguments database;
  QueryTimes times;
  Conditions where;
  std::vector<std::string> kinds;
  bool all_kinds = false;
  bool by_thread = false;
  std::uint64_t max_stacks = clickhouse::ProfileQuery{}.max_stacks;
  bool has_max_stacks = false;
  std::string sample_type;
  Limits limits;
  std::string output = "-";
  bool quiet = false;
  bool verbose = false;

  /// All but `add_output_to`, whose options come last.
  void add_to(CommandLine& line, Kinds kinds_taken, const std::string& kind_description);
  void add_output_to(CommandLine& line);
  /// Sets the level of the console. Throws UsageError.
  void check(const std::vector<std::string>& files, Console& console) const;
  [[nodiscard]] bool wants_several() const noexcept { return all_kinds || kinds.size() > 1; }
  [[nodiscard]] clickhouse::ProfileQuery query() const;

 private:
  void add_kind(const std::string& kind, Kinds kinds_taken);
};

/// Opens a database that is to be read: a folder that is not there is not made. Throws
/// DatabaseError.
[[nodiscard]] std::unique_ptr<clickhouse::Database> open_stored_database(
    const DatabaseArguments& arguments);

/// Nanoseconds since the epoch.
[[nodiscard]] std::int64_t now_ns();

/// The forms of times, for help.
[[nodiscard]] std::string query_times_help();

/// The conditions and times of a query, for the head of a page.
[[nodiscard]] std::vector<std::string> query_texts(const clickhouse::ProfileQuery& query);

}  // namespace jfrtree::cli
