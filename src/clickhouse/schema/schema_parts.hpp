#pragma once

#include <string>
#include <utility>
#include <vector>

#include <jfrtree/clickhouse.hpp>

#include "profile/kinds.hpp"

namespace jfrtree::internal {

struct SchemaStatement {
  std::string sql;
  std::string comment{};
  std::string object{};  ///< the table or view that it makes, without its database
};

/// Writes the statements of a schema: on one server, or on the shards of a cluster with Distributed
/// tables above.
class SchemaMaker {
 public:
  explicit SchemaMaker(const clickhouse::SchemaOptions& options) : options_(options) {}

  [[nodiscard]] std::vector<SchemaStatement> take() { return std::move(statements_); }

 protected:
  /// The name that queries use, with its database.
  [[nodiscard]] std::string name(const std::string& table) const;
  /// The table that holds the rows of a shard.
  [[nodiscard]] std::string local(const std::string& table) const;
  /// The same without its database.
  [[nodiscard]] std::string local_object(const std::string& table) const;

  /// The database that the options name, if any.
  void add_database();
  /// A table that holds rows. `keys` are the clauses behind the engine; rows expire by `day`, an
  /// expression, and are sharded by `sharding_key`. `is_deduplicated`: the same block is inserted
  /// once.
  void add_table(const std::string& table, const std::string& comment, const std::string& columns,
                 const std::string& engine, const std::string& keys, const std::string& day,
                 const std::string& sharding_key, bool is_deduplicated = false);
  /// The table of what was loaded.
  void add_ledger(const std::string& table);
  /// A materialised view that fills a table.
  void add_view(const std::string& view, const std::string& target, const std::string& query);
  /// A view for people and programs.
  void add_query(const std::string& view, const std::string& comment, const std::string& query);
  /// Any statement.
  void add(std::string sql) { statements_.push_back({std::move(sql)}); }
  /// ` ON CLUSTER …`, or nothing.
  [[nodiscard]] std::string on_cluster() const;

 private:
  const clickhouse::SchemaOptions& options_;
  std::vector<SchemaStatement> statements_;
};

/// Whether samples of a kind may have a value that nobody knows. It is stored as 0.
[[nodiscard]] bool value_may_be_unknown(const KindRow& kind) noexcept;

/// The tables and views of a schema.
[[nodiscard]] std::vector<std::string> schema_objects(const clickhouse::SchemaOptions& options);

[[nodiscard]] std::vector<SchemaStatement> hashed_schema(const clickhouse::SchemaOptions& options);
[[nodiscard]] std::vector<SchemaStatement> otel_schema(const clickhouse::SchemaOptions& options);
/// That of the model that the options name.
[[nodiscard]] std::vector<SchemaStatement> schema_of_model(
    const clickhouse::SchemaOptions& options);

}  // namespace jfrtree::internal
