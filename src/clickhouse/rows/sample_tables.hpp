#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <jfrtree/clickhouse.hpp>
#include <jfrtree/sample_rows.hpp>

#include "clickhouse/rows/row_block.hpp"
#include "io/seeded_map.hpp"

namespace jfrtree::internal {

/// Rows that a block has at most, and elements of lists.
constexpr std::size_t most_block_rows = 65'536;
constexpr std::size_t most_block_items = std::size_t{1} << 20;

[[nodiscard]] std::vector<ColumnName> table_columns(clickhouse::Model model,
                                                    clickhouse::Table table);
/// Loads from this number on bring their sums by the hour along; those of others, and of rows that
/// belong to no load (0), are made by a view.
constexpr std::uint64_t first_load_with_hours = std::uint64_t{1} << 63;

/// `(service, kind, …)`.
[[nodiscard]] std::string column_list(const std::vector<ColumnName>& columns);

/// What is done with a block that is full; it is cleared afterwards.
using TakeBlock = std::function<void(const RowBlock& block)>;

/// The service of a source: its label, else `default`.
[[nodiscard]] std::string_view service_of(const SampleChunk& chunk);

/// Stacks that were handed on already, by service and day.
class KnownStacks {
 public:
  /// False when the stack was added before. What is known is forgotten when it grows too large:
  /// then stacks are written again, which does no harm.
  [[nodiscard]] bool add(std::string_view service, std::uint64_t stack_hash, std::uint64_t day);

 private:
  static constexpr std::size_t most_stacks = std::size_t{2} << 20;  // 64 MB

  SeededSet<std::uint64_t> keys_;
};

/// Adds the rows of a chunk to a block of `profile_samples` of the model `hashed`.
void add_sample_rows(const SampleChunk& chunk, std::uint64_t load_id, RowBlock& block,
                     const TakeBlock& take);
/// Their sums by the hour, over processes and threads and without snapshots, to a block of
/// `profile_samples_1h`. The rows must be as `SampleChunk` has them: by kind and bucket.
void add_hour_rows(const SampleChunk& chunk, std::uint64_t load_id, RowBlock& block,
                   const TakeBlock& take);
/// The rows of a chunk that have a third number, to a block of `profile_bytes`.
void add_bytes_rows(const SampleChunk& chunk, std::uint64_t load_id, RowBlock& block,
                    const TakeBlock& take);
/// The stacks of a chunk that are not known yet, to a block of `profile_stacks`. Returns how many.
std::uint64_t add_stack_rows(const SampleChunk& chunk, KnownStacks& known, RowBlock& block,
                             const TakeBlock& take);
/// The rows of a chunk, to a block of `otel_profiles`. Returns how many.
std::uint64_t add_otel_rows(const SampleChunk& chunk, std::uint64_t load_id,
                            std::uint64_t bucket_ns, RowBlock& block, const TakeBlock& take);

/// Throws UsageError for buckets that the tables cannot hold.
void check_row_request(const clickhouse::RowRequest& request);

}  // namespace jfrtree::internal
