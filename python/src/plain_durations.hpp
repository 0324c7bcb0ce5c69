#pragma once

#include <pybind11/pybind11.h>

namespace jfrtree::python {

namespace py = pybind11;

/// A capsule with the stream of another one, which is used up, whose lengths of time are integers:
/// whole nanoseconds, for readers whose own type of them is coarser. No value is copied.
[[nodiscard]] py::capsule plain_durations(const py::capsule& stream);

}  // namespace jfrtree::python
