#include <algorithm>
#include <utility>

#include "cli/console.hpp"
#include "cli/human.hpp"
#include "cli/info_report.hpp"
#include "cli/table.hpp"
#include "cli/text.hpp"

namespace jfrtree::cli {
namespace {

// Rows of a list that is not shown in full.
constexpr std::size_t short_list = 20;
constexpr auto left = Table::Align::left;
constexpr auto right = Table::Align::right;

std::string more_text(std::size_t rows, std::size_t shown, std::size_t indent) {
  if (shown >= rows) {
    return {};
  }
  return std::string(indent, ' ') + "... and " + count_text(rows - shown) + " more, -v shows all\n";
}

std::string state_text(const ChunkSummary& chunk) {
  std::string text;
  switch (chunk.info.state) {
    case ChunkState::complete:
      break;
    case ChunkState::empty:
      text = "no events yet";
      break;
    case ChunkState::unfinished:
      text = "not finished";
      break;
    case ChunkState::truncated:
      text = "cut short";
      break;
  }
  if (chunk.problems != 0) {
    text += text.empty() ? "" : ", ";
    text += counted(chunk.problems, "problem", "problems");
  }
  return text;
}

}  // namespace

std::optional<std::uint64_t> known_duration_ns(const ChunkInfo& chunk) noexcept {
  const std::int64_t duration = chunk.header.duration_ns;
  const bool is_unknown = duration < 0 || (duration == 0 && chunk.state != ChunkState::complete);
  return is_unknown ? std::nullopt : std::optional(static_cast<std::uint64_t>(duration));
}

namespace {

std::string chunk_table(const FileSummary& file, bool all) {
  Table table({right, right, right, left, right, right, left}, 2);
  table.add({"chunk", "at", "bytes", "start, UTC", "duration", "events", ""});
  const std::size_t shown = all ? file.chunks.size() : std::min(file.chunks.size(), short_list);
  for (std::size_t i = 0; i < shown; ++i) {
    const ChunkSummary& chunk = file.chunks[i];
    const auto duration = known_duration_ns(chunk.info);
    table.add({count_text(chunk.info.number), std::to_string(chunk.info.offset),
               bytes_text(chunk.info.bytes), time_text(chunk.info.header.start_ns),
               duration ? duration_text(*duration) : "unknown", count_text(chunk.events),
               state_text(chunk)});
  }
  return table.text() + more_text(file.chunks.size(), shown, 2);
}

// Different values of a file's chunks in the order of their first occurrence.
template <typename Get>
std::string distinct(const FileSummary& file, Get get) {
  std::vector<std::string> values;
  for (const ChunkSummary& chunk : file.chunks) {
    std::string value = get(chunk);
    if (!value.empty() && std::find(values.begin(), values.end(), value) == values.end()) {
      values.push_back(std::move(value));
    }
  }
  return join(values, ", ");
}

std::string file_block(const FileSummary& file, bool all) {
  std::string text = printable(file.path) + ": " + bytes_text(file.bytes);
  if (file.container != "plain") {
    text += " in " + file.container;
  }
  std::string labels;
  for (const auto& [key, value] : file.labels) {
    labels += (labels.empty() ? "  labels " : ", ") + printable(key + "=" + value);
  }
  labels += labels.empty() ? "" : "\n";
  if (file.chunks.empty()) {
    return text + ", no chunks\n" + labels;
  }
  text += ", " + counted(file.chunks.size(), "chunk", "chunks");
  text += " of version " + distinct(file, [](const auto& chunk) { return chunk.info.version(); });
  const std::string producer = distinct(file, [](const auto& chunk) { return chunk.producer; });
  text += "\n  written by " + (producer.empty() ? "unknown" : printable(producer)) + "\n" + labels;
  return text + chunk_table(file, all);
}

std::string time_block(const RecordingSummary& summary) {
  if (!summary.start_ns || !summary.end_ns) {
    return "Time: unknown\n";
  }
  return "Time: " + time_text(*summary.start_ns) + " to " + time_text(*summary.end_ns) + " UTC (" +
         duration_text(span_ns(*summary.start_ns, *summary.end_ns)) + ")\n";
}

std::string event_block(const RecordingSummary& summary, bool all) {
  if (summary.events.empty()) {
    return "Events: none\n";
  }
  std::vector<std::pair<std::string, std::uint64_t>> events(summary.events.begin(),
                                                            summary.events.end());
  std::stable_sort(events.begin(), events.end(),
                   [](const auto& one, const auto& other) { return one.second > other.second; });
  std::uint64_t sum = 0;
  for (const auto& event : events) {
    sum += event.second;
  }
  const std::size_t shown = all ? events.size() : std::min(events.size(), short_list);
  Table table({right, left}, 2);
  for (std::size_t i = 0; i < shown; ++i) {
    table.add({count_text(events[i].second), events[i].first});
  }
  return "Events: " + count_text(sum) + " of " + counted(events.size(), "type", "types") + "\n" +
         table.text() + more_text(events.size(), shown, 2);
}

std::string profile_block(const RecordingSummary& summary) {
  if (summary.profiles.empty()) {
    return "Profiles: none has samples\n";
  }
  Table table({left, right, right, left}, 2);
  table.add({"kind", "samples", "total", "from"});
  Table left_out({left, right, left, left}, 2);
  for (const ProfileSummary& profile : summary.profiles) {
    std::string total = "-";
    if (profile.total && profile.sample_types.size() > 1) {
      total = number_text(*profile.total, profile.sample_types[1].unit);
    }
    for (std::size_t i = 0; i < profile.further_totals.size(); ++i) {
      total += ", " + number_text(profile.further_totals[i], profile.sample_types[i + 2].unit);
    }
    table.add({profile.kind, count_text(profile.samples), total, join(profile.events, ", ")});
    for (const LeftOut& item : profile.left_out) {
      left_out.add({profile.kind, count_text(item.count), item.event, item.reason});
    }
  }
  std::string text = "Profiles:\n" + table.text();
  if (!left_out.empty()) {
    text += "\nLeft out:\n" + left_out.text();
  }
  return text;
}

std::string finding_block(std::string_view heading, const std::vector<Problem>& problems,
                          bool all) {
  const std::vector<Finding> findings = findings_of(problems);
  if (findings.empty()) {
    return {};
  }
  std::string text = "\n" + std::string(heading) + ":\n";
  const std::size_t shown = all ? findings.size() : std::min(findings.size(), short_list);
  for (std::size_t i = 0; i < shown; ++i) {
    text += "  " + printable(finding_text(findings[i])) + "\n";
  }
  return text + more_text(findings.size(), shown, 2);
}

std::string settings_block(const std::vector<RecordingSetting>& settings) {
  if (settings.empty()) {
    return "\nSettings: the recording does not say them\n";
  }
  Table table({left, left, left}, 2);
  table.add({"event type", "setting", "value"});
  for (const RecordingSetting& setting : settings) {
    table.add({setting.event, setting.name, setting.value});
  }
  return "\nSettings:\n" + table.text();
}

}  // namespace

std::string info_text(const RecordingSummary& summary, const InfoTextOptions& options) {
  const bool all = options.all;
  std::string text;
  for (const FileSummary& file : summary.files) {
    text += file_block(file, all) + "\n";
  }
  text += time_block(summary);
  text += "\n" + event_block(summary, all);
  if (!options.is_quick || !summary.profiles.empty()) {
    text += "\n" + profile_block(summary);
  }
  if (options.settings) {
    text += settings_block(summary.settings);
  }
  text += finding_block("Notes", summary.notes, all);
  // All of them: messages elsewhere refer to this list.
  text += finding_block("Problems", summary.problems, true);
  return text;
}

}  // namespace jfrtree::cli
