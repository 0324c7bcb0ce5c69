#include <algorithm>
#include <atomic>
#include <chrono>
#include <optional>
#include <thread>
#include <utility>

#include <jfrtree/clickhouse_follow.hpp>
#include <jfrtree/clickhouse_load.hpp>

#include "cli/clickhouse_arguments.hpp"
#include "cli/command.hpp"
#include "cli/database_arguments.hpp"
#include "cli/follow_arguments.hpp"
#include "cli/human.hpp"
#include "cli/input_files.hpp"
#include "cli/progress.hpp"
#include "cli/signals.hpp"
#include "cli/text.hpp"

namespace jfrtree::cli {
namespace {

class ClickhouseLoadCommand : public Command {
 public:
  std::string_view name() const override { return "clickhouse load"; }
  std::string_view summary() const override {
    return "loads recordings into ClickHouse, embedded or a server, each chunk once";
  }
  std::string_view synopsis() const override {
    return "FILE...|--follow DIR [--db DIR|URL] [options]";
  }
  std::vector<Example> examples() const override {
    return {
        {"jfrtree clickhouse load app.jfr", "into the folder jfrtree.chdb, no server is needed"},
        {"jfrtree clickhouse load /recordings --label-from-path '(?P<service>[a-z]+)-[0-9]+[.]jfr' "
         "--db http://localhost:8123 --create",
         "all recordings of a folder into a server, by service"},
        {"CLICKHOUSE_USER=loader CLICKHOUSE_PASSWORD=secret jfrtree clickhouse load app.jfr --db "
         "'https://ch.example.org:8443/?database=profiles'",
         "with a password, by TLS"},
        {"jfrtree clickhouse load --follow /var/lib/app/jfr --label service=app --db "
         "http://localhost:8123 --create",
         "each chunk of a running JVM as soon as it is finished"},
    };
  }
  std::string more_help() const override { return kinds_help() + "\n" + filters_help(); }
  void add_options(CommandLine& line) override;
  ExitCode execute(const std::vector<std::string>& files, Console& console) override;

 private:
  ExitCode follow(const Console& console);
  clickhouse::DatabaseOptions database_options() const;
  std::unique_ptr<clickhouse::Database> open_for_loading(const Console& console) const;
  void check_follow() const;
  std::map<std::string, std::string> labels_of(const std::string& path,
                                               const Console& console) const;
  std::string loaded_text(const clickhouse::LoadResult& result,
                          std::chrono::nanoseconds time) const;
  void report(const clickhouse::LoadResult& result, const std::string& place,
              const Console& console) const;

