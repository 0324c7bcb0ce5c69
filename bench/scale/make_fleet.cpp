// Fills a database with profiles of many services, the same in every run but for the numbers of
// loads, and says what it took.
//
// Usage: make_fleet DATABASE [rows=N] [hours=N] [services=N] [stacks=N]
//   DATABASE is a folder or a URL. The tables are made. Prints one JSON object.

#include <chrono>
#include <cstdio>
#include <exception>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include <jfrtree/clickhouse.hpp>
#include <jfrtree/clickhouse_database.hpp>
#include <jfrtree/clickhouse_load.hpp>

#include "clickhouse/load/loader.hpp"
#include "fleet.hpp"

namespace {

using namespace jfrtree;

/// Seconds that parts of the work took.
class Stopwatch {
 public:
  template <typename Work>
  auto measure(const std::string& part, Work&& work) {
    const Timer timer{seconds_[part]};
    return work();
  }
  [[nodiscard]] const std::map<std::string, double>& seconds() const noexcept { return seconds_; }

 private:
  /// Adds the time that it lived.
  struct Timer {
    double& seconds;
    std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();

    ~Timer() {
      seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    }
  };

  std::map<std::string, double> seconds_;
};

/// A database whose inserts are timed by table; all other statements are those of the ledger.
class TimedDatabase final : public clickhouse::Database {
 public:
  TimedDatabase(std::unique_ptr<clickhouse::Database> database, Stopwatch& watch)
      : database_(std::move(database)), watch_(watch) {}

  std::string query(std::string_view sql) override {
    return watch_.measure("ledger", [&] { return database_->query(sql); });
  }
  std::string query(std::string_view sql, const clickhouse::QueryParameters& parameters) override {
    return watch_.measure("ledger", [&] { return database_->query(sql, parameters); });
  }
  void insert(std::string_view target, std::string_view native) override {
    const std::string table(target.substr(0, target.find(' ')));
    watch_.measure("insert_" + table.substr(table.find('_') + 1),
                   [&] { database_->insert(target, native); });
    ++inserts;
  }
  [[nodiscard]] const std::string& name() const noexcept override { return database_->name(); }
  [[nodiscard]] bool is_embedded() const noexcept override { return database_->is_embedded(); }

  std::uint64_t inserts = 0;

 private:
  std::unique_ptr<clickhouse::Database> database_;
  Stopwatch& watch_;
};

void set_option(bench::FleetOptions& options, std::string_view text) {
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
  } else {
    throw std::invalid_argument("no option " + std::string(name));
  }
}

void make_fleet(const std::string& place, const bench::FleetOptions& options) {
  Stopwatch watch;
  TimedDatabase database(clickhouse::open_database({.place = place}), watch);
  clickhouse::create_tables(database, {});
  const clickhouse::LoadOptions load_options;
  internal::Loader loader(database, load_options, nullptr);
  bench::Fleet fleet(options);
  SampleChunk chunk;
  bool is_more = true;
  watch.measure("all", [&] {
    while (is_more) {
      watch.measure("generate", [&] { is_more = fleet.next(chunk); });
      if (is_more) loader.chunk(chunk);
    }
    loader.finish();
  });
  const clickhouse::LoadResult made = loader.take_result();
  std::printf(
      "{\"rows\": %llu, \"samples\": %llu, \"stack_rows\": %llu, \"chunks\": %llu, "
      "\"bytes\": %llu, \"inserts\": %llu, \"recorded_part\": %.4f",
      static_cast<unsigned long long>(made.sample_rows),
      static_cast<unsigned long long>(fleet.samples()),
      static_cast<unsigned long long>(made.stack_rows),
      static_cast<unsigned long long>(made.loaded_chunks),
      static_cast<unsigned long long>(made.bytes),
      static_cast<unsigned long long>(database.inserts), fleet.recorded_part());
  for (const auto& [part, seconds] : watch.seconds()) {
    std::printf(", \"%s_s\": %.3f", part.c_str(), seconds);
  }
  std::puts("}");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fputs("usage: make_fleet DATABASE [rows=N] [hours=N] [services=N] [stacks=N]\n", stderr);
    return 2;
  }
  try {
    bench::FleetOptions options;
    for (int i = 2; i < argc; ++i) set_option(options, argv[i]);
    make_fleet(argv[1], options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "make_fleet: %s\n", error.what());
    return 1;
  }
  return 0;
}
