#include <algorithm>
#include <limits>
#include <string>

#include <pybind11/stl.h>

#include <jfrtree/arrow.hpp>

#include "arrow_capsules.hpp"
#include "arrow_rows.hpp"
#include "bind.hpp"
#include "options.hpp"
#include "profile_data.hpp"
#include "run.hpp"
#include "text.hpp"

namespace jfrtree::python {
namespace {

using Data = ProfileData;

py::list column_names(const ArrowTable& table) {
  py::list names;
  for (std::size_t i = 0; i < table.column_count(); ++i) {
    names.append(to_str(table.column_name(i)));
  }
  return names;
}

py::list to_rows(const ArrowTable& table, bool nanoseconds) {
  ArrowArrayStream stream{};
  table.export_stream(&stream);
  return all_rows(stream, nanoseconds);
}

std::size_t most_rows(std::size_t wanted) {
  return wanted == 0 ? std::numeric_limits<std::size_t>::max() : wanted;
}

std::size_t find_type(const Profile& profile, const std::string& sample_type) {
  return sample_type.empty() ? profile.default_sample_type : profile.find_sample_type(sample_type);
}

ArrowTable make_tree_table(const Data& data, const py::dict& options) {
  const ExportOptions given = export_options(options);
  TreeTableOptions wanted;
  wanted.sample_type = find_type(data.profile, given.sample_type);
  wanted.reverse = given.reverse;
  wanted.max_nodes = given.max_nodes.value_or(0);
  wanted.min_width = given.min_width;
  return run(py::none(), [&](Work&) { return tree_table(data.profile, wanted); });
}

ArrowTable make_top_table(const Data& data, std::size_t most, const py::str& sample_type,
                          bool by_total) {
  const std::size_t type = find_type(data.profile, to_bytes(sample_type));
  return run(py::none(),
             [&](Work&) { return top_table(data.profile, type, by_total, most_rows(most)); });
}

}  // namespace

void bind_tables(py::module_& module) {
  py::class_<ArrowTable>(module, "ArrowTable")
      .def_property_readonly("num_rows", &ArrowTable::rows)
      .def_property_readonly("column_names", column_names)
      .def(
          "__arrow_c_stream__",
          [](const ArrowTable& table, const py::object&) {
            return stream_capsule([&](ArrowArrayStream* stream) { table.export_stream(stream); });
          },
          py::arg("requested_schema") = py::none())
      .def("__arrow_c_schema__",
           [](const ArrowTable& table) {
             return schema_capsule([&](ArrowSchema* schema) { table.export_schema(schema); });
           })
      .def("to_pylist", to_rows, py::arg("nanoseconds"));

  module.def(
      "samples_table",
      [](const Data& data) {
        return run(py::none(), [&](Work&) { return samples_table(data.profile); });
      },
      py::arg("profile"));
  module.def(
      "stacks_table",
      [](const Data& data) {
        return run(py::none(), [&](Work&) { return stacks_table(data.profile); });
      },
      py::arg("profile"));
  module.def("tree_table", make_tree_table, py::arg("profile"), py::arg("options"));
  module.def("top_table", make_top_table, py::arg("profile"), py::arg("most"),
             py::arg("sample_type"), py::arg("by_total"));
}

}  // namespace jfrtree::python
