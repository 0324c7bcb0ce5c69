#pragma once

#include <span>

#include <pybind11/pybind11.h>

#include <jfrtree/profile_kind.hpp>
#include <jfrtree/summary.hpp>

namespace jfrtree::python {

namespace py = pybind11;

// Each adds its classes and functions to the module.
void bind_catalogs(py::module_& module);
void bind_clickhouse(py::module_& module);
void bind_diff(py::module_& module);
void bind_events(py::module_& module);
void bind_profile(py::module_& module);
void bind_recording(py::module_& module);
void bind_tables(py::module_& module);

/// A list of str.
[[nodiscard]] py::list to_list(std::span<const std::string> texts);
/// A list of (name, unit).
[[nodiscard]] py::list to_list(std::span<const SampleType> types);
/// A list of (kind, event, count, reason).
[[nodiscard]] py::list to_list(std::span<const LeftOut> left_out);
/// The summary as nested dicts and lists, by the names of its members.
[[nodiscard]] py::dict to_dict(const RecordingSummary& summary);

}  // namespace jfrtree::python
