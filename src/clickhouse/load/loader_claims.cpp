// What the loader does about chunks that are there already, or that others load.

#include <algorithm>
#include <string>
#include <vector>

#include "clickhouse/load/loader.hpp"

namespace jfrtree::internal {

namespace {

/// Whether two are states of one chunk, at least one of them before it was finished.
[[nodiscard]] bool are_states_of_one_chunk(const LedgerEntry& a, const LedgerEntry& b) {
  // A start has nanoseconds: without a process it has to be enough.
  const bool may_be_one_process = a.process == b.process || a.source == b.source ||
                                  !a.notes.has_process || !b.notes.has_process;
  return (a.notes.is_unfinished || b.notes.is_unfinished) && a.load_id != b.load_id &&
         a.start_ns == b.start_ns && a.service == b.service && may_be_one_process;
}

/// Whether `a` is the later one of two states of a chunk.
[[nodiscard]] bool is_later_state(const LedgerEntry& a, const LedgerEntry& b) {
  if (a.notes.is_unfinished != b.notes.is_unfinished) return b.notes.is_unfinished;
  return a.events != b.events ? a.events > b.events : a.load_id < b.load_id;
}

}  // namespace

/// Counts a chunk that is there already, and how it differs from what would be loaded.
void Loader::skip(const LoadNotes& stored, const LoadNotes& wanted) {
  ++result_.skipped_chunks;
  if (stored.labels != 0 && stored.labels != wanted.labels) {
    ++with_other_labels_;
  } else if (stored.selection != 0 && stored.selection != wanted.selection) {
    ++with_other_selection_;
  }
}

void Loader::tell_of_skipped() {
  const auto tell = [this](std::uint64_t& count, const char* with) {
    if (count == 0) return;
    database_.tell(std::to_string(count) + (count == 1 ? " chunk is" : " chunks are") +
                   " there already with other " + with + ", and " +
                   (count == 1 ? "stays as it is" : "stay as they are") +
                   ": --force (force=True) replaces what is there");
    count = 0;
  };
  tell(with_other_labels_, "labels");
  tell(with_other_selection_, "kinds, filters, frames or buckets");
}

std::vector<std::uint64_t> Loader::chunk_hashes() const {
  std::vector<std::uint64_t> hashes;
  for (const Pending& chunk : pending_) {
    if (!chunk.is_dropped) hashes.push_back(chunk.entry.chunk_hash);
  }
  return hashes;
}

void Loader::drop(Pending& chunk, std::vector<KnownLoad>& dropped) {
  chunk.is_dropped = true;
  dropped.push_back({chunk.entry.chunk_hash, chunk.entry.load_id});
}

/// Undoes what loaders that are gone have left, and drops the chunks that others have loaded or
/// load. Returns the loads that are to be replaced.
std::vector<KnownLoad> Loader::look_at_others() {
  const std::vector<KnownLoad> loads = ledger_.loads_of(chunk_hashes());
  std::vector<KnownLoad> abandoned;
  std::vector<KnownLoad> replaced;
  std::vector<KnownLoad> dropped;
  for (Pending& chunk : pending_) {
    const LedgerEntry& entry = chunk.entry;
    for (const KnownLoad& load : loads) {
      if (load.chunk_hash != entry.chunk_hash || load.load_id == entry.load_id) continue;
      const bool is_committed = load.state == KnownLoad::State::committed;
      if (load.is_abandoned) {
        abandoned.push_back(load);
      } else if (is_committed && options_.force) {
        replaced.push_back(load);
        chunk.has_replaced = true;
      } else if (!chunk.is_dropped && (is_committed || load.load_id < entry.load_id)) {
        drop(chunk, dropped);
        if (is_committed) {
          skip(load.notes, entry.notes);
          continue;
        }
        ++result_.left_chunks;
        left_sources_.insert(entry.source);
        database_.tell(entry.source + ": another loader has begun a chunk");
      }
    }
  }
  ledger_.delete_rows(abandoned);
  ledger_.replace(abandoned);
  ledger_.replace(dropped);
  result_.undone_loads += abandoned.size();
  return replaced;
}

/// A chunk that was loaded before it was finished is replaced by what it became, and of two states
/// of it only the later one is loaded.
void Loader::look_at_other_states(std::vector<KnownLoad>& replaced) {
  std::vector<LedgerEntry> asked;
  for (const LedgerEntry& entry : entries()) {
    if (entry.notes.is_unfinished || ledger_.has_partial(entry)) asked.push_back(entry);
  }
  if (asked.empty()) return;
  const std::vector<LedgerEntry> stored = ledger_.states_of(asked);
  const std::vector<LedgerEntry> in_batch = entries();
  std::vector<KnownLoad> dropped;
  for (Pending& chunk : pending_) {
    if (chunk.is_dropped) continue;
    const auto is_earlier = [&chunk](const LedgerEntry& other) {
      return are_states_of_one_chunk(chunk.entry, other) && is_later_state(other, chunk.entry);
    };
    if (std::any_of(stored.begin(), stored.end(), is_earlier) ||
        std::any_of(in_batch.begin(), in_batch.end(), is_earlier)) {
      drop(chunk, dropped);
      ++result_.skipped_chunks;
      continue;
    }
    for (const LedgerEntry& other : stored) {
      if (!are_states_of_one_chunk(chunk.entry, other)) continue;
      replaced.push_back({other.chunk_hash, other.load_id, KnownLoad::State::committed});
      chunk.has_replaced = true;
    }
  }
  ledger_.replace(dropped);
}

/// Where two loaders did not see each other in time, the lower number stays.
void Loader::settle(std::vector<KnownLoad>& replaced) {
  const std::vector<KnownLoad> loads = ledger_.loads_of(chunk_hashes());
  std::vector<KnownLoad> doubled;
  const KnownLoad* kept = nullptr;
  for (const KnownLoad& load : loads) {  // by chunk, then by number
    if (load.state != KnownLoad::State::committed) continue;
    if (kept != nullptr && kept->chunk_hash == load.chunk_hash) {
      doubled.push_back(load);
    } else {
      kept = &load;
    }
  }
  ledger_.replace(doubled);
  for (const KnownLoad& load : doubled) {
    for (Pending& chunk : pending_) {
      if (chunk.entry.load_id != load.load_id) continue;
      chunk.is_dropped = true;
      ++result_.left_chunks;
    }
  }
  replaced.insert(replaced.end(), doubled.begin(), doubled.end());
}

}  // namespace jfrtree::internal
