#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <jfrtree/clickhouse.hpp>
#include <jfrtree/clickhouse_database.hpp>

namespace jfrtree::clickhouse {

struct LoadOptions {
  RowRequest request;
  std::string cluster{};  ///< as for the schema, where tables lie on the shards of one
  bool create = false;    ///< makes the tables that are not there
  bool force = false;     ///< chunks that are there are loaded anew, and replace what was there
  unsigned retries = 5;   ///< of a statement that failed for a moment; the waits double

  /// As `retries`: without end. The waits grow to 30 s, and the message comes once.
  static constexpr unsigned endless = ~0U;
  std::chrono::milliseconds first_wait{250};
  /// Bytes of rows that are gathered before they are sent, for several chunks together.
  std::size_t batch_bytes = std::size_t{64} << 20;
  /// What a person should know while it goes on: retries, chunks that another loader has.
  std::function<void(const std::string& text)> message{};
};

struct LoadResult {
  std::uint64_t loaded_chunks = 0;
  std::uint64_t skipped_chunks = 0;   ///< that were there already
  std::uint64_t replaced_chunks = 0;  ///< whose earlier load or state was replaced
  std::uint64_t left_chunks = 0;      ///< that another loader has begun and goes on with
  std::uint64_t undone_loads = 0;     ///< of loaders that are gone
  std::uint64_t sample_rows = 0;
  std::uint64_t stack_rows = 0;
  std::uint64_t bytes = 0;  ///< of Native blocks, before compression
  SampleRowResult read;
};

/// Loads recordings into a database, each chunk once whoever loads it, by a ledger: a chunk is
/// marked as started with a random number, its stacks and samples are inserted with that number,
/// and it is marked as committed. Rows count only when their load is committed, so a load that was
/// cut short never shows; the next one undoes it and loads the chunk again.
///
/// A chunk that was loaded before it was finished (marked so in the ledger) is replaced when a
/// later state of it comes: one of the same start, service, and process or path.
///
/// Memory: as `read_sample_rows`, `batch_bytes`, and at most 150 MB of hashes of stacks and chunks
/// that were loaded. Throws DatabaseError, and as `read_sample_rows`.
[[nodiscard]] LoadResult load(Database& database, std::vector<Source> sources,
                              const LoadOptions& options, const ReadOptions& reading = {});

/// Makes the tables of a schema. Throws DatabaseError.
void create_tables(Database& database, const SchemaOptions& options);

}  // namespace jfrtree::clickhouse
