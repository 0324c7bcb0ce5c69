#include <pybind11/stl.h>

#include <jfrtree/event_rows.hpp>
#include <jfrtree/summary.hpp>

#include "bind.hpp"
#include "errors.hpp"
#include "options.hpp"
#include "profile_data.hpp"
#include "recording.hpp"
#include "run.hpp"
#include "text.hpp"

namespace jfrtree::python {
namespace {

py::dict summarize_recording(const Recording& recording, bool quick, bool settings,
                             const py::object& progress) {
  std::vector<Problem> found;
  const RecordingSummary summary = run(progress, [&](Work& work) {
    const SummaryRequest request{quick, settings};
    return summarize(recording.open(found), request, work.options(recording.options()));
  });
  py::dict result = to_dict(summary);
  result["found"] = to_list(found);
  return result;
}

py::dict read_recording(const Recording& recording, const py::dict& options,
                        const py::object& progress) {
  const ProfileRequest request = profile_request(options);
  std::vector<Problem> found;
  ProfileSet set = run(progress, [&](Work& work) {
    return read_profiles(recording.open(found), request, work.options(recording.options()));
  });
  found.insert(found.end(), set.problems.begin(), set.problems.end());
  py::list profiles;
  for (Profile& profile : set.profiles) {
    profiles.append(std::make_shared<ProfileData>(ProfileData{std::move(profile), set.span_ns}));
  }
  py::dict result;
  result["profiles"] = profiles;
  result["left_out"] = to_list(set.left_out);
  result["found"] = to_list(found);
  result["event_types_with_stacks"] = to_list(set.event_types_with_stacks);
  return result;
}

py::dict to_dict(const EventColumn& column) {
  py::list elements;
  for (const EventColumn& element : column.elements) {
    elements.append(to_dict(element));
  }
  py::dict result;
  result["name"] = to_str(column.name);
  result["type"] = to_str(column_type_name(column.type));
  result["label"] = to_str(column.label);
  result["unit"] = to_str(column.unit());
  result["elements"] = elements;
  return result;
}

py::list list_event_types(const Recording& recording, const py::object& progress) {
  std::vector<Problem> found;
  const EventCatalog catalog = run(progress, [&](Work& work) {
    return read_event_types(recording.open(found), true, work.options(recording.options()));
  });
  py::list types;
  for (const EventTypeSummary& type : catalog.types) {
    py::list columns;
    for (const EventColumn& column : type.schema.columns) {
      columns.append(to_dict(column));
    }
    types.append(
        py::make_tuple(to_str(type.schema.type), to_str(type.schema.label), type.count, columns));
  }
  return types;
}

}  // namespace

void bind_recording(py::module_& module) {
  py::class_<Recording, std::shared_ptr<Recording>>(module, "Recording")
      .def(py::init([](const py::dict& options) {
             return std::make_shared<Recording>(read_options(options));
           }),
           py::arg("options"))
      .def("add_path",
           [](Recording& self, const py::bytes& path, const py::dict& labels) {
             self.add_path(std::string(path), to_map(labels));
           })
      .def("add_buffer",
           [](Recording& self, const py::object& object, const py::str& name,
              const py::dict& labels) { self.add_buffer(object, to_bytes(name), to_map(labels)); })
      .def(
          "add_file_object",
          [](Recording& self, const py::object& file, const py::str& name, const py::dict& labels) {
            self.add_file_object(file, to_bytes(name), to_map(labels));
          })
      .def("check_start",
           [](const Recording& self) {
             Work work;
             run_work(py::none(), work, [&] { self.check_start(work.stop()); });
           })
      .def("summarize", summarize_recording, py::arg("quick"), py::arg("settings"),
           py::arg("progress"))
      .def("read_profiles", read_recording, py::arg("options"), py::arg("progress"))
      .def("event_types", list_event_types, py::arg("progress"));
}

}  // namespace jfrtree::python
