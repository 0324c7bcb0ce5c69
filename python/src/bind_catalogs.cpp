#include <jfrtree/diff_export.hpp>
#include <jfrtree/export.hpp>
#include <jfrtree/limits.hpp>
#include <jfrtree/profile_kind.hpp>

#include "bind.hpp"
#include "text.hpp"

namespace jfrtree::python {
namespace {

py::list to_list(std::span<const FormatDescription> formats) {
  py::list list;
  for (const FormatDescription& format : formats) {
    py::list endings;
    for (const std::string_view ending : format.endings) {
      endings.append(to_str(ending));
    }
    list.append(py::make_tuple(to_str(format.name), endings, to_str(format.description),
                               format.holds_several_profiles));
  }
  return list;
}

py::list list_kinds() {
  py::list list;
  for (const ProfileKindDescription& kind : profile_kinds()) {
    list.append(py::make_tuple(to_str(kind.name), to_str(kind.description), kind.is_snapshot,
                               kind.has_class_leaf));
  }
  return list;
}

py::list list_limits() {
  const Limits defaults;
  py::list list;
  for (const LimitDescription& limit : limit_descriptions()) {
    list.append(
        py::make_tuple(to_str(limit.name), defaults.*limit.member, to_str(limit.description)));
  }
  return list;
}

}  // namespace

void bind_catalogs(py::module_& module) {
  module.attr("kinds") = list_kinds();
  module.attr("limits") = list_limits();
  module.attr("formats") = to_list(format_descriptions());
  module.attr("diff_formats") = to_list(diff_format_descriptions());
}

}  // namespace jfrtree::python
