#include <pybind11/stl.h>

#include <jfrtree/summary.hpp>

#include "bind.hpp"
#include "errors.hpp"
#include "text.hpp"

namespace jfrtree::python {
namespace {

const char* state_name(ChunkState state) {
  switch (state) {
    case ChunkState::complete:
      return "complete";
    case ChunkState::empty:
      return "empty";
    case ChunkState::unfinished:
      return "unfinished";
    case ChunkState::truncated:
      return "truncated";
  }
  return "complete";
}

py::dict to_dict(const ChunkSummary& chunk) {
  py::dict result;
  result["number"] = chunk.info.number;
  result["offset"] = chunk.info.offset;
  result["bytes"] = chunk.info.bytes;
  result["version"] = chunk.info.version();
  result["start_ns"] = chunk.info.header.start_ns;
  result["duration_ns"] = chunk.info.header.duration_ns;
  result["ticks_per_second"] = chunk.info.header.ticks_per_second;
  result["state"] = state_name(chunk.info.state);
  result["producer"] = to_str(chunk.producer);
  result["events"] = chunk.events;
  result["problems"] = chunk.problems;
  return result;
}

py::dict to_dict(const FileSummary& file) {
  py::list chunks;
  for (const ChunkSummary& chunk : file.chunks) {
    chunks.append(to_dict(chunk));
  }
  py::dict result;
  result["path"] = to_str(file.path);
  result["bytes"] = file.bytes;
  result["container"] = to_str(file.container);
  result["chunks"] = chunks;
  return result;
}

py::dict to_dict(const ProfileSummary& profile) {
  py::dict result;
  result["kind"] = to_str(profile.kind);
  result["events"] = to_list(profile.events);
  result["event_count"] = profile.event_count;
  result["samples"] = profile.samples;
  result["total"] = optional_number(profile.total);
  result["sample_types"] = to_list(profile.sample_types);
  result["further_totals"] = py::cast(profile.further_totals);
  result["default_sample_type"] = profile.default_sample_type;
  result["left_out"] = to_list(profile.left_out);
  return result;
}

}  // namespace

py::list to_list(std::span<const std::string> texts) {
  py::list list;
  for (const std::string& text : texts) {
    list.append(to_str(text));
  }
  return list;
}

py::list to_list(std::span<const SampleType> types) {
  py::list list;
  for (const SampleType& type : types) {
    list.append(py::make_tuple(to_str(type.name), to_str(type.unit)));
  }
  return list;
}

py::list to_list(std::span<const LeftOut> left_out) {
  py::list list;
  for (const LeftOut& one : left_out) {
    list.append(py::make_tuple(to_str(one.kind), to_str(one.event), one.count, to_str(one.reason)));
  }
  return list;
}

py::dict to_dict(const RecordingSummary& summary) {
  py::list files;
  for (const FileSummary& file : summary.files) {
    files.append(to_dict(file));
  }
  py::dict events;
  for (const auto& [name, count] : summary.events) {
    events[to_str(name)] = count;
  }
  py::list profiles;
  for (const ProfileSummary& profile : summary.profiles) {
    profiles.append(to_dict(profile));
  }
  py::list settings;
  for (const RecordingSetting& setting : summary.settings) {
    settings.append(
        py::make_tuple(to_str(setting.event), to_str(setting.name), to_str(setting.value)));
  }
  py::dict result;
  result["files"] = files;
  result["start_ns"] = optional_number(summary.start_ns);
  result["end_ns"] = optional_number(summary.end_ns);
  result["producer"] = to_str(summary.producer);
  result["events"] = events;
  result["profiles"] = profiles;
  result["settings"] = settings;
  result["notes"] = to_list(summary.notes);
  result["problems"] = to_list(summary.problems);
  return result;
}

}  // namespace jfrtree::python
