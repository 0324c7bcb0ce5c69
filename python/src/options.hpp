#pragma once

#include <pybind11/pybind11.h>

#include <jfrtree/event_rows.hpp>
#include <jfrtree/export.hpp>
#include <jfrtree/filter.hpp>
#include <jfrtree/profile.hpp>

namespace jfrtree::python {

namespace py = pybind11;

// Options come from the Python side of the package as dicts of which every key is known here and
// every value has its right type. What a key does not say has the default of the library.

/// `limits`: numbers by name.
void take_limits(const py::dict& options, Limits& limits);

/// `strict`, `threads` (0 or absent: the cores there are), `limits`.
[[nodiscard]] ReadOptions read_options(const py::dict& options);

/// The choice of profiles, frames and filters by the names of the command line.
[[nodiscard]] ProfileRequest profile_request(const py::dict& options);

/// `sample_type`, `reverse`, `min_width`, `max_nodes`, `title`, `notes`, `labels`, `raw_frames`,
/// `threads`, `tree_nodes`.
[[nodiscard]] ExportOptions export_options(const py::dict& options);

/// `types`, `columns`, `stacks`, `max_rows` and the options of frames. Not the time.
[[nodiscard]] EventRequest event_request(const py::dict& options);

/// The start and end of `FilterOptions`, for what is no profile.
[[nodiscard]] FilterOptions time_options(const py::dict& options);

}  // namespace jfrtree::python
