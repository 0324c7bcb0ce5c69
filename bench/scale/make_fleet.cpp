// Fills a database with profiles of many services, the same in every run, and says what it took.
//
// Usage: make_fleet DATABASE [rows=N] [hours=N] [services=N] [stacks=N] [views=0]
//   DATABASE is a folder or a URL. The tables are made; with views=0 without the views that fill
//   the sums by minute and hour. Prints one JSON object.

#include <chrono>
#include <cstdio>
#include <exception>
#include <map>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>

#include <jfrtree/clickhouse.hpp>
#include <jfrtree/clickhouse_database.hpp>
#include <jfrtree/clickhouse_load.hpp>

#include "clickhouse/rows/sample_tables.hpp"
#include "clickhouse/rows/sql_text.hpp"
#include "fleet.hpp"

namespace {

using namespace jfrtree;
using clickhouse::Model;
using clickhouse::Table;
using internal::RowBlock;

constexpr std::size_t batch_bytes = std::size_t{32} << 20;

/// Seconds that parts of the work took.
class Stopwatch {
 public:
  template <typename Work>
  void add(const char* part, Work&& work) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    seconds_[part] +=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }
  [[nodiscard]] const std::map<std::string, double>& seconds() const noexcept { return seconds_; }

 private:
  std::map<std::string, double> seconds_;
};

/// Writes chunks as `load` does: batches of blocks of Native with a token, stacks once a day.
class FleetLoader {
 public:
  explicit FleetLoader(clickhouse::Database& database)
      : database_(database),
        samples_(internal::table_columns(Model::hashed, Table::samples)),
        stacks_(internal::table_columns(Model::hashed, Table::stacks)) {}

  void add(const SampleChunk& chunk) {
    watch.add("encode", [&] {
      std::uint64_t load_id = 0;
      while (load_id == 0) load_id = random_();
      internal::add_sample_rows(chunk, load_id, samples_, [this](const RowBlock& block) {
        internal::append_native(block, sample_bytes_);
      });
      stack_rows += internal::add_stack_rows(chunk, known_, stacks_, [this](const RowBlock& block) {
        internal::append_native(block, stack_bytes_);
      });
      add_to_ledger(chunk, load_id);
    });
    rows += chunk.rows.size();
    ++chunks;
    if (sample_bytes_.size() + stack_bytes_.size() >= batch_bytes) send();
  }

  void send() {
    watch.add("encode", [&] {
      if (samples_.rows() > 0) internal::append_native(samples_, sample_bytes_);
      if (stacks_.rows() > 0) internal::append_native(stacks_, stack_bytes_);
      samples_.clear();
      stacks_.clear();
    });
    watch.add("insert_stacks", [&] { insert("profile_stacks", Table::stacks, stack_bytes_); });
    watch.add("insert_samples", [&] { insert("profile_samples", Table::samples, sample_bytes_); });
    watch.add("ledger", [&] {
      if (!ledger_.empty()) (void)database_.query("INSERT INTO profile_chunks VALUES " + ledger_);
    });
    bytes += sample_bytes_.size() + stack_bytes_.size();
    sample_bytes_.clear();
    stack_bytes_.clear();
    ledger_.clear();
    ++batches;
  }

  std::uint64_t rows = 0;
  std::uint64_t stack_rows = 0;
  std::uint64_t chunks = 0;
  std::uint64_t bytes = 0;
  std::uint64_t batches = 0;
  Stopwatch watch;

 private:
  void insert(const std::string& table, Table columns, const std::string& native) {
    if (native.empty()) return;
    const std::string target =
        table + " " + internal::column_list(internal::table_columns(Model::hashed, columns)) +
        " SETTINGS optimize_on_insert = 0, insert_deduplicate = 1, insert_deduplication_token = '" +
        std::to_string(batches) + "', deduplicate_blocks_in_dependent_materialized_views = 1";
    database_.insert(target, native);
  }

  void add_to_ledger(const SampleChunk& chunk, std::uint64_t load_id) {
    const auto time = [](std::int64_t ns) {
      return "fromUnixTimestamp64Nano(toInt64(" + std::to_string(ns) + "), 'UTC'), ";
    };
    const auto number = [](std::uint64_t value) { return std::to_string(value) + ", "; };
    if (!ledger_.empty()) ledger_ += ", ";
    ledger_ += "(" + number(chunk.place.hash) + number(load_id) + "'committed', " +
               internal::sql_text(internal::service_of(chunk)) + ", " +
               internal::sql_text(chunk.place.source->path) + ", " +
               number(clickhouse::process_hash(chunk)) + "'', " +
               internal::sql_text(chunk.producer) + ", " + time(chunk.start_ns) +
               time(chunk.end_ns) + number(chunk.events) + number(chunk.samples) +
               "'', '', now64(6))";
  }

  clickhouse::Database& database_;
  std::mt19937_64 random_{1};
  internal::KnownStacks known_;
  RowBlock samples_;
  RowBlock stacks_;
  std::string sample_bytes_;
  std::string stack_bytes_;
  std::string ledger_;
};

void set_option(bench::FleetOptions& options, bool& has_views, std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == text.npos) throw std::invalid_argument("expected NAME=NUMBER");
  const std::string_view name = text.substr(0, equals);
  const std::uint64_t number = std::stoull(std::string(text.substr(equals + 1)));
  if (name == "rows") {
    options.rows = number;
  } else if (name == "hours") {
    options.hours = static_cast<std::uint32_t>(number);
  } else if (name == "services") {
    options.services = static_cast<std::uint32_t>(number);
  } else if (name == "stacks") {
    options.stacks = number;
  } else if (name == "views") {
    has_views = number != 0;
  } else {
    throw std::invalid_argument("no option " + std::string(name));
  }
}

void make_fleet(const std::string& place, const bench::FleetOptions& options, bool has_views) {
  const auto database = clickhouse::open_database({.place = place});
  clickhouse::create_tables(*database, {});
  if (!has_views) {
    (void)database->query("DROP TABLE profile_samples_to_1h");
  }
  FleetLoader loader(*database);
  bench::Fleet fleet(options);
  SampleChunk chunk;
  bool is_more = true;
  while (is_more) {
    loader.watch.add("generate", [&] { is_more = fleet.next(chunk); });
    if (is_more) loader.add(chunk);
  }
  loader.send();
  std::printf(
      "{\"rows\": %llu, \"samples\": %llu, \"stack_rows\": %llu, \"chunks\": %llu, "
      "\"bytes\": %llu, \"batches\": %llu, \"recorded_part\": %.4f",
      static_cast<unsigned long long>(loader.rows),
      static_cast<unsigned long long>(fleet.samples()),
      static_cast<unsigned long long>(loader.stack_rows),
      static_cast<unsigned long long>(loader.chunks), static_cast<unsigned long long>(loader.bytes),
      static_cast<unsigned long long>(loader.batches), fleet.recorded_part());
  for (const auto& [part, seconds] : loader.watch.seconds()) {
    std::printf(", \"%s_s\": %.3f", part.c_str(), seconds);
  }
  std::puts("}");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fputs("usage: make_fleet DATABASE [rows=N] [hours=N] [services=N] [stacks=N] [views=0]\n",
               stderr);
    return 2;
  }
  try {
    bench::FleetOptions options;
    bool has_views = true;
    for (int i = 2; i < argc; ++i) set_option(options, has_views, argv[i]);
    make_fleet(argv[1], options, has_views);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "make_fleet: %s\n", error.what());
    return 1;
  }
  return 0;
}
