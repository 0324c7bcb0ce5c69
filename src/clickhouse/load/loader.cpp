#include "clickhouse/load/loader.hpp"

#include <algorithm>
#include <random>
#include <utility>

#include "io/xxh64.hpp"

namespace jfrtree::internal {

using clickhouse::LoadOptions;
using clickhouse::Model;
using clickhouse::Table;

namespace {

/// Chunks that are sent together at most.
constexpr std::size_t most_batch_chunks = 256;
/// Bytes of the text about problems that the ledger keeps of a chunk.
constexpr std::size_t most_problem_bytes = 4096;

[[nodiscard]] std::uint64_t random_load_id() {
  std::random_device device;
  return first_load_with_hours | std::uint64_t{device()} << 32 | device();
}

[[nodiscard]] std::string problems_text(const std::vector<Problem>& problems) {
  std::string text;
  for (const Problem& problem : problems) {
    if (problem.severity != Severity::problem) continue;
    if (!text.empty()) text += "\n";
    text += to_string(problem);
    if (text.size() > most_problem_bytes) return text.substr(0, most_problem_bytes) + " ...";
  }
  return text;
}

[[nodiscard]] std::string service_of(const SampleChunkPlace& place) {
  const auto& labels = place.source->labels;
  const auto service = labels.find("service");
  return service == labels.end() ? "default" : service->second;
}

[[nodiscard]] LedgerEntry entry_of(const SampleChunk& chunk) {
  LedgerEntry entry;
  entry.chunk_hash = chunk.place.hash;
  entry.load_id = random_load_id();
  entry.service = service_of(chunk.place);
  entry.source = chunk.place.source->path;
  entry.process = clickhouse::process_hash(chunk);
  const auto& labels = chunk.place.source->labels;
  const auto host = labels.find("host");
  if (host != labels.end()) entry.host = host->second;
  entry.producer = chunk.producer;
  entry.start_ns = chunk.start_ns;
  entry.end_ns = chunk.end_ns;
  entry.events = chunk.events;
  entry.samples = chunk.samples;
  entry.problems = problems_text(chunk.problems);
  entry.is_partial = chunk.place.info.state != ChunkState::complete;
  return entry;
}

/// Whether two are states of one chunk, at least one of them before it was finished.
[[nodiscard]] bool are_states_of_one_chunk(const LedgerEntry& a, const LedgerEntry& b) {
  return (a.is_partial || b.is_partial) && a.load_id != b.load_id && a.start_ns == b.start_ns &&
         a.service == b.service && (a.process == b.process || a.source == b.source);
}

/// Whether `a` is the later one of two states of a chunk.
[[nodiscard]] bool is_later_state(const LedgerEntry& a, const LedgerEntry& b) {
  if (a.is_partial != b.is_partial) return b.is_partial;
  return a.events != b.events ? a.events > b.events : a.load_id < b.load_id;
}

}  // namespace

Loader::Loader(clickhouse::Database& database, const LoadOptions& options,
               const std::atomic<bool>* stop)
    : options_(options),
      model_(options.request.model),
      database_(database, options, stop),
      ledger_(database_, options),
      samples_(table_columns(model_, Table::samples)),
      hours_(table_columns(Model::hashed, Table::samples)),
      bytes_(table_columns(Model::hashed, Table::bytes)),
      stacks_(table_columns(Model::hashed, Table::stacks)) {}

bool Loader::wants(const SampleChunkPlace& place) {
  const std::lock_guard lock(mutex_);
  bool is_new = seen_.insert(place.hash).second;
  if (is_new && !options_.force &&
      ledger_.has_committed(place.hash, service_of(place), place.info.header.start_ns)) {
    seen_.erase(place.hash);
    is_new = false;
  }
  result_.skipped_chunks += is_new ? 0 : 1;
  return is_new;
}

void Loader::chunk(const SampleChunk& chunk) {
  const std::lock_guard lock(mutex_);
  Pending pending;
  pending.entry = entry_of(chunk);
  const auto take_samples = [&](const RowBlock& block) {
    append_native(block, pending.samples);
    pending.rows += block.rows();
  };
  const auto take_stacks = [this](const RowBlock& block) { append_stacks(block); };
  if (model_ == Model::hashed) {
    add_stack_rows(chunk, known_, stacks_, take_stacks);
    add_sample_rows(chunk, pending.entry.load_id, samples_, take_samples);
    add_sums(chunk, pending);
  } else {
    add_otel_rows(chunk, pending.entry.load_id, options_.request.samples.bucket_ns, samples_,
                  take_samples);
  }
  if (samples_.rows() > 0) take_samples(samples_);
  samples_.clear();
  pending_bytes_ += pending.samples.size() + pending.hours.size() + pending.bytes.size();
  pending_.push_back(std::move(pending));
  const bool is_full = pending_bytes_ + stack_bytes_.size() >= options_.batch_bytes ||
                       pending_.size() >= most_batch_chunks;
  if (is_full) send();
}

void Loader::finish() {
  const std::lock_guard lock(mutex_);
  send();
}

void Loader::forget_unread() {
  const std::lock_guard lock(mutex_);
  seen_.clear();
  for (const Pending& chunk : pending_) seen_.insert(chunk.entry.chunk_hash);
}

clickhouse::LoadResult Loader::take_result() {
  const std::lock_guard lock(mutex_);
  return std::exchange(result_, {});
}

std::set<std::string> Loader::take_left_sources() {
  const std::lock_guard lock(mutex_);
  return std::exchange(left_sources_, {});
}

void Loader::append_stacks(const RowBlock& block) {
  append_native(block, stack_bytes_);
  result_.stack_rows += block.rows();
}

/// What is stored beside the finest rows.
void Loader::add_sums(const SampleChunk& chunk, Pending& pending) {
  const auto fill = [&](RowBlock& block, std::string& native, auto add) {
    const auto take = [&](const RowBlock& full) { append_native(full, native); };
    add(chunk, pending.entry.load_id, block, take);
    if (block.rows() > 0) take(block);
    block.clear();
  };
  fill(hours_, pending.hours, add_hour_rows);
  fill(bytes_, pending.bytes, add_bytes_rows);
}

void Loader::send() {
  if (pending_.empty() || is_sending_) return;
  is_sending_ = true;
  ledger_.write(entries(), KnownLoad::State::started);
  std::vector<KnownLoad> replaced = look_at_others();
  look_at_other_states(replaced);
  if (stacks_.rows() > 0) append_stacks(stacks_);
  stacks_.clear();
  // Stacks of chunks that others load do no harm, and later chunks may have them as well.
  insert("profile_stacks", table_columns(Model::hashed, Table::stacks), stack_bytes_);
  insert("profile_bytes", table_columns(Model::hashed, Table::bytes), joined(&Pending::bytes));
  insert("profile_samples_1h", table_columns(Model::hashed, Table::samples),
         joined(&Pending::hours));
  insert(model_ == Model::hashed ? "profile_samples" : "otel_profiles",
         table_columns(model_, Table::samples), joined(&Pending::samples));
  // In this order a loader that dies here leaves a chunk out; it never counts twice.
  ledger_.replace(replaced);
  ledger_.write(entries(), KnownLoad::State::committed);
  if (!database_.database().is_embedded()) settle(replaced);
  ledger_.delete_rows(replaced);
  count();
  pending_.clear();
  stack_bytes_.clear();
  pending_bytes_ = 0;
  is_sending_ = false;
}

/// The rows of one table of all chunks that are still to be loaded.
std::string Loader::joined(std::string Pending::*rows) const {
  std::string all;
  for (const Pending& chunk : pending_) {
    if (!chunk.is_dropped) all += chunk.*rows;
  }
  return all;
}

void Loader::insert(const std::string& table, const std::vector<ColumnName>& columns,
                    const std::string& bytes) {
  if (bytes.empty()) return;
  Xxh64 hash;
  hash.add(bytes);
  // The same bytes count once, also where a view failed in between: it is filled by the retry.
  std::string target =
      table + " " + column_list(columns) +
      " SETTINGS optimize_on_insert = 0, insert_deduplicate = 1, insert_deduplication_token = '" +
      std::to_string(hash.finish()) + "', deduplicate_blocks_in_dependent_materialized_views = 1";
  if (!options_.cluster.empty()) target += ", insert_distributed_sync = 1";
  database_.insert(target, bytes);
  result_.bytes += bytes.size();
}

/// The entries of the chunks that are still to be loaded.
std::vector<LedgerEntry> Loader::entries() const {
  std::vector<LedgerEntry> entries;
  for (const Pending& chunk : pending_) {
    if (!chunk.is_dropped) entries.push_back(chunk.entry);
  }
  return entries;
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
        ++(is_committed ? result_.skipped_chunks : result_.left_chunks);
        if (is_committed) continue;
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
    if (entry.is_partial || ledger_.has_partial(entry)) asked.push_back(entry);
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

void Loader::count() {
  for (const Pending& chunk : pending_) {
    // What the ledger knows need not be remembered here; with `force` it is not asked.
    if (!options_.force) seen_.erase(chunk.entry.chunk_hash);
    if (chunk.is_dropped) continue;
    ledger_.remember(chunk.entry);
    ++result_.loaded_chunks;
    result_.sample_rows += chunk.rows;
    result_.replaced_chunks += chunk.has_replaced ? 1 : 0;
  }
}

}  // namespace jfrtree::internal
