#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <jfrtree/clickhouse_database.hpp>
#include <jfrtree/limits.hpp>
#include <jfrtree/profile.hpp>
#include <jfrtree/time_range.hpp>

namespace jfrtree::clickhouse {

/// Which samples of the model `hashed` to read back.
struct ProfileQuery {
  /// Kinds, or names of events that were loaded by name. Empty: all that have samples.
  std::vector<std::string> kinds{};
  /// Buckets that begin in this range count whole. Ends are rounded up to seconds.
  TimeRange time{};
  /// Columns `service` and `thread` and, by any other key, labels, with the value wanted; empty:
  /// the label is not there. Values of one key are alternatives, different keys must all fit.
  std::vector<std::pair<std::string, std::string>> where{};
  /// The thread, or its group, is the first frame of each stack, where it was loaded.
  bool by_thread = false;
  /// Of each kind so many stacks, those with the largest values and counts. All others are one
  /// stack with the frame `(other)`, so that the total is exact.
  std::uint64_t max_stacks = 1'000'000;
  /// The largest stacks are those with the largest counts, and `tree_sql` draws counts; else values.
  /// Nothing: counts of kinds whose values may be unknown, since 0 stands for these, and of events.
  std::optional<bool> by_count{};
  /// Kinds asked for that have no samples are left out, not a ProfileNotFound.
  bool allow_absent = false;
  /// A LimitError where the stacks have more frames than `profile_frames`.
  Limits limits{};
};

/// Reads profiles back, as `read_profiles` reads them from recordings: any exporter takes them.
/// Samples are summed by stack first, in the table of seconds, minutes or hours that gives exactly
/// the range; the stacks that are left are read afterwards, some at a time. Loads that are not
/// complete, or were replaced, do not count. Of a snapshot kind the newest chunk of each process in
/// the range counts. What cannot be told from tables: `events` is empty, `event_count` the count, a
/// third sample type is not there. Values are absent where some stack has none.
///
/// All texts of the query are bound as parameters, none is pasted into SQL. Memory: the sums of
/// `max_stacks` stacks by kind, and their frames.
///
/// Throws ProfileNotFound that says what is stored, DatabaseError (`missing_table`, and `too_old`
/// for tables of another schema, among others), LimitError, UsageError for a range that ends before
/// it begins.
[[nodiscard]] ProfileSet query_profiles(Database& database, const ProfileQuery& query);

/// Kinds that have samples, whatever kinds the query names, in the order of `profile_kinds`. Throws
/// DatabaseError, UsageError as above.
[[nodiscard]] std::vector<std::string> query_kinds(Database& database, const ProfileQuery& query);

/// How a statement for Grafana says its range of time.
enum class TimeMacros : std::uint8_t {
  none,      ///< times of the query as numbers
  official,  ///< `$__fromTime` and `$__toTime` of Grafana's own data source
  altinity,  ///< `$from` and `$to` of the Altinity plugin
};

struct TreeSqlOptions {
  TimeMacros macros = TimeMacros::none;
  double min_width = 0;    ///< percent of the total: smaller boxes are left out
  std::string database{};  ///< in front of the names of tables; empty: none
  /// Ends in settings that keep memory small; users whose profile says `readonly = 1` may not.
  bool settings = true;
};

/// One statement that gives the tree as Grafana's flame graph panel takes it: `level`, `value`,
/// `self` and `label` of each box in depth-first order, one root `total`. It is the tree of
/// `query_profiles`, row by row. Texts are literals, with all that is special in them escaped.
/// `query` has one kind. Throws UsageError where it has not.
[[nodiscard]] std::string tree_sql(const ProfileQuery& query, const TreeSqlOptions& options = {});

/// A recording that is stored: one input of one process.
struct StoredRecording {
  std::string service;
  std::string source;
  std::string host;
  std::string producer;
  std::uint64_t process = 0;
  std::uint64_t chunks = 0;
  std::int64_t start_ns = 0;
  std::int64_t end_ns = 0;
  std::uint64_t events = 0;
  std::uint64_t samples = 0;
};

/// A kind of a service, with the starts of its first and last bucket.
struct StoredKind {
  std::string service;
  std::string kind;
  bool is_snapshot = false;
  std::int64_t first_ns = 0;
  std::int64_t last_ns = 0;
};

/// A value of a label of a service.
struct StoredLabel {
  std::string service;
  std::string key;
  std::string value;
  std::int64_t first_ns = 0;
  std::int64_t last_ns = 0;
};

/// What to list.
struct CatalogueRequest {
  std::vector<std::string> services{};  ///< only of these; empty: of all
  TimeRange time{};                     ///< recordings, kinds and labels that have something in it
  /// The newest so many recordings: a database may hold millions. 0: all.
  std::size_t most_recordings = 1'000;
  bool with_recordings = true;  ///< kinds and labels are found much sooner
};

/// What is stored, without a look at samples. All lists are sorted by service.
struct Catalogue {
  std::vector<StoredRecording> recordings;
  bool has_more_recordings = false;  ///< older ones were left out
  std::vector<StoredKind> kinds;
  std::vector<StoredLabel> labels;
};

/// Lists what is stored. Throws DatabaseError.
[[nodiscard]] Catalogue query_catalogue(Database& database, const CatalogueRequest& request = {});

/// Throws DatabaseError where tables are missing or of another schema.
void check_query_tables(Database& database);

}  // namespace jfrtree::clickhouse
