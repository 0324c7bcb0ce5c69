#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include <jfrtree/clickhouse_query.hpp>

#include "clickhouse/query/query_absent.hpp"
#include "clickhouse/query/query_stacks.hpp"
#include "clickhouse/query/query_text.hpp"
#include "clickhouse/query/stack_blocks.hpp"
#include "clickhouse/rows/binary_rows.hpp"
#include "clickhouse/schema/schema_parts.hpp"
#include "profile/kinds.hpp"
#include "profile/saturating_add.hpp"

namespace jfrtree {

namespace internal {

namespace {

using clickhouse::Database;
using clickhouse::ProfileQuery;

/// Stacks whose frames are asked for at once: a statement may have 256 KiB.
constexpr std::size_t most_stacks_at_once = 8192;
/// Frames of these, so that few deep stacks do not fill the memory.
constexpr std::uint64_t most_frames_at_once = std::uint64_t{1} << 19;
/// Stacks with at most so many frames are asked for without a look at their lengths.
constexpr std::uint64_t usual_depth = 256;
constexpr const char* query_settings =
    " SETTINGS max_bytes_before_external_group_by = 1073741824, "
    "max_bytes_before_external_sort = 1073741824";

[[nodiscard]] std::size_t rank_of(std::string_view kind) {
  const auto kinds = kind_rows();
  const auto found = std::find_if(kinds.begin(), kinds.end(), [kind](const KindRow& row) {
    return row.description.name == kind;
  });
  return static_cast<std::size_t>(found - kinds.begin());
}

class ProfileReader {
 public:
  ProfileReader(Database& database, const ProfileQuery& query)
      : database_(database), query_(query), stacks_(query.limits, query.by_thread) {}

  [[nodiscard]] ProfileSet run() {
    // Whoever names kinds need not wait for a look at all of them.
    if (query_.kinds.empty() || query_.allow_absent) {
      set_.kinds_present = clickhouse::query_kinds(database_, query_);
    }
    for (const std::string& kind : query_.kinds.empty() ? set_.kinds_present : query_.kinds) {
      read_sums(kind);
    }
    if (kinds_.empty() && !query_.allow_absent) throw_absent(database_, query_, query_.kinds);
    read_stacks();
    set_.profiles = stacks_.take_profiles();
    read_recorded_time();
    for (std::size_t i = 0; i < kinds_.size(); ++i) describe(set_.profiles[i], kinds_[i]);
    note_missing();
    return std::move(set_);
  }

 private:
  void read_sums(const std::string& kind) {
    QueryText text(query_, QueryText::Texts::bound);
    const auto bytes = has_bytes(kind) ? QueryText::Bytes::with : QueryText::Bytes::without;
    const std::string sql = text.largest_sums(kind, bytes);
    BinaryRows rows(database_, query_sums(sql, text.parameters()));
    if (rows.is_at_end()) {
      if (!query_.allow_absent) throw_absent(database_, query_, {kind});
      return;
    }
    kinds_.push_back(kind);
    stacks_.begin_kind(bytes == QueryText::Bytes::with);
    while (!rows.is_at_end()) {
      QueryStacks::Sum sum;
      sum.is_other = rows.number<std::uint8_t>() != 0;
      const std::string_view thread = rows.text();
      sum.hash = rows.number<std::uint64_t>();
      sum.samples = rows.number<std::uint64_t>();
      sum.amount = rows.number<std::uint64_t>();
      sum.stacks = rows.number<std::uint64_t>();
      if (bytes == QueryText::Bytes::with) sum.bytes = rows.number<std::uint64_t>();
      stacks_.add_sum(sum, thread);
      if (sum.is_other) note_other(kind, sum);
    }
  }

  /// Large sums go to disk before memory is short, unless the user may not set that.
  [[nodiscard]] std::string query_sums(const std::string& sql,
                                       const clickhouse::QueryParameters& parameters) {
    try {
      return database_.query(sql + query_settings + " FORMAT RowBinary", parameters);
    } catch (const clickhouse::DatabaseError& error) {
      if (error.fault() != clickhouse::DatabaseFault::read_only) throw;
    }
    return database_.query(sql + " FORMAT RowBinary", parameters);
  }

  void note_other(const std::string& kind, const QueryStacks::Sum& sum) {
    Problem& note = set_.problems.emplace_back();
    note.code = ErrorCode::left_out;
    note.severity = Severity::note;
    note.file = database_.name();
    note.message = kind + ": " + std::to_string(sum.stacks) + " smaller stacks with " +
                   std::to_string(sum.samples) + " samples are in (other)";
  }

  void note_missing() {
    if (stacks_.missing_samples() == 0) return;
    Problem& note = set_.problems.emplace_back();
    note.code = ErrorCode::missing_constant;
    note.severity = Severity::note;
    note.file = database_.name();
    note.message = "the stacks of " + std::to_string(stacks_.missing_samples()) +
                   " samples are not stored, or not any more";
  }

  void read_stacks() {
    const std::vector<std::uint64_t> hashes = stacks_.hashes();
    for (std::size_t i = 0; i < hashes.size(); i += most_stacks_at_once) {
      read_stacks(std::span(hashes).subspan(i, std::min(most_stacks_at_once, hashes.size() - i)));
    }
  }

