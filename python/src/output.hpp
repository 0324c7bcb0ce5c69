#pragma once

#include <functional>
#include <optional>
#include <string>

#include <pybind11/pybind11.h>

#include <jfrtree/output.hpp>

#include "run.hpp"

namespace jfrtree::python {

namespace py = pybind11;

/// Runs a function that writes, as `run_work` does. With a path the result is a file, which is seen
/// when it is whole, and None; without, bytes.
[[nodiscard]] py::object write_output(const std::optional<std::string>& path,
                                      const std::function<void(Output&)>& write);

/// The same for work that reads as well.
[[nodiscard]] py::object write_output(const std::optional<std::string>& path,
                                      const py::object& progress,
                                      const std::function<void(Output&, Work&)>& write);

}  // namespace jfrtree::python
