#pragma once

#include <pybind11/pybind11.h>

#include "database.hpp"

namespace jfrtree::python {

namespace py = pybind11;

/// Throws UsageError for options of `follow` that are wrong, IoError for a folder that is not
/// there.
void check_follow(const py::dict& options);

/// Follows folders: `folders`, `poll`, `settle`, `until_idle`, and the options of loads, of labels
/// and of reading; without `retries` it is tried again without end. `news` is called with the
/// dicts of `load_result.hpp` in the thread that calls this, soon after something was loaded, found
/// or said; what it raises ends following. After an exception it is called once more for what had
/// been loaded meanwhile, unless the exception is its own.
void follow(DatabaseHandle& handle, const py::dict& options, const py::object& news);

}  // namespace jfrtree::python
