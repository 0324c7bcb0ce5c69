#include <jfrtree/clickhouse_dashboard.hpp>

#include <array>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "clickhouse/rows/sql_text.hpp"
#include "embedded/dashboard_diff_sql.hpp"
#include "embedded/dashboard_flame_graph_sql.hpp"
#include "embedded/dashboard_json.hpp"
#include "embedded/dashboard_kinds_sql.hpp"
#include "embedded/dashboard_labels_sql.hpp"
#include "embedded/dashboard_methods_sql.hpp"
#include "embedded/dashboard_newest_sql.hpp"
#include "embedded/dashboard_recordings_sql.hpp"
#include "embedded/dashboard_rows_sql.hpp"
#include "embedded/dashboard_samples_sql.hpp"
#include "embedded/dashboard_services_sql.hpp"
#include "embedded/dashboard_trend_sql.hpp"
#include "export/json_text.hpp"

namespace jfrtree::clickhouse {
namespace {

constexpr std::string_view range_from = "toDateTime(intDiv(${__from}, 1000), 'UTC')";
constexpr std::string_view range_to = "toDateTime(intDiv(${__to}, 1000), 'UTC')";
// Values that may be unknown are 0 then: what has them is drawn by its counts unless somebody
// chose.
constexpr std::string_view number =
    "if('${number:raw}' = 'count' OR ('${number:raw}' != 'value' AND (SELECT count() = 0 OR "
    "max(value_may_be_unknown) FROM @db@profile_kinds WHERE kind = @kind@)), count, value)";
constexpr std::string_view is_snapshot =
    "(SELECT max(is_snapshot) FROM @db@profile_kinds WHERE kind = @kind@)";

// Grafana doubles quotes in a value and leaves backslashes, which ClickHouse would take for
// escapes: the lists of values have them, and percent signs, as %5C and %25.
constexpr std::string_view chosen_service = "decodeURLComponent(${service:sqlstring})";
constexpr std::string_view chosen_kind = "decodeURLComponent(${kind:sqlstring})";

struct Resolution {
  std::string_view table;
  std::string_view seconds;
};
constexpr std::array<Resolution, 2> resolutions{
    {{"profile_samples", "1"}, {"profile_samples_1h", "3600"}}};

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

std::string without_last_line_feed(std::string_view text) {
  return std::string(text.substr(0, text.find_last_not_of('\n') + 1));
}

std::string json_text(std::string_view text) {
  std::string json;
  internal::append_json_string(json, text);
  return json;
}

class DashboardMaker {
 public:
  explicit DashboardMaker(const DashboardOptions& options)
      : is_official_(options.data_source == DataSource::official),
        database_(options.database.empty() ? "" : internal::sql_name(options.database) + ".") {}

  /// The template with every `@name@` in it filled in.
  [[nodiscard]] std::string make() const {
    std::string text;
    std::string_view left = embedded::dashboard_json;
    for (;;) {
      const std::size_t begin = left.find('@');
      text += left.substr(0, begin);
      if (begin == std::string_view::npos) {
        return text;
      }
      const std::size_t end = left.find('@', begin + 1);
      text += value_of(left.substr(begin + 1, end - begin - 1));
      left.remove_prefix(end + 1);
    }
  }

 private:
  [[nodiscard]] std::string value_of(std::string_view name) const {
    const std::size_t colon = name.find(':');
    const std::string_view what = name.substr(0, colon);
    if (what == "plugin") {
      return json_text(plugin());
    }
    if (what == "datasource") {
      return data_source();
    }
    const std::string sql = query(name.substr(colon + 1));
    return what == "sql" ? json_text(sql) : target(sql, what == "series");
  }

  [[nodiscard]] std::string_view plugin() const noexcept {
    return is_official_ ? "grafana-clickhouse-datasource" : "vertamedia-clickhouse-datasource";
  }

  [[nodiscard]] std::string data_source() const {
    return "{\"type\": " + json_text(plugin()) + ", \"uid\": \"${datasource}\"}";
  }

