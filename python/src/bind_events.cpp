#include <memory>
#include <utility>

#include "arrow_capsules.hpp"
#include "arrow_rows.hpp"
#include "bind.hpp"
#include "errors.hpp"
#include "event_table.hpp"
#include "options.hpp"
#include "text.hpp"

namespace jfrtree::python {
namespace {

/// A pass whose rows become dicts, batch by batch.
class RowPass {
 public:
  RowPass(std::unique_ptr<EventPass> pass, bool nanoseconds)
      : pass_(std::move(pass)), nanoseconds_(nanoseconds) {
    pass_->export_schema(&schema_);
  }
  RowPass(const RowPass&) = delete;
  RowPass& operator=(const RowPass&) = delete;
  ~RowPass() { schema_.release(&schema_); }

  /// Rows of the next batch, or None at the end.
  py::object next(const py::object& progress) {
    ArrowArray batch{};
    if (!next_batch(&batch, progress)) {
      return py::none();
    }
    const std::unique_ptr<ArrowArray, void (*)(ArrowArray*)> end(
        &batch, [](ArrowArray* array) { array->release(array); });
    py::list rows;
    append_rows(rows, schema_, batch, nanoseconds_);
    return rows;
  }

  [[nodiscard]] py::list problems() const { return to_list(pass_->problems()); }

 private:
  bool next_batch(ArrowArray* batch, const py::object& progress) {
    if (is_main_thread()) {
      return pass_->next(batch, progress);
    }
    const py::gil_scoped_release unlock;
    return pass_->next(batch, nullptr);
  }

  std::unique_ptr<EventPass> pass_;
  ArrowSchema schema_{};
  bool nanoseconds_;
};

std::unique_ptr<EventPass> open(const EventTable& table) {
  return run(py::none(), [&](Work&) { return table.open(); });
}

py::list column_names(const EventTable& table) {
  ArrowSchema schema{};
  open(table)->export_schema(&schema);
  py::list names;
  for (std::int64_t i = 0; i < schema.n_children; ++i) {
    names.append(to_str(schema.children[i]->name));
  }
  schema.release(&schema);
  return names;
}

}  // namespace

void bind_events(py::module_& module) {
  py::class_<RowPass>(module, "EventRows")
      .def("next", &RowPass::next, py::arg("progress"))
      .def_property_readonly("problems", &RowPass::problems);

  py::class_<EventTable>(module, "EventTable")
      .def(py::init([](const std::shared_ptr<Recording>& recording, const py::dict& options) {
             const EventRequest request = event_request(options);
             const FilterOptions times = time_options(options);
             return run(py::none(), [&](Work& work) {
               return std::make_unique<EventTable>(recording, request, times, work);
             });
           }),
           py::arg("recording"), py::arg("options"))
      .def_property_readonly("column_names", column_names)
      .def("count_rows",
           [](const EventTable& table) {
             return run(py::none(), [&](Work& work) { return table.count_rows(work); });
           })
      .def(
          "rows",
          [](const EventTable& table, bool nanoseconds) {
            return std::make_unique<RowPass>(open(table), nanoseconds);
          },
          py::arg("nanoseconds"))
      .def(
          "__arrow_c_stream__",
          [](const EventTable& table, const py::object&) {
            return stream_capsule(
                [&](ArrowArrayStream* stream) { export_stream(open(table), stream); });
          },
          py::arg("requested_schema") = py::none())
      .def("__arrow_c_schema__", [](const EventTable& table) {
        return schema_capsule([&](ArrowSchema* schema) { open(table)->export_schema(schema); });
      });
}

}  // namespace jfrtree::python
