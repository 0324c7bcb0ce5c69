#pragma once

#include <cstdint>
#include <string>

namespace jfrtree::clickhouse {

/// Grafana's plugins for ClickHouse.
enum class DataSource : std::uint8_t {
  official,  ///< grafana-clickhouse-datasource
  altinity,  ///< vertamedia-clickhouse-datasource
};

struct DashboardOptions {
  DataSource data_source = DataSource::official;
  std::string database{};  ///< of the tables of `schema_text`; empty: the data source's own
};

/// A Grafana dashboard as JSON over the tables of the model `hashed`: trend, flame graph, hottest
/// methods, recordings, and a comparison with an earlier time. Its queries use Grafana's own
/// variables alone, no macros of a plugin. Ranges of more than six hours are read from the sums by
/// the minute, of more than a week from those by the hour; of kinds that are snapshots the newest
/// of each process counts. The largest stacks are drawn, the others are summed as `(other)`.
[[nodiscard]] std::string dashboard_text(const DashboardOptions& options = {});

}  // namespace jfrtree::clickhouse
