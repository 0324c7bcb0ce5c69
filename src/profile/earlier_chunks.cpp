#include "profile/earlier_chunks.hpp"

#include <algorithm>

namespace jfrtree::internal {

namespace {

/// Processes and files that are known beyond one reading.
constexpr std::size_t most_known = 4096;

/// Forgets half of what is known, that which was used longest ago.
template <typename Map>
void forget_oldest(Map& known) {
  std::vector<std::uint64_t> uses;
  for (const auto& [key, used] : known) uses.push_back(used.last);
  const auto middle = uses.begin() + static_cast<std::ptrdiff_t>(uses.size() / 2);
  std::nth_element(uses.begin(), middle, uses.end());
  const std::uint64_t limit = *middle;
  std::erase_if(known, [limit](const auto& entry) { return entry.second.last < limit; });
}

}  // namespace

void EarlierChunks::begin(const std::vector<Source>& sources) {
  if (!knows_paths_) return;
  paths_.clear();
  for (const Source& source : sources) paths_.push_back(source.path);
  if (processes_.size() > most_known) forget_oldest(processes_);
  if (settings_.size() > most_known) forget_oldest(settings_);
}

std::string EarlierChunks::file_key(std::size_t file) const {
  return file < paths_.size() ? paths_[file] : std::to_string(file);
}

const Settings& EarlierChunks::add(ChunkFacts& facts) {
  ++uses_;
  const std::string file = file_key(facts.file);
  if (facts.process) processes_[file].value = *facts.process;
  const auto known = processes_.find(file);
  if (known != processes_.end()) {
    facts.process = known->second.value;
    known->second.last = uses_;
  }
  // Without a process one file is one process.
  Used<Settings>& settings = settings_[Owner(facts.process, facts.process ? std::string() : file)];
  settings.last = uses_;
  for (const auto& [key, value] : facts.settings) settings.value[key] = value;
  return settings.value;
}

}  // namespace jfrtree::internal
