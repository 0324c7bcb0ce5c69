#pragma once

#include <optional>
#include <span>

#include <pybind11/pybind11.h>

#include <jfrtree/error.hpp>

namespace jfrtree::python {

namespace py = pybind11;

/// Makes exceptions of the library those of `jfrtree._errors`, whatever function they leave.
void register_errors();

/// A finding as the tuple (code, severity, file, chunk, offset, count, message, one line of text);
/// None for what is unknown.
[[nodiscard]] py::tuple to_tuple(const Problem& problem);

/// A list of such tuples.
[[nodiscard]] py::list to_list(std::span<const Problem> problems);

/// The number, or None.
template <typename Number>
[[nodiscard]] py::object optional_number(const std::optional<Number>& number) {
  return number ? py::object(py::int_(*number)) : py::object(py::none());
}

}  // namespace jfrtree::python
