#pragma once

#include <string>
#include <vector>

#include <pybind11/pybind11.h>

#include <jfrtree/clickhouse_load.hpp>
#include <jfrtree/sample_rows.hpp>

namespace jfrtree::python {

namespace py = pybind11;

/// What was read on the way to rows; `found` is what was found before.
[[nodiscard]] py::dict to_dict(const SampleRowResult& read, std::vector<Problem> found);

/// The same, what was loaded, and what was said meanwhile: what a `LoadResult` is made of.
[[nodiscard]] py::dict to_dict(const clickhouse::LoadResult& loaded, std::vector<Problem> found,
                               const std::vector<std::string>& messages);

}  // namespace jfrtree::python
