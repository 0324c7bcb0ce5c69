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
  return entry;
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
      stacks_(table_columns(Model::hashed, Table::stacks)),
      selection_(selection_hash(options.request)) {}

bool Loader::wants(const SampleChunkPlace& place) {
  const std::lock_guard lock(mutex_);
  if (!seen_.insert(place.hash).second) {
    ++result_.skipped_chunks;
    return false;
  }
  if (options_.force) return true;
  const std::optional<LoadNotes> stored =
      ledger_.committed(place.hash, service_of(place), place.info.header.start_ns);
  if (!stored) return true;
  seen_.erase(place.hash);
  skip(*stored, notes_of(place));
  return false;
}

/// What is noted of a chunk before it is read.
LoadNotes Loader::notes_of(const SampleChunkPlace& place) const {
  LoadNotes notes;
  notes.is_unfinished = place.info.state != ChunkState::complete;
  notes.labels = labels_hash(place.source->labels);
  notes.selection = selection_;
  return notes;
}

void Loader::chunk(const SampleChunk& chunk) {
  const std::lock_guard lock(mutex_);
  Pending pending;
  pending.entry = entry_of(chunk);
  pending.entry.notes = notes_of(chunk.place);
  pending.entry.notes.has_process = chunk.process.has_value();
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
  tell_of_skipped();
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
  stack_rows_ += block.rows();
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
  send_stacks();
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
  pending_bytes_ = 0;
  is_sending_ = false;
}

void Loader::send_stacks() {
  if (stacks_.rows() > 0) append_stacks(stacks_);
  stacks_.clear();
  if (entries().empty()) {
    known_ = KnownStacks();  // those of this batch are not stored
  } else {
    // Stacks of chunks that others load do no harm, and later chunks may have them as well.
    insert("profile_stacks", table_columns(Model::hashed, Table::stacks), stack_bytes_);
    result_.stack_rows += stack_rows_;
  }
  stack_bytes_.clear();
  stack_rows_ = 0;
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