  /// A query as the plugin keeps it in a panel.
  [[nodiscard]] std::string target(const std::string& sql, bool is_series) const {
    std::string json = R"({"refId": "A", "datasource": )" + data_source();
    if (is_official_) {
      json += R"(, "editorType": "sql", "queryType": )";
      json += is_series ? R"("timeseries", "format": 0)" : R"("table", "format": 1)";
      json += R"(, "rawSql": )" + json_text(sql);
    } else {
      json += R"(, "editorMode": "sql", "dateTimeType": "DATETIME", "extrapolate": false, )";
      json += R"("round": "0s", "interval": "", "intervalFactor": 1, "format": )";
      json += is_series ? R"("time_series")" : R"("table")";
      json += R"(, "rawQuery": true, "query": )" + json_text(sql);
    }
    return json + "}";
  }

  [[nodiscard]] std::string query(std::string_view name) const {
    constexpr std::string_view earlier = " - ${shift:raw}";
    std::string sql = without_last_line_feed(text_of(name));
    sql = replaced(std::move(sql), "@samples_before@", samples(earlier));
    sql = replaced(std::move(sql), "@samples@", samples(""));
    sql = replaced(std::move(sql), "@resolution_seconds@",
                   "if(@snapshot@ OR ${__to} - ${__from} <= 172800000, 10, 3600)");
    sql = with_range(std::move(sql), "");
    sql = replaced(std::move(sql), "@snapshot@", is_snapshot);
    sql = replaced(std::move(sql), "@number@", number);
    sql = replaced(std::move(sql), "@service@", chosen_service);
    sql = replaced(std::move(sql), "@kind@", chosen_kind);
    return replaced(std::move(sql), "@db@", database_);
  }

  [[nodiscard]] static std::string with_range(std::string sql, std::string_view shift) {
    sql = replaced(std::move(sql), "@from@", std::string(range_from) + std::string(shift));
    return replaced(std::move(sql), "@to@", std::string(range_to) + std::string(shift));
  }

  /// The samples of a range of time, from the table that is fine enough for it: the conditions of
  /// the others are constant, so that nothing of them is read.
  [[nodiscard]] static std::string samples(std::string_view shift) {
    std::string sql;
    for (const Resolution& resolution : resolutions) {
      if (!sql.empty()) {
        sql += "\nUNION ALL\n";
      }
      std::string part = without_last_line_feed(embedded::dashboard_samples_sql);
      if (resolution.seconds == "1") {
        part += "\n" + without_last_line_feed(embedded::dashboard_newest_sql);
      }
      part =
          replaced(std::move(part), "@rows@", without_last_line_feed(embedded::dashboard_rows_sql));
      part = replaced(std::move(part), "@table@", "@db@" + std::string(resolution.table));
      sql += replaced(std::move(part), "@resolution@", resolution.seconds);
    }
    return with_range(std::move(sql), shift);
  }

  [[nodiscard]] static std::string_view text_of(std::string_view name) {
    const std::array<std::pair<std::string_view, std::string_view>, 8> texts{
        {{"diff", embedded::dashboard_diff_sql},
         {"flame_graph", embedded::dashboard_flame_graph_sql},
         {"kinds", embedded::dashboard_kinds_sql},
         {"labels", embedded::dashboard_labels_sql},
         {"methods", embedded::dashboard_methods_sql},
         {"recordings", embedded::dashboard_recordings_sql},
         {"services", embedded::dashboard_services_sql},
         {"trend", embedded::dashboard_trend_sql}}};
    for (const auto& [known, text] : texts) {
      if (known == name) {
        return text;
      }
    }
    throw std::logic_error("the dashboard names no such query: " + std::string(name));
  }

  bool is_official_;
  std::string database_;
};

}  // namespace

std::string dashboard_text(const DashboardOptions& options) {
  return DashboardMaker(options).make();
}

}  // namespace jfrtree::clickhouse
