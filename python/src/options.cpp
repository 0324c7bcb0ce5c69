#include "options.hpp"

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "cli/available_cores.hpp"

#include "option_values.hpp"
#include "text.hpp"

namespace jfrtree::python {
namespace {

void take_times(const py::dict& options, const char* key, std::vector<TimePoint>& target) {
  std::vector<std::string> texts;
  take(options, key, texts);
  for (const std::string& text : texts) {
    target.push_back(parsed(key, text, parse_time_point));
  }
}

struct FrameFlag {
  const char* key;
  bool FrameOptions::*member;
};

constexpr std::array<FrameFlag, 12> frame_flags = {{
    {"truncated_frame", &FrameOptions::truncated_frame},
    {"by_thread", &FrameOptions::by_thread},
    {"fold_thread_names", &FrameOptions::fold_thread_names},
    {"lines", &FrameOptions::lines},
    {"bci", &FrameOptions::bci},
    {"signatures", &FrameOptions::signatures},
    {"simple", &FrameOptions::simple},
    {"slashes", &FrameOptions::slashes},
    {"modules", &FrameOptions::modules},
    {"frame_types", &FrameOptions::frame_types},
    {"libraries", &FrameOptions::libraries},
    {"hide_hidden", &FrameOptions::hide_hidden},
}};

void take_frames(const py::dict& options, FrameOptions& frames) {
  take(options, "class_leaf", frames.class_leaf);
  for (const FrameFlag& flag : frame_flags) {
    take(options, flag.key, frames.*flag.member);
  }
  take(options, "normalize", frames.normalize);
  take(options, "thread_group", frames.thread_groups);
}

void take_filters(const py::dict& options, FilterOptions& filters) {
  filters = time_options(options);
  take(options, "thread", filters.threads);
  if (const auto ids = find(options, "tid")) {
    for (const py::handle id : *ids) {
      filters.thread_ids.push_back(cast<std::uint64_t>(id, "tid"));
    }
  }
  take(options, "state", filters.states);
  std::string length;
  take(options, "min_duration", length);
  if (!length.empty()) {
    filters.min_duration_ns = parsed("min_duration", length, parse_time_length);
  }
  if (const auto pairs = find(options, "context")) {
    for (const py::handle pair : *pairs) {
      const auto both = py::reinterpret_borrow<py::sequence>(pair);
      filters.context.emplace_back(to_bytes(both[0]), to_bytes(both[1]));
    }
  }
  take(options, "span", filters.spans);
  take(options, "include", filters.include);
  take(options, "exclude", filters.exclude);
  take(options, "focus", filters.focus);
  take(options, "skip", filters.skip);
  take(options, "depth", filters.depth);
}

}  // namespace

ReadOptions read_options(const py::dict& options) {
  ReadOptions result;
  take(options, "strict", result.strict);
  unsigned threads = 0;
  take(options, "threads", threads);
  result.threads = threads != 0 ? threads : cli::available_cores();
  take_limits(options, result.limits);
  return result;
}

void take_limits(const py::dict& options, Limits& limits) {
  const auto given = find(options, "limits");
  if (!given) {
    return;
  }
  for (const auto& [name, number] : py::reinterpret_borrow<py::dict>(*given)) {
    const std::string text = to_bytes(name);
    if (!set_limit(limits, text, cast<std::uint64_t>(number, "limits: " + text))) {
      throw UsageError("limits: no limit is called '" + text + "', jfrtree.limits lists them");
    }
  }
}

ProfileRequest profile_request(const py::dict& options) {
  ProfileRequest request;
  take(options, "kinds", request.kinds);
  take(options, "event", request.event);
  take(options, "value_field", request.value_field);
  take(options, "leak", request.leak);
  take(options, "allow_absent", request.allow_absent);
  take_frames(options, request.frames);
  take_filters(options, request.filters);
  std::string compat;
  take(options, "compat", compat);
  if (!compat.empty()) {
    request.compat = Compat::jfrconv;
  }
  return request;
}

ExportOptions export_options(const py::dict& options) {
  ExportOptions result;
  take(options, "sample_type", result.sample_type);
  take(options, "reverse", result.reverse);
  take(options, "min_width", result.min_width);
  take(options, "max_nodes", result.max_nodes);
  take(options, "title", result.title);
  take(options, "notes", result.notes);
  take(options, "labels", result.labels);
  take(options, "raw_frames", result.raw_frames);
  take(options, "tree_nodes", result.tree_nodes);
  take(options, "threads", result.threads);
  return result;
}

EventRequest event_request(const py::dict& options) {
  EventRequest request;
  take(options, "types", request.types);
  take(options, "columns", request.columns);
  take(options, "stacks", request.stacks);
  take(options, "max_rows", request.max_rows);
  take_frames(options, request.frames);
  return request;
}

FilterOptions time_options(const py::dict& options) {
  FilterOptions filters;
  take_times(options, "start", filters.from);
  take_times(options, "end", filters.to);
  return filters;
}

}  // namespace jfrtree::python
