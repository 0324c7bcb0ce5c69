#include <algorithm>
#include <mutex>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <jfrtree/clickhouse_load.hpp>

#include "clickhouse/ledger.hpp"
#include "clickhouse/retries.hpp"
#include "clickhouse/sample_tables.hpp"
#include "clickhouse/sql_text.hpp"
#include "io/xxh64.hpp"

namespace jfrtree::clickhouse {

using internal::KnownLoad;
using internal::Ledger;
using internal::LedgerEntry;
using internal::RowBlock;

namespace {

/// Chunks that are sent together at most.
constexpr std::size_t most_batch_chunks = 256;
/// Bytes of the text about problems that the ledger keeps of a chunk.
constexpr std::size_t most_problem_bytes = 4096;

/// 0 is the load of rows that belong to none.
[[nodiscard]] std::uint64_t random_load_id() {
  std::random_device device;
  std::uint64_t id = 0;
  while (id == 0) id = std::uint64_t{device()} << 32 | device();
  return id;
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

/// What a chunk becomes, until its batch is sent.
struct PendingChunk {
  LedgerEntry entry;
  std::string samples;  // blocks of Native
  std::string bytes;    // the same of the table of bytes
  std::uint64_t rows = 0;
  bool is_dropped = false;
};

[[nodiscard]] LedgerEntry entry_of(const SampleChunk& chunk) {
  LedgerEntry entry;
  entry.chunk_hash = chunk.place.hash;
  entry.load_id = random_load_id();
  entry.service = internal::service_of(chunk);
  entry.source = chunk.place.source->path;
  entry.process = process_hash(chunk);
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

class Loader final : public SampleRowSink {
 public:
  Loader(Database& database, const LoadOptions& options, const std::atomic<bool>* stop)
      : options_(options),
        model_(options.request.model),
        database_(database, options, stop),
        ledger_(database_, options),
        samples_(internal::table_columns(model_, Table::samples)),
        bytes_(internal::table_columns(Model::hashed, Table::bytes)),
        stacks_(internal::table_columns(Model::hashed, Table::stacks)) {}

  bool wants(const SampleChunkPlace& place) override {
    const std::lock_guard lock(mutex_);
    bool is_new = seen_.insert(place.hash).second;
    if (is_new && !options_.force) {
      const auto& labels = place.source->labels;
      const auto service = labels.find("service");
      is_new =
          !ledger_.has_committed(place.hash, service == labels.end() ? "default" : service->second,
                                 place.info.header.start_ns);
    }
    result.skipped_chunks += is_new ? 0 : 1;
    return is_new;
  }

  void chunk(const SampleChunk& chunk) override {
    const std::lock_guard lock(mutex_);
    PendingChunk pending;
    pending.entry = entry_of(chunk);
    const auto take_samples = [&](const RowBlock& block) {
      internal::append_native(block, pending.samples);
      pending.rows += block.rows();
    };
    const auto take_stacks = [this](const RowBlock& block) { append_stacks(block); };
    if (model_ == Model::hashed) {
      internal::add_stack_rows(chunk, known_, stacks_, take_stacks);
      internal::add_sample_rows(chunk, pending.entry.load_id, samples_, take_samples);
      add_bytes(chunk, pending);
    } else {
      internal::add_otel_rows(chunk, pending.entry.load_id, options_.request.samples.bucket_ns,
                              samples_, take_samples);
    }
    if (samples_.rows() > 0) take_samples(samples_);
    samples_.clear();
    pending_bytes_ += pending.samples.size() + pending.bytes.size();
    pending_.push_back(std::move(pending));
    const bool is_full = pending_bytes_ + stack_bytes_.size() >= options_.batch_bytes ||
                         pending_.size() >= most_batch_chunks;
    if (is_full) send();
  }

  void finish() {
    const std::lock_guard lock(mutex_);
    send();
  }

  LoadResult result;

 private:
  void add_bytes(const SampleChunk& chunk, PendingChunk& pending) {
    const auto take = [&](const RowBlock& block) { internal::append_native(block, pending.bytes); };
    internal::add_bytes_rows(chunk, pending.entry.load_id, bytes_, take);
    if (bytes_.rows() > 0) take(bytes_);
    bytes_.clear();
  }

  void append_stacks(const RowBlock& block) {
    internal::append_native(block, stack_bytes_);
    result.stack_rows += block.rows();
  }

  void send() {
    if (pending_.empty()) return;
    ledger_.write(entries(), KnownLoad::State::started);
    std::vector<KnownLoad> replaced = look_at_others();
    if (stacks_.rows() > 0) append_stacks(stacks_);
    stacks_.clear();
    // Stacks of chunks that others load do no harm, and later chunks may have them as well.
    insert("profile_stacks", internal::table_columns(Model::hashed, Table::stacks), stack_bytes_);
    std::string samples;
    std::string bytes;
    for (PendingChunk& chunk : pending_) {
      if (chunk.is_dropped) continue;
      samples += std::move(chunk.samples);
      bytes += std::move(chunk.bytes);
    }
    insert("profile_bytes", internal::table_columns(Model::hashed, Table::bytes), bytes);
    insert(model_ == Model::hashed ? "profile_samples" : "otel_profiles",
           internal::table_columns(model_, Table::samples), samples);
    // In this order a loader that dies here leaves a chunk out; it never counts twice.
    ledger_.replace(replaced);
    ledger_.write(entries(), KnownLoad::State::committed);
    if (!database_.database().is_embedded()) settle(replaced);
    ledger_.delete_rows(replaced);
    count(replaced);
    pending_.clear();
    stack_bytes_.clear();
    pending_bytes_ = 0;
  }

  void insert(const std::string& table, const std::vector<internal::ColumnName>& columns,
              const std::string& bytes) {
    if (bytes.empty()) return;
    internal::Xxh64 hash;
    hash.add(bytes);
    // The same bytes count once, also where a view failed in between: it is filled by the retry.
    std::string target = table + " " + internal::column_list(columns) +
                         " SETTINGS insert_deduplicate = 1, insert_deduplication_token = '" +
                         std::to_string(hash.finish()) +
                         "', deduplicate_blocks_in_dependent_materialized_views = 1";
    if (!options_.cluster.empty()) target += ", insert_distributed_sync = 1";
    database_.insert(target, bytes);
    result.bytes += bytes.size();
  }

  /// The entries of the chunks that are still to be loaded.
  [[nodiscard]] std::vector<LedgerEntry> entries() const {
    std::vector<LedgerEntry> entries;
    for (const PendingChunk& chunk : pending_) {
      if (!chunk.is_dropped) entries.push_back(chunk.entry);
    }
    return entries;
  }
  [[nodiscard]] std::vector<std::uint64_t> chunk_hashes() const {
    std::vector<std::uint64_t> hashes;
    for (const PendingChunk& chunk : pending_) {
      if (!chunk.is_dropped) hashes.push_back(chunk.entry.chunk_hash);
    }
    return hashes;
  }

  /// Undoes what loaders that are gone have left, and drops the chunks that others have loaded or
  /// load. Returns the loads that are to be replaced.
  [[nodiscard]] std::vector<KnownLoad> look_at_others() {
    const std::vector<KnownLoad> loads = ledger_.loads_of(chunk_hashes());
    std::vector<KnownLoad> abandoned;
    std::vector<KnownLoad> replaced;
    std::vector<KnownLoad> dropped;
    for (PendingChunk& chunk : pending_) {
      const LedgerEntry& entry = chunk.entry;
      for (const KnownLoad& load : loads) {
        if (load.chunk_hash != entry.chunk_hash || load.load_id == entry.load_id) continue;
        const bool is_committed = load.state == KnownLoad::State::committed;
        if (load.is_abandoned) {
          abandoned.push_back(load);
        } else if (is_committed && options_.force) {
          replaced.push_back(load);
        } else if (!chunk.is_dropped && (is_committed || load.load_id < entry.load_id)) {
          chunk.is_dropped = true;
          dropped.push_back({entry.chunk_hash, entry.load_id});
          ++(is_committed ? result.skipped_chunks : result.left_chunks);
          if (!is_committed) database_.tell(entry.source + ": another loader has begun a chunk");
        }
      }
    }
    ledger_.delete_rows(abandoned);
    ledger_.replace(abandoned);
    ledger_.replace(dropped);
    result.undone_loads += abandoned.size();
    return replaced;
  }

  /// Where two loaders did not see each other in time, the lower number stays.
  void settle(std::vector<KnownLoad>& replaced) {
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
      for (PendingChunk& chunk : pending_) {
        if (chunk.entry.load_id != load.load_id) continue;
        chunk.is_dropped = true;
        ++result.left_chunks;
      }
    }
    replaced.insert(replaced.end(), doubled.begin(), doubled.end());
  }

  void count(const std::vector<KnownLoad>& replaced) {
    for (const PendingChunk& chunk : pending_) {
      if (chunk.is_dropped) continue;
      ++result.loaded_chunks;
      result.sample_rows += chunk.rows;
      const bool has_replaced =
          std::any_of(replaced.begin(), replaced.end(), [&](const KnownLoad& load) {
            return load.chunk_hash == chunk.entry.chunk_hash && load.load_id != chunk.entry.load_id;
          });
      result.replaced_chunks += has_replaced && options_.force ? 1 : 0;
    }
  }

  const LoadOptions& options_;
  Model model_;
  std::mutex mutex_;  // everything below
  internal::Retries database_;
  Ledger ledger_;
  internal::KnownStacks known_;
  internal::SeededSet<std::uint64_t> seen_;  // chunks of this run
  RowBlock samples_;
  RowBlock bytes_;
  RowBlock stacks_;
  std::string stack_bytes_;
  std::vector<PendingChunk> pending_;
  std::size_t pending_bytes_ = 0;
};

/// The comment of a table, or nothing where there is no such table.
[[nodiscard]] std::optional<std::string> comment_of(Database& database, const std::string& table) {
  std::string rows = database.query(
      "SELECT comment FROM system.tables WHERE database = currentDatabase() AND name = " +
      internal::sql_text(table));
  if (rows.empty()) return std::nullopt;
  rows.pop_back();
  return internal::unescaped(rows);
}

void check_tables(Database& database, const LoadOptions& options) {
  const bool is_hashed = options.request.model == Model::hashed;
  const std::string table = is_hashed ? "profile_samples" : "otel_profiles";
  std::string local = table;
  if (!options.cluster.empty()) local += "_local";
  const std::string ledger = is_hashed ? "profile_chunks" : "otel_profile_chunks";
  const std::optional<std::string> comment = comment_of(database, local);
  const bool is_there = comment && comment_of(database, ledger);
  constexpr std::string_view mark = "jfrtree schema ";
  const std::string wanted = std::string(mark) + std::to_string(schema_version);
  if (comment && comment->starts_with(mark) && *comment != wanted) {
    throw DatabaseError(DatabaseFault::too_old, database.name(),
                        "the table " + table + " has the " + *comment + ", and this program has " +
                            wanted + ": load into another database, or drop the tables");
  }
  // A folder that holds nothing yet is ours to fill.
  const bool may_create = options.create || (database.is_embedded() && !comment);
  if (is_there && !options.create) return;
  if (!may_create) {
    throw DatabaseError(DatabaseFault::missing_table, database.name(),
                        "has no table " + (comment ? ledger : table) +
                            ": --create makes the tables, jfrtree clickhouse schema prints them");
  }
  create_tables(database, {options.request.model, options.cluster, {}, std::nullopt});
}

}  // namespace

void create_tables(Database& database, const SchemaOptions& options) {
  for (const std::string& statement : schema_statements(options)) {
    (void)database.query(statement);
  }
}

LoadResult load(Database& database, std::vector<Source> sources, const LoadOptions& options,
                const ReadOptions& reading) {
  internal::check_row_request(options.request);
  check_tables(database, options);
  Loader loader(database, options, reading.stop);
  SampleRowResult read =
      read_sample_rows(std::move(sources), options.request.samples, loader, reading);
  loader.finish();
  loader.result.read = std::move(read);
  return std::move(loader.result);
}

}  // namespace jfrtree::clickhouse
