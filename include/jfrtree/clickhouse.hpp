#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <jfrtree/output.hpp>
#include <jfrtree/profile.hpp>
#include <jfrtree/sample_rows.hpp>

namespace jfrtree::clickhouse {

/// How profiles lie in a database.
enum class Model : std::uint8_t {
  hashed,         ///< our own: sums per bucket, kind and stack hash, and a table of stacks
  otel_profiles,  ///< the table of OpenTelemetry's ClickHouse exporter: stacks in rows, leaf first
};

/// The tables of the model `hashed`. The other one has a single table, its samples.
enum class Table : std::uint8_t {
  samples,
  stacks,
  bytes,  ///< the third number of kinds that have one, as `io`
};

/// Formats of ClickHouse that rows are written in.
enum class RowFormat : std::uint8_t {
  native,         ///< blocks of columns, the fastest and smallest
  row_binary,     ///< columns in the order of the schema, no header
  tsv,            ///< the same as text
  json_each_row,  ///< an object a line
};

/// The names, e.g. `otel_profiles`, `samples`, `rowbinary`, or nothing for other texts.
[[nodiscard]] std::optional<Model> find_model(std::string_view name) noexcept;
[[nodiscard]] std::optional<Table> find_table(std::string_view name) noexcept;
[[nodiscard]] std::optional<RowFormat> find_row_format(std::string_view name) noexcept;

/// Changes whenever tables made by an older schema cannot be used as they are. It stands in the
/// comment of the table of samples, `jfrtree schema 3`. `create_tables` changes tables of an older
/// one.
inline constexpr unsigned schema_version = 3;

struct SchemaOptions {
  Model model = Model::hashed;
  /// Name of a cluster of the server's configuration: each shard gets tables whose names end in
  /// `_local`, and Distributed tables over them have the plain names.
  std::string cluster{};
  std::string database{};                    ///< empty: the connection's
  std::optional<unsigned> retention_days{};  ///< rows older than this are deleted by the server
  /// Statements of a cluster without ON CLUSTER, which needs a Keeper: to be run on each shard.
  bool each_shard = false;
};

/// The statements that make the tables and views, in order, each without a semicolon. All can be
/// run again. Throws UsageError for a retention of 0 days, and for
/// `each_shard` without a cluster.
[[nodiscard]] std::vector<std::string> schema_statements(const SchemaOptions& options);
/// The same as a script with comments.
[[nodiscard]] std::string schema_text(const SchemaOptions& options);

/// What rows are made of.
struct RowRequest {
  Model model = Model::hashed;
  /// The bucket must be a whole number of seconds, at least one. Frames are normalised by default.
  SampleRowRequest samples = default_samples();

  [[nodiscard]] static SampleRowRequest default_samples() {
    SampleRowRequest request;
    request.profile.frames.normalize = true;
    return request;
  }
};

/// The identity of a process in rows: a hash of its host (the label `host`), its process id and the
/// start of its JVM; of its path where the recording does not say the latter.
[[nodiscard]] std::uint64_t process_hash(const SampleChunk& chunk);

struct RowCounts {
  std::uint64_t rows = 0;
  std::uint64_t blocks = 0;
  SampleRowResult read;
};

/// Writes the rows of one table. The labels of a source fill the columns `service` (`default`
/// without one) and `labels`. Rows written this way belong to no load: their `load_id` is 0. The
/// output is not committed. Memory: as `read_sample_rows`, a block, and with `Table::stacks` 16
/// bytes a stack and day, so that each is written once. Throws UsageError, and as
/// `read_sample_rows`.
[[nodiscard]] RowCounts write_rows(Output& output, std::vector<Source> sources, Table table,
                                   RowFormat format, const RowRequest& request,
                                   const ReadOptions& options = {});

}  // namespace jfrtree::clickhouse
