#pragma once

#include <functional>

#include <pybind11/pybind11.h>

#include <jfrtree/arrow_c_data.hpp>

namespace jfrtree::python {

namespace py = pybind11;

// The capsules of Arrow's PyCapsule interface. Who takes what is inside marks it as released; what
// nobody takes is released with the capsule.

/// A capsule with a schema that the function fills in.
[[nodiscard]] py::capsule schema_capsule(const std::function<void(ArrowSchema*)>& fill);
/// A capsule with a stream that the function fills in.
[[nodiscard]] py::capsule stream_capsule(const std::function<void(ArrowArrayStream*)>& fill);

}  // namespace jfrtree::python
