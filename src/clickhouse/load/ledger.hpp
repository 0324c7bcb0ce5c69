#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <jfrtree/clickhouse_load.hpp>

#include "clickhouse/connection/retries.hpp"
#include "clickhouse/load/load_notes.hpp"
#include "io/seeded_map.hpp"

namespace jfrtree::internal {

/// A chunk that is being loaded, as the ledger tells of it.
struct LedgerEntry {
  std::uint64_t chunk_hash = 0;
  std::uint64_t load_id = 0;
  std::string service;
  std::string source;
  std::uint64_t process = 0;
  std::string host;
  std::string producer;
  std::int64_t start_ns = 0;
  std::int64_t end_ns = 0;
  std::uint64_t events = 0;
  std::uint64_t samples = 0;
  std::string problems;
  LoadNotes notes;
};

/// Loads of one chunk by anybody.
struct KnownLoad {
  enum class State : std::uint8_t { started = 1, committed = 2, replaced = 3 };

  std::uint64_t chunk_hash = 0;
  std::uint64_t load_id = 0;
  State state = State::started;
  bool is_abandoned = false;  ///< started, and whoever did so is gone
  LoadNotes notes{};          ///< of a load that is committed
};

/// Says who loads, so that others on this machine see when it is gone: `loader HOST PID START
/// NUMBER`. A process may have several after each other or at once; each holds a file without a
/// place by which it is seen to be there.
class LoaderMark {
 public:
  LoaderMark();
  ~LoaderMark();
  LoaderMark(const LoaderMark&) = delete;
  LoaderMark& operator=(const LoaderMark&) = delete;

  [[nodiscard]] const std::string& name() const noexcept { return name_; }

 private:
  std::string name_;
  int file_ = -1;
};

/// Whether a loader of this machine is known to be gone. False for others.
[[nodiscard]] bool is_gone(const std::string& loader);

/// The table of what was loaded.
class Ledger {
 public:
  Ledger(Retries& database, const clickhouse::LoadOptions& options);

  /// The notes of a chunk that was committed before, as far as is known without asking for each:
  /// the chunks of a day and service are asked for together.
  [[nodiscard]] std::optional<LoadNotes> committed(std::uint64_t chunk_hash,
                                                   const std::string& service,
                                                   std::int64_t start_ns);
  /// Whether a chunk that starts at the same time was committed before it was finished, as far as
  /// `committed` has looked.
  [[nodiscard]] bool has_partial(const LedgerEntry& entry) const;
  /// For `committed` and `has_partial`: this chunk was committed.
  void remember(const LedgerEntry& entry);
  /// Committed chunks that start when one of these does, of any source.
  [[nodiscard]] std::vector<LedgerEntry> states_of(std::span<const LedgerEntry> entries);
  /// Writes the state of loads, those of this program.
  void write(std::span<const LedgerEntry> entries, KnownLoad::State state);
  /// Marks loads of anybody as replaced.
  void replace(std::span<const KnownLoad> loads);
  /// All loads of some chunks but those that were replaced, those of this program among them.
  [[nodiscard]] std::vector<KnownLoad> loads_of(std::span<const std::uint64_t> chunk_hashes);
  /// Deletes the rows of loads from the tables that hold samples. On a cluster that has no Keeper
  /// they stay, and do not count: the loads are, or will be, marked as replaced.
  void delete_rows(std::span<const KnownLoad> loads);

 private:
  void forget();
  [[nodiscard]] std::string time_of(std::span<const KnownLoad> loads);
  void delete_rows_of(const std::string& table, const std::string& rows);
  [[nodiscard]] std::vector<KnownLoad> read_loads_of(std::span<const std::uint64_t> chunk_hashes);
  [[nodiscard]] bool is_abandoned(const std::string& notes, bool is_old) const;

  Retries& database_;
  std::string table_;
  std::vector<std::string> sample_tables_;  // whose rows have a load_id
  std::string load_condition_;              // an expression that gives the load of a row
  std::string time_column_;                 // of these tables
  std::string on_cluster_;
  bool may_delete_ = true;
  std::string settings_;  // for inserts into Distributed tables
  LoaderMark loader_;
  /// Committed chunks by service and day. Forgotten when they become too many.
  std::map<std::pair<std::string, std::int64_t>, SeededMap<std::uint64_t, LoadNotes>> committed_;
  std::size_t committed_count_ = 0;
  SeededSet<std::uint64_t> partial_;  // of service and start
};

}  // namespace jfrtree::internal