  DatabaseArguments database_;
  clickhouse::LoadOptions load_;
  std::optional<unsigned> retries_;
  FollowArguments follow_;
  RowArguments rows_;
  ReadingArguments reading_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

void ClickhouseLoadCommand::add_options(CommandLine& line) {
  database_.add_to(line);
  line.begin_group("Loading");
  line.add_flag("--create", "make the tables, and the database, that are not there", load_.create);
  line.add_flag("--force", "load chunks anew that are there, in place of what is there",
                load_.force);
  line.add_value("--cluster", "NAME", "the tables lie on the shards of this cluster",
                 [this](const std::string& value) { load_.cluster = value; });
  line.add_value("--retries", "N",
                 "tries after a failure that may pass, with waits that double; default: 5, with "
                 "--follow without end",
                 [this](const std::string& value) {
                   retries_ = static_cast<unsigned>(parse_number("--retries", value, 0, 20));
                 });
  line.begin_group("Following a folder");
  follow_.add_to(line);
  rows_.add_to(line);
  reading_.add_to(line, ReadingArguments::Output::none);
}

std::string ClickhouseLoadCommand::loaded_text(const clickhouse::LoadResult& result,
                                               std::chrono::nanoseconds time) const {
  std::vector<std::string> parts = {counted(result.loaded_chunks, "chunk", "chunks")};
  if (result.replaced_chunks > 0) {
    parts.back() += " (" + count_text(result.replaced_chunks) + " replaced)";
  }
  parts.push_back(counted(result.sample_rows, "row", "rows") + " of samples");
  parts.push_back(counted(result.stack_rows, "stack", "stacks"));
  parts.push_back(bytes_text(result.bytes) + " in " +
                  duration_text(static_cast<std::uint64_t>(time.count())));
  return join(parts, ", ");
}

void ClickhouseLoadCommand::report(const clickhouse::LoadResult& result, const std::string& place,
                                   const Console& console) const {
  if (result.undone_loads > 0) {
    console.message("undid " + counted(result.undone_loads, "load", "loads") +
                    " that had not come to an end");
  }
  if (result.skipped_chunks > 0) {
    const bool may_force = !load_.force && follow_.folders.empty();
    console.message("skipped " + counted(result.skipped_chunks, "chunk", "chunks") +
                    " loaded before" + (may_force ? "; --force loads them anew" : ""));
  }
  if (result.left_chunks > 0) {
    console.message("left " + counted(result.left_chunks, "chunk", "chunks") +
                    " to another loader");
  }
  console.message("loaded into " + place + ": " +
                  loaded_text(result, std::chrono::steady_clock::now() - start_));
}

void ClickhouseLoadCommand::check_follow() const {
  const auto refuse = [](bool is_given, const char* option, const char* reason) {
    if (is_given) throw UsageError(std::string(option) + ": " + reason);
  };
  refuse(load_.force, "--force", "each start of --follow would load all of the folder anew");
  refuse(reading_.strict, "--strict", "a damaged file does not end --follow");
  refuse(reading_.progress.value_or(false), "--progress",
         "with --follow each batch is said when it is loaded");
  const FilterOptions& filters = rows_.request.samples.profile.filters;
  const auto has_relative = [](const std::vector<TimePoint>& times) {
    return std::any_of(times.begin(), times.end(),
                       [](const TimePoint& time) { return time.base != TimePoint::Base::epoch; });
  };
  const char* const reason = "with --follow nobody knows where the recording begins and ends";
  refuse(has_relative(filters.from), "--from", reason);
  refuse(has_relative(filters.to), "--to", reason);
}

std::map<std::string, std::string> ClickhouseLoadCommand::labels_of(const std::string& path,
                                                                    const Console& console) const {
  InputFiles file;
  file.sources.push_back({path, nullptr});
  rows_.labels.apply_to(file);
  console.report(file.found);
  return std::move(file.sources.front().labels);
}

clickhouse::DatabaseOptions ClickhouseLoadCommand::database_options() const {
  clickhouse::DatabaseOptions options = database_.options();
  options.create_database = load_.create;
  return options;
}

ExitCode ClickhouseLoadCommand::follow(const Console& console) {
  check_follow();
  std::atomic<bool> give_up{false};
  clickhouse::DatabaseOptions at_database = database_options();
  at_database.stop = &give_up;
  clickhouse::FollowOptions options;
  follow_.apply_to(options);
  options.load = load_;
  options.load.retries = retries_.value_or(clickhouse::LoadOptions::endless);
  options.labels = [&](const std::string& path) { return labels_of(path, console); };
  options.found = [&](const std::vector<Problem>& problems) { console.report(problems); };
  options.loaded = [&](const clickhouse::LoadResult& batch, std::chrono::nanoseconds time) {
    if (batch.loaded_chunks > 0) console.message("loaded " + loaded_text(batch, time));
  };
  options.give_up = &give_up;
  clickhouse::check_follow_options(options);
  const auto database =
      retries_ ? clickhouse::open_database(at_database)
               : clickhouse::wait_for_database(at_database, load_.message, &stop_requested());
  console.message("following " + join(follow_.folders, ", ") + " into " + database->name());
  Progress progress(false, true);
  const clickhouse::FollowResult result =
      clickhouse::follow(*database, options, reading_.read_options(progress));
  report(result.loaded, database->name(), console);
  if (result.is_stopped) throw Interrupted();
  return result.problems == 0 || reading_.allow_problems ? ExitCode::done : ExitCode::problems;
}

/// Loads into one folder wait for each other.
std::unique_ptr<clickhouse::Database> ClickhouseLoadCommand::open_for_loading(
    const Console& console) const {
  constexpr std::chrono::minutes longest_wait(1);
  const auto end = std::chrono::steady_clock::now() + longest_wait;
  std::chrono::milliseconds pause(50);
  for (bool is_first = true;; is_first = false) {
    try {
      return clickhouse::open_database(database_options());
    } catch (const clickhouse::DatabaseError& error) {
      const bool is_late = std::chrono::steady_clock::now() >= end;
      if (error.fault() != clickhouse::DatabaseFault::in_use || load_.retries == 0 || is_late) {
        throw;
      }
      if (is_first) console.message(std::string("note: ") + error.what() + "; waiting for it");
    }
    if (stop_requested()) throw Interrupted();
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, std::chrono::milliseconds(1000));
  }
}

ExitCode ClickhouseLoadCommand::execute(const std::vector<std::string>& files, Console& console) {
  follow_.check(files);
  const bool is_following = !follow_.folders.empty();
  reading_.check(is_following ? follow_.folders : files, console);
  rows_.check();
  load_.request = rows_.request;
  load_.message = [&console](const std::string& text) { console.message("note: " + text); };
  if (is_following) return follow(console);
  load_.retries = retries_.value_or(load_.retries);
  InputFiles inputs = open_input_files(files, reading_);
  rows_.labels.apply_to(inputs);
  check_any_exists(inputs);
  const auto database = open_for_loading(console);
  Progress progress(reading_.progress, reading_.quiet);
  const clickhouse::LoadResult result = clickhouse::load(*database, std::move(inputs.sources),
                                                         load_, reading_.read_options(progress));
  progress.finish();
  report_rows(result.read, inputs, rows_, console);
  report(result, database->name(), console);
  return reading_.exit_code(result.read.problems);
}

}  // namespace

std::unique_ptr<Command> make_clickhouse_load_command() {
  return std::make_unique<ClickhouseLoadCommand>();
}

}  // namespace jfrtree::cli
