#include "format/opened.hpp"

#include <algorithm>
#include <fstream>
#include <span>
#include <string_view>
#include <utility>

#include "io/temporary_folder.hpp"

namespace jfrtree::test {

namespace {

constexpr std::size_t stream_piece = 97;

std::string to_text(const Problem& problem) {
  std::string text(error_code_name(problem.code));
  if (problem.count != 1) text += " x" + std::to_string(problem.count);
  if (problem.chunk != 0) text += " chunk " + std::to_string(problem.chunk);
  if (problem.offset != no_position) text += " at " + std::to_string(problem.offset);
  return problem.severity == Severity::note ? "[" + text + "]" : text;
}

}  // namespace

std::string to_text(const std::vector<Problem>& problems) {
  std::string text;
  for (const Problem& problem : problems) text += (text.empty() ? "" : "; ") + to_text(problem);
  return text;
}

std::unique_ptr<Input> input_of(const Bytes& bytes, Source source, const std::string& folder) {
  if (source == Source::memory) return memory_input(bytes, "test");
  if (source == Source::file) {
    const std::string path = folder + "/recording.jfr";
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
    return open_input(path);
  }
  return stream_input(
      [rest = std::span<const std::byte>(bytes)](std::span<std::byte> buffer) mutable {
        const std::size_t count = std::min({buffer.size(), rest.size(), stream_piece});
        std::copy_n(rest.begin(), count, buffer.begin());
        rest = rest.subspan(count);
        return count;
      },
      "test");
}

Opened::Opened(Bytes bytes, Source source, const Limits& limits) : bytes_(std::move(bytes)) {
  std::optional<TemporaryFolder> folder;
  if (source == Source::file) folder.emplace();
  try {
    const auto input = input_of(bytes_, source, folder ? folder->path("") : "");
    ChunkReader reader(*input, limits);
    try {
      while (auto chunk = reader.next()) chunks.push_back(std::move(*chunk));
    } catch (const Error& failure) {
      error = failure.problem();
    }
    problems = reader.problems();
  } catch (const Error& failure) {
    error = failure.problem();
  }
}

std::vector<RawEvent> Opened::raw_events(std::size_t chunk) const {
  std::vector<RawEvent> events;
  for (const RawEvent& event : chunks.at(chunk)) events.push_back(event);
  return events;
}

std::vector<Event> Opened::events(std::size_t chunk) const {
  std::vector<Event> events;
  for (const RawEvent& raw : chunks.at(chunk)) events.emplace_back(chunks.at(chunk), raw);
  return events;
}

Event Opened::event(std::size_t index, std::size_t chunk) const {
  return {chunks.at(chunk), raw_events(chunk).at(index)};
}

std::string Opened::integers(std::string_view name) const {
  std::string text;
  for (std::size_t chunk = 0; chunk < chunks.size(); ++chunk) {
    if (chunk > 0) text += " | ";
    std::string line;
    for (const Event& event : events(chunk)) {
      const Value value = event[name];
      if (value.is_null()) continue;
      line += (line.empty() ? "" : " ") + std::to_string(value.integer());
    }
    text += line;
  }
  return text;
}

std::string Opened::findings() const {
  std::string text = jfrtree::test::to_text(problems);
  if (error) text = "error " + to_text(std::vector{*error}) + (text.empty() ? "" : "; ") + text;
  return text;
}

}  // namespace jfrtree::test
