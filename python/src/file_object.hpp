#pragma once

#include <string>

#include <pybind11/pybind11.h>

#include <jfrtree/limits.hpp>
#include <jfrtree/spool.hpp>

namespace jfrtree::python {

namespace py = pybind11;

/// Reads a binary file object from where it stands to its end. What its `read` raises goes on from
/// here; TypeError when that gives no bytes.
[[nodiscard]] Spool spool_file_object(const py::object& file, const std::string& name,
                                      const Limits& limits);

}  // namespace jfrtree::python
