#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <pybind11/stl.h>

#include "bind.hpp"
#include "clickhouse_options.hpp"
#include "database.hpp"
#include "errors.hpp"
#include "follow.hpp"
#include "load_result.hpp"
#include "option_values.hpp"
#include "output.hpp"
#include "profile_data.hpp"
#include "recording.hpp"
#include "run.hpp"
#include "text.hpp"

namespace jfrtree::python {
namespace {

using clickhouse::Database;

std::vector<Source> open_labelled(const Recording& recording, const GivenLabels& labels,
                                  std::vector<Problem>& found) {
  std::vector<Source> sources = recording.open(found);
  labels.apply_to(sources, found);
  return sources;
}

py::dict load(DatabaseHandle& handle, const Recording& recording, const py::dict& options,
              const py::object& progress) {
  clickhouse::LoadOptions given = load_options(options);
  const GivenLabels labels(options);
  std::vector<std::string> messages;
  given.message = [&messages](const std::string& text) { messages.push_back(text); };
  std::vector<Problem> found;
  const clickhouse::LoadResult loaded = handle.use(progress, [&](Database& database, Work& work) {
    return clickhouse::load(database, open_labelled(recording, labels, found), given,
                            work.options(recording.options()));
  });
  return to_dict(loaded, std::move(found), messages);
}

py::tuple write_rows(const Recording& recording, const std::string& table,
                     const std::string& format, const std::optional<py::bytes>& path,
                     const py::dict& options, const py::object& progress) {
  const auto found_table = clickhouse::find_table(table);
  const auto found_format = clickhouse::find_row_format(format);
  if (!found_table || !found_format) {
    throw UsageError(found_table ? "format: '" + format + "' is not known"
                                 : "table: '" + table + "' is none of samples, stacks, bytes");
  }
  const clickhouse::RowRequest request = row_request(options);
  const GivenLabels labels(options);
  std::vector<Problem> found;
  clickhouse::RowCounts counts;
  py::object bytes =
      write_output(path ? std::optional(std::string(*path)) : std::nullopt, progress,
                   [&](Output& output, Work& work) {
                     counts = clickhouse::write_rows(
                         output, open_labelled(recording, labels, found), *found_table,
                         *found_format, request, work.options(recording.options()));
                   });
  return py::make_tuple(bytes, to_dict(counts.read, std::move(found)));
}

py::dict query_profiles(DatabaseHandle& handle, const py::dict& options) {
  const clickhouse::ProfileQuery query = profile_query(options);
  bool only_first = false;
  take(options, "only_first", only_first);
  ProfileSet set = handle.use(py::none(), [&](Database& database, Work&) {
    clickhouse::ProfileQuery wanted = query;
    if (only_first && wanted.kinds.empty()) {
      clickhouse::check_query_tables(database);
      wanted.kinds = clickhouse::query_kinds(database, wanted);
      // What there is not, the query itself says best.
      wanted.kinds.resize(wanted.kinds.empty() ? 0 : 1);
    }
    return clickhouse::query_profiles(database, wanted);
  });
  py::list profiles;
  for (Profile& profile : set.profiles) {
    profiles.append(std::make_shared<ProfileData>(ProfileData{std::move(profile), set.span_ns}));
  }
  py::dict result;
  result["profiles"] = profiles;
  result["found"] = to_list(set.problems);
  return result;
}

py::list query_kinds(DatabaseHandle& handle, const py::dict& options) {
  const clickhouse::ProfileQuery query = profile_query(options);
  const std::vector<std::string> kinds = handle.use(py::none(), [&](Database& database, Work&) {
    clickhouse::check_query_tables(database);
    return clickhouse::query_kinds(database, query);
  });
  return to_list(kinds);
}

py::dict query_catalogue(DatabaseHandle& handle, const py::dict& options) {
  const clickhouse::CatalogueRequest request = catalogue_request(options);
  const clickhouse::Catalogue catalogue = handle.use(py::none(), [&](Database& database, Work&) {
    return clickhouse::query_catalogue(database, request);
  });
  py::list recordings;
  for (const clickhouse::StoredRecording& one : catalogue.recordings) {
    recordings.append(py::make_tuple(to_str(one.service), to_str(one.source), to_str(one.host),
                                     one.process, to_str(one.producer), one.chunks, one.start_ns,
                                     one.end_ns, one.events, one.samples));
  }
  py::list kinds;
  for (const clickhouse::StoredKind& one : catalogue.kinds) {
    kinds.append(py::make_tuple(to_str(one.service), to_str(one.kind), one.is_snapshot,
                                one.first_ns, one.last_ns));
  }
  py::list labels;
  for (const clickhouse::StoredLabel& one : catalogue.labels) {
    labels.append(py::make_tuple(to_str(one.service), to_str(one.key), to_str(one.value),
                                 one.first_ns, one.last_ns));
  }
  py::dict result;
  result["recordings"] = recordings;
  result["kinds"] = kinds;
  result["labels"] = labels;
  result["has_more_recordings"] = catalogue.has_more_recordings;
  return result;
}

py::bytes run_query(DatabaseHandle& handle, const py::str& sql, const py::dict& parameters) {
  const std::string text = to_bytes(sql);
  const clickhouse::QueryParameters values = to_map(parameters);
  return py::bytes(handle.use(py::none(), [&](Database& database, Work&) {
    return values.empty() ? database.query(text) : database.query(text, values);
  }));
}

void create_tables(DatabaseHandle& handle, const py::dict& options) {
  const clickhouse::SchemaOptions given = schema_options(options);
  handle.use(py::none(), [&](Database& database, Work&) {
    clickhouse::create_tables(database, given);
    return true;
  });
}

}  // namespace

void bind_clickhouse(py::module_& module) {
  py::class_<DatabaseHandle, std::shared_ptr<DatabaseHandle>>(module, "Database")
      .def(py::init([](const py::dict& options, const py::object& engine) {
             return std::make_shared<DatabaseHandle>(database_options(options), engine);
           }),
           py::arg("options"), py::arg("engine"))
      .def_property_readonly("name", [](const DatabaseHandle& self) { return to_str(self.name()); })
      .def_property_readonly("is_embedded", &DatabaseHandle::is_embedded)
      .def("load", load, py::arg("recording"), py::arg("options"), py::arg("progress"))
      .def("follow", follow, py::arg("options"), py::arg("news"))
      .def("query_profiles", query_profiles, py::arg("options"))
      .def("query_kinds", query_kinds, py::arg("options"))
      .def("query_catalogue", query_catalogue, py::arg("options"))
      .def("query", run_query, py::arg("sql"), py::arg("parameters"))
      .def("create_tables", create_tables, py::arg("options"))
      .def("close", &DatabaseHandle::close);

  module.def("check_follow", check_follow, py::arg("options"));
  module.def("is_url", [](const py::str& place) { return clickhouse::is_url(to_bytes(place)); });
  module.def(
      "write_rows",
      [](const Recording& recording, const py::str& table, const py::str& format,
         const std::optional<py::bytes>& path, const py::dict& options,
         const py::object& progress) {
        return write_rows(recording, to_bytes(table), to_bytes(format), path, options, progress);
      },
      py::arg("recording"), py::arg("table"), py::arg("format"), py::arg("path"),
      py::arg("options"), py::arg("progress"));
  module.def(
      "schema_text",
      [](const py::dict& options) {
        return to_str(clickhouse::schema_text(schema_options(options)));
      },
      py::arg("options"));
  module.def(
      "tree_sql",
      [](const py::dict& query, const py::dict& options) {
        return to_str(clickhouse::tree_sql(profile_query(query), tree_sql_options(options)));
      },
      py::arg("query"), py::arg("options"));
}

}  // namespace jfrtree::python
