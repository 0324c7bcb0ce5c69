#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <pybind11/stl.h>

#include <jfrtree/export.hpp>
#include <jfrtree/merge.hpp>

#include "bind.hpp"
#include "errors.hpp"
#include "options.hpp"
#include "output.hpp"
#include "profile_data.hpp"
#include "run.hpp"
#include "text.hpp"

namespace jfrtree::python {
namespace {

/// Goes through stacks as Python iterates; the text of a frame becomes a str once.
class StackIterator {
 public:
  explicit StackIterator(ProfilePointer data)
      : data_(std::move(data)), texts_(data_->profile.frame_table->size()) {}

  py::tuple next() {
    const Profile& profile = data_->profile;
    if (position_ == profile.stacks.size()) {
      throw py::stop_iteration();
    }
    const StackSum& stack = profile.stacks[position_++];
    const std::span<const FrameId> frames = profile.frames(stack);
    py::tuple texts(frames.size());
    for (std::size_t i = 0; i < frames.size(); ++i) {
      texts[i] = text(frames[i]);
    }
    return py::make_tuple(texts, stack.count,
                          stack.has_value ? py::object(py::int_(stack.value)) : py::none());
  }

 private:
  const py::object& text(FrameId frame) {
    py::object& text = texts_[raw(frame)];
    if (!text) {
      text = to_str(data_->profile.frame_table->text(frame));
    }
    return text;
  }

  ProfilePointer data_;
  std::vector<py::object> texts_;
  std::size_t position_ = 0;
};

/// The sum of each sample type, or None.
py::tuple totals(const Profile& profile) {
  py::tuple result(profile.sample_types.size());
  for (std::size_t type = 0; type < profile.sample_types.size(); ++type) {
    if (type == 1) {
      result[type] = optional_number(profile.value);
      continue;
    }
    std::uint64_t sum = type == 0 ? profile.count : 0;
    for (const StackSum& stack : profile.stacks) {
      sum += type == 0 ? 0 : profile.number(stack, type);
    }
    result[type] = sum;
  }
  return result;
}

}  // namespace

void bind_profile(py::module_& module) {
  py::class_<StackIterator>(module, "StackIterator")
      .def("__iter__", [](py::object self) { return self; })
      .def("__next__", &StackIterator::next);

  using Data = ProfileData;
  py::class_<ProfileData, std::shared_ptr<ProfileData>>(module, "Profile")
      .def_property_readonly("kind", [](const Data& data) { return to_str(data.profile.kind); })
      .def_property_readonly("sample_types",
                             [](const Data& data) { return to_list(data.profile.sample_types); })
      .def_property_readonly("default_sample_type",
                             [](const Data& data) { return data.profile.default_sample_type; })
      .def_property_readonly("is_snapshot",
                             [](const Data& data) { return data.profile.is_snapshot; })
      .def_property_readonly("has_thread_frame",
                             [](const Data& data) { return data.profile.has_thread_frame; })
      .def_property_readonly("events",
                             [](const Data& data) { return to_list(data.profile.events); })
      .def_property_readonly("event_count",
                             [](const Data& data) { return data.profile.event_count; })
      .def_property_readonly("count", [](const Data& data) { return data.profile.count; })
      .def_property_readonly("totals", [](const Data& data) { return totals(data.profile); })
      .def_property_readonly("span_ns",
                             [](const Data& data) { return optional_number(data.span_ns); })
      .def("__len__", [](const Data& data) { return data.profile.stacks.size(); })
      .def("__iter__", [](const std::shared_ptr<ProfileData>& data) { return StackIterator(data); })
      .def("find_sample_type", [](const Data& data, const py::str& name) {
        return data.profile.find_sample_type(to_bytes(name));
      });

  module.def(
      "write_profiles",
      [](const std::vector<std::shared_ptr<ProfileData>>& data, const py::str& format,
         const std::optional<py::bytes>& path, const py::dict& options) {
        std::vector<Profile> profiles;
        for (const auto& one : data) {
          profiles.push_back(one->profile);
        }
        const FormatDescription* const found = find_format(to_bytes(format));
        if (found == nullptr) {
          throw UsageError("format: no format is called '" + to_bytes(format) + "'");
        }
        const ExportOptions given = export_options(options);
        return write_output(
            path ? std::optional(std::string(*path)) : std::nullopt,
            [&](Output& output) { write_profiles(output, profiles, found->format, given); });
      },
      py::arg("profiles"), py::arg("format"), py::arg("path"), py::arg("options"));

  module.def(
      "merge_profiles",
      [](const std::vector<std::shared_ptr<ProfileData>>& data) {
        std::vector<Profile> profiles;
        std::optional<std::uint64_t> span_ns = 0;
        for (const auto& one : data) {
          profiles.push_back(one->profile);
          span_ns =
              span_ns && one->span_ns ? std::optional(*span_ns + *one->span_ns) : std::nullopt;
        }
        Profile merged = run(py::none(), [&](Work&) { return merge_profiles(profiles); });
        return std::make_shared<ProfileData>(ProfileData{std::move(merged), span_ns});
      },
      py::arg("profiles"));
}

}  // namespace jfrtree::python
