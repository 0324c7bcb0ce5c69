#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include <jfrtree/clickhouse_load.hpp>

#include "clickhouse/connection/retries.hpp"
#include "clickhouse/load/ledger.hpp"
#include "clickhouse/rows/sample_tables.hpp"

namespace jfrtree::internal {

/// Throws DatabaseError unless the tables are there and of this program's schema; makes them where
/// the options or an empty folder allow it. What fails for a moment is tried again.
void check_tables(clickhouse::Database& database, const clickhouse::LoadOptions& options,
                  const std::atomic<bool>* stop);

/// Gathers the rows of chunks and sends them in batches, by the ledger. Usable for any number of
/// readings one after the other; what it remembers is bounded. The options must outlive it.
class Loader final : public SampleRowSink {
 public:
  Loader(clickhouse::Database& database, const clickhouse::LoadOptions& options,
         const std::atomic<bool>* stop);

  bool wants(const SampleChunkPlace& place) override;
  void chunk(const SampleChunk& chunk) override;
  /// Sends what is left. Throws DatabaseError. Does nothing after sending has failed: what was
  /// begun then is left to the next loader.
  void finish();
  /// A reading has failed: chunks that it wanted and did not bring may come again.
  void forget_unread();

  /// What was done since the last call, without what reading gave.
  [[nodiscard]] clickhouse::LoadResult take_result();
  /// The sources of chunks that were left to other loaders since the last call.
  [[nodiscard]] std::set<std::string> take_left_sources();

 private:
  /// What a chunk becomes, until its batch is sent.
  struct Pending {
    LedgerEntry entry;
    std::string samples;  // blocks of Native
    std::string hours;    // the same of their sums by the hour
    std::string bytes;    // and of the table of bytes
    std::uint64_t rows = 0;
    bool is_dropped = false;
    bool has_replaced = false;  // an earlier load of it
  };

  [[nodiscard]] LoadNotes notes_of(const SampleChunkPlace& place) const;
  void append_stacks(const RowBlock& block);
  void add_sums(const SampleChunk& chunk, Pending& pending);
  void send();
  void send_stacks();
  [[nodiscard]] std::string joined(std::string Pending::*rows) const;
  void insert(const std::string& table, const std::vector<ColumnName>& columns,
              const std::string& bytes);
  [[nodiscard]] std::vector<LedgerEntry> entries() const;
  [[nodiscard]] std::vector<std::uint64_t> chunk_hashes() const;
  [[nodiscard]] std::vector<KnownLoad> look_at_others();
  void look_at_other_states(std::vector<KnownLoad>& replaced);
  void drop(Pending& chunk, std::vector<KnownLoad>& dropped);
  void settle(std::vector<KnownLoad>& replaced);
  void count();
  void skip(const LoadNotes& stored, const LoadNotes& wanted);
  void tell_of_skipped();

  const clickhouse::LoadOptions& options_;
  clickhouse::Model model_;
  std::mutex mutex_;  // everything below
  Retries database_;
  Ledger ledger_;
  KnownStacks known_;
  SeededSet<std::uint64_t> seen_;  // chunks that are read or pending
  RowBlock samples_;
  RowBlock hours_;
  RowBlock bytes_;
  RowBlock stacks_;
  std::string stack_bytes_;
  std::uint64_t stack_rows_ = 0;
  std::vector<Pending> pending_;
  std::size_t pending_bytes_ = 0;
  bool is_sending_ = false;              // or has failed to
  std::uint32_t selection_;              // a hash of what is asked for
  std::uint64_t with_other_labels_ = 0;  // skipped chunks, since that was said
  std::uint64_t with_other_selection_ = 0;
  clickhouse::LoadResult result_;
  std::set<std::string> left_sources_;
};

}  // namespace jfrtree::internal
