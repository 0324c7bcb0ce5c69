#pragma once

#include <pybind11/pybind11.h>

#include <jfrtree/arrow_c_data.hpp>

namespace jfrtree::python {

namespace py = pybind11;

/// The rows of a batch as dicts, appended to `rows`. Times become datetime in UTC and timedelta,
/// cut to microseconds, or with `nanoseconds` int. Knows the types that this library writes:
/// integers, floating point, booleans, texts, timestamps and durations in nanoseconds, lists,
/// structs and dictionaries. Throws std::logic_error for another.
void append_rows(py::list& rows, const ArrowSchema& schema, const ArrowArray& batch,
                 bool nanoseconds);

/// The rows of a stream, which is read to its end and released.
[[nodiscard]] py::list all_rows(ArrowArrayStream& stream, bool nanoseconds);

}  // namespace jfrtree::python
