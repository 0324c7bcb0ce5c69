#include "support/hostile_recordings.hpp"

#include <iterator>
#include <stdexcept>

namespace jfrtree::test {

bool allows(Outcome expected, Outcome seen) {
  return (static_cast<unsigned>(expected) & static_cast<unsigned>(seen)) != 0;
}

std::string to_string(Outcome outcome) {
  std::string text;
  const auto add = [&](Outcome one, std::string_view name) {
    if (!allows(outcome, one)) return;
    if (!text.empty()) text += '|';
    text += name;
  };
  add(Outcome::fine, "fine");
  add(Outcome::problem, "problem");
  add(Outcome::error, "error");
  return text;
}

const std::vector<HostileRecording>& hostile_recordings() {
  static const std::vector<HostileRecording> all = [] {
    std::vector<HostileRecording> entries;
    for (const auto part : {hostile_headers, hostile_metadata, hostile_types, hostile_checkpoints,
                            hostile_constants, hostile_events, hostile_files, hostile_amplified}) {
      std::vector<HostileRecording> more = part();
      std::move(more.begin(), more.end(), std::back_inserter(entries));
    }
    return entries;
  }();
  return all;
}

std::vector<HostileRecording> joined(
    std::initializer_list<std::span<const HostileRecording>> tables) {
  std::vector<HostileRecording> rows;
  for (const auto table : tables) rows.insert(rows.end(), table.begin(), table.end());
  return rows;
}

const HostileRecording& hostile_recording(std::string_view name) {
  for (const HostileRecording& entry : hostile_recordings()) {
    if (entry.name == name) return entry;
  }
  throw std::out_of_range("no hostile recording " + std::string(name));
}

}  // namespace jfrtree::test
