#include "recording.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <jfrtree/input.hpp>
#include <jfrtree/summary.hpp>

#include "file_object.hpp"

namespace jfrtree::python {
namespace {

constexpr std::size_t header_bytes = 68;

// The magic and a version that is read, and a whole header.
bool begins_as_chunk(Input& input) {
  std::array<std::byte, header_bytes> bytes{};
  std::size_t count = 0;
  while (count < bytes.size()) {
    const std::size_t got = input.read(std::span(bytes).subspan(count));
    if (got == 0) {
      return false;
    }
    count += got;
  }
  constexpr std::array<std::byte, 5> start = {std::byte{'F'}, std::byte{'L'}, std::byte{'R'},
                                              std::byte{0}, std::byte{0}};
  return std::equal(start.begin(), start.end(), bytes.begin()) && bytes[5] >= std::byte{1};
}

}  // namespace

void Recording::add_path(const std::string& path, Labels labels) {
  inputs_.push_back({path, std::move(labels), nullptr, std::nullopt});
}

void Recording::add_buffer(const py::handle& object, const std::string& name, Labels labels) {
  inputs_.push_back({name, std::move(labels), std::make_shared<Buffer>(object), std::nullopt});
}

void Recording::add_file_object(const py::object& file, const std::string& name, Labels labels) {
  inputs_.push_back(
      {name, std::move(labels), nullptr, spool_file_object(file, name, options_.limits)});
}

std::vector<Source> Recording::open(std::vector<Problem>& found) const {
  std::vector<std::string> paths;
  for (const RecordingInput& input : inputs_) {
    if (!input.buffer && !input.spool) {
      paths.push_back(input.name);
    }
  }
  if (!paths.empty()) {
    // All together, since it is about all of them that something is found.
    static_cast<void>(open_sources(paths, &found));
  }
  std::vector<Source> sources;
  for (const RecordingInput& input : inputs_) {
    for (Source& source : open_one(input, found)) {
      source.labels = input.labels;
      sources.push_back(std::move(source));
    }
  }
  for (const Problem& problem : found) {
    if (options_.strict && problem.severity == Severity::problem) {
      throw FormatError(problem);
    }
  }
  return sources;
}

std::vector<Source> Recording::open_one(const RecordingInput& input,
                                        std::vector<Problem>& found) const {
  if (input.buffer) {
    return {{input.name, buffer_input(input.buffer, input.name, options_.limits)}};
  }
  if (input.spool) {
    if (input.spool->problem()) {
      found.push_back(*input.spool->problem());
    }
    return {{input.name, input.spool->open()}};
  }
  return open_sources(std::array{input.name});
}

void Recording::check_start(const std::atomic<bool>& stop) const {
  std::vector<Problem> found;
  std::vector<Source> sources = open(found);
  if (sources.size() != 1) {
    return;
  }
  {
    const std::shared_ptr<Input> input =
        sources.front().input ? sources.front().input
                              : open_input(sources.front().path, options_.limits, &stop);
    if (begins_as_chunk(*input)) {
      return;
    }
  }
  // Stacks as text, or nothing that is read: the whole of it tells.
  ReadOptions options = options_;
  options.strict = false;
  options.stop = &stop;
  static_cast<void>(summarize(open(found), true, options));
}

}  // namespace jfrtree::python
