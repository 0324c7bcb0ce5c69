#pragma once

#include <memory>

#include <pybind11/pybind11.h>

#include <jfrtree/clickhouse_engine.hpp>

namespace jfrtree::python {

namespace py = pybind11;

/// A Python object that threads of C++ may keep, copy and give back without the GIL.
using SharedObject = std::shared_ptr<py::object>;
[[nodiscard]] SharedObject share(py::object object);

/// Opens folders by a Python object, `jfrtree._engine.Engine` or None: then none are opened, and
/// the factory is empty.
[[nodiscard]] clickhouse::EngineFactory engine_factory(const py::object& engine);

}  // namespace jfrtree::python
