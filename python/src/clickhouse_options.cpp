#include "clickhouse_options.hpp"

#include <chrono>
#include <cstdint>
#include <utility>

#include <jfrtree/error.hpp>
#include <jfrtree/filter.hpp>

#include "option_values.hpp"
#include "options.hpp"

namespace jfrtree::python {
namespace {

/// A name that `find` knows, or a UsageError.
template <typename Value, typename Find>
void take_name(const py::dict& options, const char* key, Value& target, Find find_value) {
  std::string name;
  take(options, key, name);
  if (name.empty()) {
    return;
  }
  const std::optional<Value> found = find_value(name);
  if (!found) {
    throw UsageError(std::string(key) + ": '" + name + "' is not known");
  }
  target = *found;
}

std::optional<clickhouse::Compression> find_compression(const std::string& name) {
  using clickhouse::Compression;
  return name == "none"   ? std::optional(Compression::none)
         : name == "zstd" ? std::optional(Compression::zstd)
         : name == "lz4"  ? std::optional(Compression::lz4)
         : name == "gzip" ? std::optional(Compression::gzip)
                          : std::nullopt;
}

std::optional<clickhouse::TimeMacros> find_macros(const std::string& name) {
  using clickhouse::TimeMacros;
  return name == "official"   ? std::optional(TimeMacros::official)
         : name == "altinity" ? std::optional(TimeMacros::altinity)
                              : std::nullopt;
}

std::optional<TimePoint> take_time(const py::dict& options, const char* key) {
  std::string text;
  take(options, key, text);
  if (text.empty()) {
    return std::nullopt;
  }
  if (text == "now") {
    return TimePoint{TimePoint::Base::recording_end, 0};
  }
  try {
    return parse_time_point(text);
  } catch (const UsageError& error) {
    throw UsageError(std::string(key) + ": " + error.what());
  }
}

std::int64_t now_ns() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

std::int64_t behind(std::int64_t base, const TimePoint& point, const char* key) {
  std::int64_t time = 0;
  if (__builtin_add_overflow(base, point.ns, &time)) {
    throw UsageError(std::string(key) + ": there is no such time");
  }
  return time;
}

/// A database has no start and no end: what is before an end is before now, and an end may be
/// behind its start.
TimeRange take_range(const py::dict& options) {
  const auto start = take_time(options, "start");
  const auto end = take_time(options, "end");
  const std::int64_t now = now_ns();
  TimeRange range;
  if (start) {
    if (start->base == TimePoint::Base::recording_start) {
      throw UsageError("start: has nothing to be behind: give '-1h' before now, or a time");
    }
    const bool is_absolute = start->base == TimePoint::Base::epoch;
    range.from_ns = behind(is_absolute ? 0 : now, *start, "start");
  }
  if (end) {
    const bool is_behind_start = end->base == TimePoint::Base::recording_start;
    if (is_behind_start && !start) {
      throw UsageError("end: behind a + stands how long after start, which is not given");
    }
    const std::int64_t base = end->base == TimePoint::Base::epoch ? 0
                              : is_behind_start                   ? *range.from_ns
                                                                  : now;
    range.to_ns = behind(base, *end, "end");
  }
  if (range.from_ns && range.to_ns && *range.from_ns > *range.to_ns) {
    throw UsageError("end: the end of the range is before its start");
  }
  return range;
}

}  // namespace

clickhouse::DatabaseOptions database_options(const py::dict& options) {
  clickhouse::DatabaseOptions result;
  take(options, "place", result.place);
  take(options, "database", result.database);
  take(options, "user", result.user);
  take(options, "password", result.password);
  take(options, "ca_file", result.certificates);
  take(options, "chdb_library", result.chdb_library);
  take(options, "create_database", result.create_database);
  take_name(options, "compression", result.compression, find_compression);
  std::uint32_t timeout_ms = 0;
  take(options, "connect_timeout_ms", timeout_ms);
  if (timeout_ms != 0) {
    result.connect_timeout = std::chrono::milliseconds(timeout_ms);
  }
  std::optional<std::uint32_t> timeout_s;
  take(options, "timeout_s", timeout_s);
  if (timeout_s) {
    result.answer_timeout = std::chrono::seconds(*timeout_s);
  }
  return result;
}

clickhouse::RowRequest row_request(const py::dict& options) {
  constexpr std::uint64_t second = 1'000'000'000;
  constexpr std::uint64_t longest = 86'400 * second;
  clickhouse::RowRequest request;
  take_name(options, "model", request.model, clickhouse::find_model);
  // Names of generated classes are normalised unless that is said otherwise.
  request.samples.profile = profile_request(options);
  if (!options.contains("normalize")) {
    request.samples.profile.frames.normalize = true;
  }
  std::string bucket;
  take(options, "bucket", bucket);
  if (!bucket.empty()) {
    try {
      request.samples.bucket_ns = parse_time_length(bucket);
    } catch (const UsageError& error) {
      throw UsageError(std::string("bucket: ") + error.what());
    }
  }
  const std::uint64_t length = request.samples.bucket_ns;
  if (length == 0 || length % second != 0 || length > longest) {
    throw UsageError("bucket: '" + bucket + "' is not between 1s and 1d in whole seconds");
  }
  return request;
}

clickhouse::LoadOptions load_options(const py::dict& options) {
  clickhouse::LoadOptions result;
  result.request = row_request(options);
  take(options, "cluster", result.cluster);
  take(options, "create", result.create);
  take(options, "force", result.force);
  take(options, "retries", result.retries);
  return result;
}

clickhouse::SchemaOptions schema_options(const py::dict& options) {
  clickhouse::SchemaOptions result;
  take_name(options, "model", result.model, clickhouse::find_model);
  take(options, "cluster", result.cluster);
  take(options, "database", result.database);
  take(options, "retention", result.retention_days);
  take(options, "each_shard", result.each_shard);
  return result;
}

clickhouse::ProfileQuery profile_query(const py::dict& options) {
  clickhouse::ProfileQuery result;
  take(options, "kinds", result.kinds);
  result.time = take_range(options);
  if (const auto pairs = find(options, "where")) {
    for (const py::handle pair : *pairs) {
      const auto both = py::reinterpret_borrow<py::sequence>(pair);
      result.where.emplace_back(to_bytes(both[0]), to_bytes(both[1]));
    }
  }
  take(options, "by_thread", result.by_thread);
  take(options, "max_stacks", result.max_stacks);
  take(options, "by_count", result.by_count);
  take_limits(options, result.limits);
  return result;
}

clickhouse::CatalogueRequest catalogue_request(const py::dict& options) {
  clickhouse::CatalogueRequest result;
  take(options, "services", result.services);
  result.time = take_range(options);
  take(options, "most_recordings", result.most_recordings);
  return result;
}

clickhouse::TreeSqlOptions tree_sql_options(const py::dict& options) {
  clickhouse::TreeSqlOptions result;
  take_name(options, "macros", result.macros, find_macros);
  take(options, "min_width", result.min_width);
  take(options, "database", result.database);
  take(options, "settings", result.settings);
  return result;
}

GivenLabels::GivenLabels(const py::dict& options) {
  if (const auto labels = find(options, "labels")) {
    labels_ = to_map(*labels);
  }
  std::string pattern;
  take(options, "label_from_path", pattern);
  if (!pattern.empty()) {
    try {
      pattern_.emplace(pattern);
    } catch (const UsageError& error) {
      throw UsageError("label_from_path: " + std::string(error.what()));
    }
  }
}

void GivenLabels::apply_to(std::vector<Source>& sources, std::vector<Problem>& found) const {
  for (Source& source : sources) {
    Labels labels = labels_;
    labels.merge(source.labels);
    source.labels = std::move(labels);
    if (!pattern_) {
      continue;
    }
    std::optional<Labels> taken = pattern_->find_in(source.path);
    if (taken) {
      source.labels.merge(*taken);
      continue;
    }
    Problem note;
    note.code = ErrorCode::bad_argument;
    note.severity = Severity::note;
    note.file = source.path;
    note.message = "label_from_path is not found in this path, which has no labels by it";
    found.push_back(std::move(note));
  }
}

}  // namespace jfrtree::python
