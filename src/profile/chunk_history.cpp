#include "profile/chunk_history.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>

namespace jfrtree::internal {

namespace {

/// Chunks sort by when they began. Of two copies of one chunk the one that was taken later has got
/// further. Files and numbers only tell equal copies apart.
[[nodiscard]] auto when(const ChunkFacts& facts) {
  const ChunkHeader& header = facts.info.header;
  return std::tuple(header.start_ns, header.duration_ns, facts.info.bytes, facts.file,
                    facts.info.number);
}

}  // namespace

ChunkHistory::ChunkHistory(std::span<const ChunkFacts> facts)
    : facts_(facts), by_time_(facts.size()) {
  std::iota(by_time_.begin(), by_time_.end(), std::size_t{0});
  std::sort(by_time_.begin(), by_time_.end(),
            [this](std::size_t a, std::size_t b) { return when(facts_[a]) < when(facts_[b]); });
  find_owners();
}

/// The process of each chunk: its own word, else that of the nearest chunk before it in the file
/// that names one, else of the first that does. Not by time: the chunks of two recordings that were
/// joined stand behind each other, but may overlap in time.
void ChunkHistory::find_owners() {
  std::vector<std::size_t> by_place(facts_.size());
  std::iota(by_place.begin(), by_place.end(), std::size_t{0});
  std::sort(by_place.begin(), by_place.end(), [this](std::size_t a, std::size_t b) {
    return std::pair(facts_[a].file, facts_[a].info.number) <
           std::pair(facts_[b].file, facts_[b].info.number);
  });
  std::map<std::size_t, ProcessId> current;  // by file
  for (std::size_t i = by_place.size(); i-- > 0;) {
    const ChunkFacts& facts = facts_[by_place[i]];
    if (facts.process) current[facts.file] = *facts.process;
  }
  owners_.resize(facts_.size());
  for (const std::size_t chunk : by_place) {
    const ChunkFacts& facts = facts_[chunk];
    if (facts.process) current[facts.file] = *facts.process;
    const auto process = current.find(facts.file);
    // Without a process one file is one process.
    owners_[chunk] =
        process == current.end() ? Owner{std::nullopt, facts.file} : Owner{process->second, 0};
  }
}

std::vector<Settings> ChunkHistory::effective_settings() const {
  std::map<Owner, Settings> current;
  std::vector<Settings> found(facts_.size());
  for (const std::size_t chunk : by_time_) {
    Settings& settings = current[owners_[chunk]];
    for (const auto& [key, value] : facts_[chunk].settings) settings[key] = value;
    found[chunk] = settings;
  }
  return found;
}

std::set<std::size_t> ChunkHistory::newest(std::span<const std::size_t> chunks) const {
  std::map<Owner, std::size_t> newest;
  for (const std::size_t chunk : chunks) {
    const auto [found, is_new] = newest.emplace(owners_[chunk], chunk);
    if (!is_new && when(facts_[found->second]) < when(facts_[chunk])) found->second = chunk;
  }
  std::set<std::size_t> found;
  for (const auto& [owner, chunk] : newest) found.insert(chunk);
  return found;
}

std::vector<Problem> ChunkHistory::repeated_chunks() const {
  std::vector<Problem> notes;
  std::map<std::tuple<std::int64_t, std::int64_t, std::uint64_t, std::uint64_t>, std::size_t> first;
  for (const std::size_t chunk : by_time_) {  // equal times: in the order of files and chunks
    const ChunkFacts& facts = facts_[chunk];
    const ChunkHeader& header = facts.info.header;
    const auto [found, is_new] = first.emplace(
        std::tuple(header.start_ns, header.start_ticks, header.size, header.checkpoint_offset),
        chunk);
    if (is_new) continue;
    const ChunkFacts& other = facts_[found->second];
    Problem note;
    note.code = ErrorCode::repeated_chunk;
    note.severity = Severity::note;
    note.file = facts.file_name;
    note.chunk = facts.info.number;
    note.offset = facts.info.offset;
    note.message = "the same chunk is also chunk " + std::to_string(other.info.number) + " of " +
                   other.file_name + "; both are counted";
    notes.push_back(std::move(note));
  }
  std::stable_sort(notes.begin(), notes.end(), [](const Problem& a, const Problem& b) {
    return std::tie(a.file, a.chunk) < std::tie(b.file, b.chunk);
  });
  return notes;
}

}  // namespace jfrtree::internal
