#pragma once

#include <optional>
#include <string>
#include <vector>

#include <pybind11/pybind11.h>

#include <jfrtree/clickhouse.hpp>
#include <jfrtree/clickhouse_database.hpp>
#include <jfrtree/clickhouse_load.hpp>
#include <jfrtree/clickhouse_query.hpp>
#include <jfrtree/labels.hpp>

namespace jfrtree::python {

namespace py = pybind11;

// As in `options.hpp`: dicts whose keys are all known here.

/// `place`, `database`, `user`, `password`, `compression`, `ca_file`, `chdb_library`,
/// `connect_timeout_ms`, `timeout_s`.
[[nodiscard]] clickhouse::DatabaseOptions database_options(const py::dict& options);

/// `model`, `bucket` and the options of a profile.
[[nodiscard]] clickhouse::RowRequest row_request(const py::dict& options);

/// The same, `cluster`, `create`, `force` and `retries`.
[[nodiscard]] clickhouse::LoadOptions load_options(const py::dict& options);

/// `model`, `cluster`, `database`, `retention`, `each_shard`.
[[nodiscard]] clickhouse::SchemaOptions schema_options(const py::dict& options);

/// `kinds`, `start`, `end`, `where`, `by_thread`, `max_stacks`, `by_count`, `limits`.
[[nodiscard]] clickhouse::ProfileQuery profile_query(const py::dict& options);

/// `services`, `start`, `end`, `most_recordings`.
[[nodiscard]] clickhouse::CatalogueRequest catalogue_request(const py::dict& options);

/// `macros`, `min_width`, `database`, `settings`.
[[nodiscard]] clickhouse::TreeSqlOptions tree_sql_options(const py::dict& options);

/// Labels that are given beside inputs: `labels`, and `label_from_path`.
class GivenLabels {
 public:
  explicit GivenLabels(const py::dict& options);

  /// Adds them to those that the sources have; `labels` count before these, and these before those
  /// of paths. Adds notes about paths that have none.
  void apply_to(std::vector<Source>& sources, std::vector<Problem>& found) const;

 private:
  Labels labels_;
  std::optional<LabelPattern> pattern_;
};

}  // namespace jfrtree::python
