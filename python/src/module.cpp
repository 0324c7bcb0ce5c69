#include <string>
#include <vector>

#include <pybind11/stl.h>

#include <jfrtree/version.hpp>

#include "bind.hpp"
#include "cli/run.hpp"
#include "engine.hpp"
#include "errors.hpp"
#include "plain_durations.hpp"
#include "text.hpp"

namespace jfrtree::python {
namespace {

int run_program(const py::list& arguments, const py::object& engine) {
  std::vector<std::string> texts;
  for (const py::handle argument : arguments) {
    texts.push_back(to_bytes(argument));
  }
  std::vector<char*> pointers;
  for (std::string& text : texts) {
    pointers.push_back(text.data());
  }
  pointers.push_back(nullptr);
  const clickhouse::EngineFactory factory = engine_factory(engine);
  const py::gil_scoped_release release;
  return cli::run(static_cast<int>(texts.size()), pointers.data(), factory);
}

}  // namespace
}  // namespace jfrtree::python

PYBIND11_MODULE(_core, module) {
  using namespace jfrtree::python;
  module.doc() = "What the package jfrtree is made of; not for use outside of it.";
  module.attr("__version__") = std::string(jfrtree::version());
  module.def("main", run_program, py::arg("arguments"), py::arg("engine") = py::none());
  module.def("plain_durations", plain_durations);
  register_errors();
  bind_catalogs(module);
  bind_profile(module);
  bind_recording(module);
  bind_tables(module);
  bind_diff(module);
  bind_events(module);
  bind_clickhouse(module);
}
