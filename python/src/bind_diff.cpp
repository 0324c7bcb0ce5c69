#include <array>
#include <vector>

#include <pybind11/stl.h>

#include <jfrtree/arrow.hpp>
#include <jfrtree/diff.hpp>
#include <jfrtree/diff_export.hpp>

#include "bind.hpp"
#include "errors.hpp"
#include "options.hpp"
#include "output.hpp"
#include "profile_data.hpp"
#include "run.hpp"
#include "text.hpp"

namespace jfrtree::python {
namespace {

Comparison comparison_of(const std::string& name) {
  return name == "absolute"     ? Comparison::absolute
         : name == "per_second" ? Comparison::per_second
                                : Comparison::share;
}

std::size_t find_type(const Profile& profile, const std::string& sample_type) {
  return sample_type.empty() ? profile.default_sample_type : profile.find_sample_type(sample_type);
}

py::object write(const DiffProfile& diff, const std::string& format,
                 const std::optional<py::bytes>& path, const py::dict& options) {
  const FormatDescription* const found = find_format(format, diff_format_descriptions());
  if (found == nullptr) {
    throw UsageError("format: no format of two profiles is called '" + format + "'");
  }
  DiffOptions given;
  given.output = export_options(options);
  given.comparison = comparison_of(to_bytes(options["comparison"]));
  const auto names = options["names"].cast<py::sequence>();
  given.names = {to_bytes(names[0]), to_bytes(names[1])};
  return write_output(path ? std::optional(std::string(*path)) : std::nullopt, [&](Output& output) {
    write_diff(output, std::span(&diff, 1), found->format, given);
  });
}

}  // namespace

void bind_diff(py::module_& module) {
  py::class_<DiffProfile>(module, "DiffProfile")
      .def(py::init([](const std::shared_ptr<ProfileData>& left,
                       const std::shared_ptr<ProfileData>& right) {
             DiffProfile diff = run(
                 py::none(), [&](Work&) { return join_profiles(left->profile, right->profile); });
             diff.span_ns = {left->span_ns, right->span_ns};
             return diff;
           }),
           py::arg("left"), py::arg("right"))
      .def_property_readonly(
          "sample_types", [](const DiffProfile& diff) { return to_list(diff.left.sample_types); })
      .def_property_readonly("default_sample_type",
                             [](const DiffProfile& diff) { return diff.left.default_sample_type; })
      .def("check_comparison",
           [](const DiffProfile& diff, const py::str& sample_type, const py::str& comparison) {
             static_cast<void>(side_units(diff, find_type(diff.left, to_bytes(sample_type)),
                                          comparison_of(to_bytes(comparison))));
           })
      .def(
          "write",
          [](const DiffProfile& diff, const py::str& format, const std::optional<py::bytes>& path,
             const py::dict& options) { return write(diff, to_bytes(format), path, options); },
          py::arg("format"), py::arg("path"), py::arg("options"));

  module.def(
      "diff_table",
      [](const DiffProfile& diff, const py::str& sample_type, const py::str& comparison) {
        const std::size_t type = find_type(diff.left, to_bytes(sample_type));
        const Comparison how = comparison_of(to_bytes(comparison));
        return run(py::none(), [&](Work&) { return diff_table(diff, type, how); });
      },
      py::arg("diff"), py::arg("sample_type"), py::arg("comparison"));
}

}  // namespace jfrtree::python
