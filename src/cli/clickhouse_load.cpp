#include <chrono>
#include <utility>

#include <jfrtree/clickhouse_load.hpp>

#include "cli/clickhouse_arguments.hpp"
#include "cli/command.hpp"
#include "cli/database_arguments.hpp"
#include "cli/human.hpp"
#include "cli/input_files.hpp"
#include "cli/progress.hpp"
#include "cli/text.hpp"

namespace jfrtree::cli {
namespace {

class ClickhouseLoadCommand : public Command {
 public:
  std::string_view name() const override { return "clickhouse load"; }
  std::string_view summary() const override {
    return "loads recordings into ClickHouse, embedded or a server, each chunk once";
  }
  std::string_view synopsis() const override { return "FILE... [--db DIR|URL] [options]"; }
  std::vector<Example> examples() const override {
    return {
        {"jfrtree clickhouse load app.jfr", "into the folder jfrtree.chdb, no server is needed"},
        {"jfrtree clickhouse load /recordings --label-from-path '(?P<service>[a-z]+)-[0-9]+[.]jfr' "
         "--db http://localhost:8123 --create",
         "all recordings of a folder into a server, by service"},
        {"CLICKHOUSE_USER=loader CLICKHOUSE_PASSWORD=secret jfrtree clickhouse load app.jfr --db "
         "'https://ch.example.org:8443/?database=profiles'",
         "with a password, by TLS"},
    };
  }
  std::string more_help() const override { return kinds_help() + "\n" + filters_help(); }
  void add_options(CommandLine& line) override;
  ExitCode execute(const std::vector<std::string>& files, Console& console) override;

 private:
  void report(const clickhouse::LoadResult& result, const std::string& place,
              const Console& console) const;

  DatabaseArguments database_;
  clickhouse::LoadOptions load_;
  RowArguments rows_;
  ReadingArguments reading_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

void ClickhouseLoadCommand::add_options(CommandLine& line) {
  database_.add_to(line);
  line.begin_group("Loading");
  line.add_flag("--create", "make the tables that are not there", load_.create);
  line.add_flag("--force", "load chunks anew that are there, in place of what is there",
                load_.force);
  line.add_value("--cluster", "NAME", "the tables lie on the shards of this cluster",
                 [this](const std::string& value) { load_.cluster = value; });
  line.add_value("--retries", "N",
                 "tries after a failure that may pass, with waits that double; default: 5",
                 [this](const std::string& value) {
                   load_.retries = static_cast<unsigned>(parse_number("--retries", value, 0, 20));
                 });
  rows_.add_to(line);
  reading_.add_to(line, ReadingArguments::Output::none);
}

void ClickhouseLoadCommand::report(const clickhouse::LoadResult& result, const std::string& place,
                                   const Console& console) const {
  const auto time = std::chrono::steady_clock::now() - start_;
  std::vector<std::string> parts = {counted(result.loaded_chunks, "chunk", "chunks")};
  if (result.replaced_chunks > 0) {
    parts.back() += " (" + count_text(result.replaced_chunks) + " replaced)";
  }
  parts.push_back(counted(result.sample_rows, "row", "rows") + " of samples");
  parts.push_back(counted(result.stack_rows, "stack", "stacks"));
  parts.push_back(bytes_text(result.bytes) + " in " +
                  duration_text(static_cast<std::uint64_t>(time.count())));
  if (result.undone_loads > 0) {
    console.message("undid " + counted(result.undone_loads, "load", "loads") +
                    " that had not come to an end");
  }
  if (result.skipped_chunks > 0) {
    console.message("skipped " + counted(result.skipped_chunks, "chunk", "chunks") +
                    " loaded before" + (load_.force ? "" : "; --force loads them anew"));
  }
  if (result.left_chunks > 0) {
    console.message("left " + counted(result.left_chunks, "chunk", "chunks") +
                    " to another loader");
  }
  console.message("loaded into " + place + ": " + join(parts, ", "));
}

ExitCode ClickhouseLoadCommand::execute(const std::vector<std::string>& files, Console& console) {
  reading_.check(files, console);
  rows_.check();
  load_.request = rows_.request;
  load_.message = [&console](const std::string& text) { console.message("note: " + text); };
  InputFiles inputs = open_input_files(files, reading_);
  rows_.labels.apply_to(inputs);
  const auto database = clickhouse::open_database(database_.options());
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