  /// Stacks of a usual depth come at once. Of what is missing then the lengths are asked for: the
  /// frames of many deep stacks together could be too much.
  void read_stacks(std::span<const std::uint64_t> hashes) {
    read_frames(hashes, " AND length(frames) <= " + std::to_string(usual_depth));
    std::vector<std::uint64_t> missing;
    for (const std::uint64_t hash : hashes) {
      if (!stacks_.has(hash)) missing.push_back(hash);
    }
    if (missing.empty()) return;
    BinaryRows rows(database_, query_stacks("length(frames)", missing, " FORMAT RowBinary"));
    std::vector<std::uint64_t> batch;
    std::uint64_t frames = 0;
    while (!rows.is_at_end()) {
      const auto hash = rows.number<std::uint64_t>();
      const auto length = rows.number<std::uint64_t>();
      if (!batch.empty() && frames + length > most_frames_at_once) {
        read_frames(batch, "");
        batch.clear();
        frames = 0;
      }
      batch.push_back(hash);
      frames += length;
    }
    if (!batch.empty()) read_frames(batch, "");
  }

  void read_frames(std::span<const std::uint64_t> hashes, const std::string& condition) {
    const std::string blocks = query_stacks("frames", hashes, " FORMAT Native", condition);
    add_stack_blocks(stacks_, blocks, database_.name());
  }

  [[nodiscard]] std::string query_stacks(const std::string& column,
                                         std::span<const std::uint64_t> hashes,
                                         const std::string& format,
                                         const std::string& condition = {}) {
    QueryText text(query_, QueryText::Texts::bound);
    std::string sql = "SELECT stack_hash, " + column + " FROM profile_stacks WHERE stack_hash IN (";
    for (const std::uint64_t hash : hashes) sql += std::to_string(hash) + ",";
    sql.back() = ')';
    sql += text.service_condition() + condition + " LIMIT 1 BY stack_hash" + format;
    return database_.query(sql, text.parameters());
  }

  /// The time that samples may be from: that of the recordings, and no more than the range.
  void read_recorded_time() {
    QueryText text(query_, QueryText::Texts::bound);
    BinaryRows rows(database_,
                    database_.query(text.recorded_time() + " FORMAT RowBinary", text.parameters()));
    const auto loads = rows.number<std::uint64_t>();
    const auto start = rows.number<std::int64_t>();
    const auto end = rows.number<std::int64_t>();
    const auto covered = rows.number<std::int64_t>();
    const bool may_be_estimate = rows.number<std::uint8_t>() != 0;
    if (loads == 0) return;  // rows that belong to no load
    may_be_estimate_ = may_be_estimate;
    set_.start_ns = start;
    set_.end_ns = end;
    set_.span_ns = static_cast<std::uint64_t>(covered);
  }

  /// What the numbers mean. Unknown values are stored as 0, where only a kind may have them.
  void describe(Profile& profile, const std::string& kind) const {
    profile.kind = kind;
    const KindRow* const row = find_kind(kind);
    const bool may_be_unknown = row == nullptr || value_may_be_unknown(*row);
    bool is_known = true;
    bool has_value = false;
    std::uint64_t value = 0;
    for (StackSum& stack : profile.stacks) {
      stack.has_value = !may_be_unknown || stack.value > 0;
      is_known = is_known && stack.has_value;
      has_value = has_value || stack.has_value;
      add_saturated(value, stack.value);
    }
    if (row == nullptr) {
      profile.sample_types.push_back({"samples", "count"});
      if (has_value) profile.sample_types.push_back({"value", "number"});
    } else {
      profile.is_snapshot = row->description.is_snapshot;
      profile.sample_types = {row->count, row->value};
      if (has_bytes(kind)) profile.sample_types.push_back(row->third);
    }
    const bool is_estimate = row != nullptr && !row->estimate.empty() && may_be_estimate_;
    if (is_estimate) profile.sample_types[1].name = row->estimate;
    if (profile.sample_types.size() > 1 && is_known) profile.value = value;
    const bool is_default =
        profile.value && !is_estimate && kind != "native" && (row != nullptr || value > 0);
    profile.default_sample_type = is_default ? 1 : 0;
  }

  Database& database_;
  const ProfileQuery& query_;
  QueryStacks stacks_;
  std::vector<std::string> kinds_;
  ProfileSet set_;
  bool may_be_estimate_ = true;
};

}  // namespace

}  // namespace internal

std::vector<std::string> clickhouse::query_kinds(Database& database, const ProfileQuery& query) {
  using internal::QueryText;
  QueryText text(query, QueryText::Texts::bound);
  const std::string sql = text.present("toString(kind)") + " FORMAT RowBinary";
  internal::BinaryRows rows(database, database.query(sql, text.parameters()));
  std::vector<std::string> kinds;
  while (!rows.is_at_end()) kinds.emplace_back(rows.text());
  std::sort(kinds.begin(), kinds.end(), [](const std::string& a, const std::string& b) {
    return std::pair(internal::rank_of(a), a) < std::pair(internal::rank_of(b), b);
  });
  return kinds;
}

ProfileSet clickhouse::query_profiles(Database& database, const ProfileQuery& query) {
  if (query.max_stacks == 0) throw UsageError("at least one stack must be kept");
  check_query_tables(database);
  return internal::ProfileReader(database, query).run();
}

}  // namespace jfrtree
