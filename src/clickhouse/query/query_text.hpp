#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <jfrtree/clickhouse_query.hpp>

#include "clickhouse/query/query_range.hpp"

namespace jfrtree::internal {

/// Writes the parts that queries of samples have in common. Texts become parameters, which are
/// gathered, or literals, for a statement that somebody else runs.
class QueryText {
 public:
  enum class Texts : std::uint8_t { bound, literal };
  enum class Bytes : std::uint8_t { without, with };

  QueryText(const clickhouse::ProfileQuery& query, Texts texts,
            clickhouse::TreeSqlOptions options = {})
      : query_(query), texts_(texts), options_(std::move(options)) {}

  /// A text as the statement holds it.
  [[nodiscard]] std::string text(std::string_view value);
  /// A table or view by the name that the statement has for it.
  [[nodiscard]] std::string table(std::string_view name) const;

  /// ` AND service IN (…)`, or nothing where any will do.
  [[nodiscard]] std::string service_condition();
  /// All that rows of the table of a part must fulfil, but the kind.
  [[nodiscard]] std::string row_conditions(const RangePart& part);
  /// The range of the query, divided; of a snapshot and by threads only the finest table will do.
  [[nodiscard]] std::vector<RangePart> parts(bool is_snapshot) const;

  /// A query of `thread_name` (empty unless by thread), `hash`, `samples`, `amount`: the sums of
  /// the stacks of a kind. `Bytes::with`, for kinds that have them: and `bytes`.
  [[nodiscard]] std::string sums(std::string_view kind, Bytes bytes = Bytes::without);
  /// A query of `is_other`, `thread_name`, `hash`, `samples`, `amount`, `stacks`: the largest
  /// stacks, and one row for all others. `Bytes::with`: and `bytes`.
  [[nodiscard]] std::string largest_sums(std::string_view kind, Bytes bytes = Bytes::without);

  /// Whether stacks of a kind are ranked and drawn by their counts.
  [[nodiscard]] bool by_count(std::string_view kind) const noexcept;

  /// A query of one column: what a column or expression has in the rows of all kinds.
  [[nodiscard]] std::string present(const std::string& column);
  /// Whether rows are chosen by what the ledger does not know.
  [[nodiscard]] bool has_more_than_service() const noexcept;

  /// A query of one row about the complete loads that rows may be of, as far as they lie in the
  /// range: their number, from when and to when they are (ns), how much of that they cover, each
  /// moment once, and whether one is not async-profiler's.
  [[nodiscard]] std::string recorded_time();

  [[nodiscard]] const clickhouse::QueryParameters& parameters() const noexcept {
    return parameters_;
  }

 private:
  [[nodiscard]] bool is_by_thread() const noexcept;
  [[nodiscard]] std::string time_conditions(const RangePart& part) const;
  [[nodiscard]] std::string where_conditions();
  [[nodiscard]] std::string newest_snapshots(const std::string& conditions) const;
  [[nodiscard]] std::string part_sums(const RangePart& part, std::string_view kind,
                                      bool is_snapshot);
  [[nodiscard]] std::string bytes_sums(std::string_view kind);
  [[nodiscard]] std::string thread_column() const;

  const clickhouse::ProfileQuery& query_;
  Texts texts_;
  clickhouse::TreeSqlOptions options_;
  clickhouse::QueryParameters parameters_;
};

/// Whether a kind has bytes as a third number.
[[nodiscard]] bool has_bytes(std::string_view kind) noexcept;
/// Whether a kind is a state at a moment.
[[nodiscard]] bool is_snapshot_kind(std::string_view kind) noexcept;

}  // namespace jfrtree::internal
