#pragma once

#include <map>
#include <string>
#include <string_view>

#include <pybind11/pybind11.h>

namespace jfrtree::python {

namespace py = pybind11;

/// Text for Python. Bytes that are no UTF-8, as names of files may hold, become lone surrogates, as
/// os.fsdecode has them.
[[nodiscard]] py::str to_str(std::string_view text);

/// Bytes of a str or bytes object; the opposite of `to_str`. Throws TypeError for anything else.
[[nodiscard]] std::string to_bytes(const py::handle& text);

/// A dict of str by str.
[[nodiscard]] std::map<std::string, std::string> to_map(const py::handle& mapping);

}  // namespace jfrtree::python
