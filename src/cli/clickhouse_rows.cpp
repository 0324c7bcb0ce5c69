#include <optional>
#include <utility>

#include <jfrtree/clickhouse.hpp>

#include "cli/clickhouse_arguments.hpp"
#include "cli/command.hpp"
#include "cli/human.hpp"
#include "cli/input_files.hpp"
#include "cli/output_file.hpp"
#include "cli/progress.hpp"
#include "cli/text.hpp"

namespace jfrtree::cli {
namespace {

class ClickhouseRowsCommand : public Command {
 public:
  std::string_view name() const override { return "clickhouse rows"; }
  std::string_view summary() const override { return "writes rows for a table of ClickHouse"; }
  std::string_view synopsis() const override {
    return "FILE... --table samples|stacks|bytes [-o OUT] [options]";
  }
  std::vector<Example> examples() const override {
    return {
        {"jfrtree clickhouse rows app.jfr --table stacks | clickhouse-client --query 'INSERT INTO "
         "profile_stacks FORMAT Native'",
         "the stacks of a recording"},
        {"jfrtree clickhouse rows app.jfr --table samples --label service=cart -o cart.native",
         "its sums by ten seconds, for the service cart"},
        {"jfrtree clickhouse rows app.jfr --table samples --format jsoneachrow --bucket 1m | head",
         "the same by the minute, to look at"},
    };
  }
  std::string more_help() const override { return kinds_help() + "\n" + filters_help(); }

  void add_options(CommandLine& line) override {
    line.begin_group("Table");
    line.add_value(
        "--table", "TABLE",
        "samples: sums by bucket, kind and stack; stacks: the stacks, each once; bytes: "
        "the bytes of io",
        [this](const std::string& value) {
          table_ = clickhouse::find_table(value);
          if (!table_) {
            throw UsageError("--table: '" + value + "' is none of samples, stacks, bytes");
          }
        });
    line.add_value("--format", "FORMAT", "native (default), rowbinary, tsv or jsoneachrow",
                   [this](const std::string& value) {
                     const auto format = clickhouse::find_row_format(value);
                     if (!format) {
                       throw UsageError("--format: '" + value +
                                        "' is none of native, rowbinary, tsv, jsoneachrow");
                     }
                     format_ = *format;
                   });
    rows_.add_to(line);
    reading_.add_to(line);
  }

  ExitCode execute(const std::vector<std::string>& files, Console& console) override;

 private:
  std::optional<clickhouse::Table> table_;
  clickhouse::RowFormat format_ = clickhouse::RowFormat::native;
  RowArguments rows_;
  ReadingArguments reading_;
};

ExitCode ClickhouseRowsCommand::execute(const std::vector<std::string>& files, Console& console) {
  reading_.check(files, console);
  rows_.check();
  if (!table_ && rows_.request.model == clickhouse::Model::hashed) {
    throw UsageError("--table: say which, samples, stacks or bytes");
  }
  const auto table = table_.value_or(clickhouse::Table::samples);
  InputFiles inputs = open_input_files(files, reading_);
  rows_.labels.apply_to(inputs);
  OutputFile output(reading_.output);
  Progress progress(reading_.progress, reading_.quiet);
  const clickhouse::RowCounts counts =
      clickhouse::write_rows(output, std::move(inputs.sources), table, format_, rows_.request,
                             reading_.read_options(progress));
  progress.finish();
  output.commit();
  report_rows(counts.read, inputs, rows_, console);
  if (reading_.output != "-") {
    console.message("wrote " + reading_.output + ": " + counted(counts.rows, "row", "rows") + ", " +
                    bytes_text(output.bytes_written()));
  }
  return reading_.exit_code(counts.read.problems);
}

}  // namespace

std::unique_ptr<Command> make_clickhouse_rows_command() {
  return std::make_unique<ClickhouseRowsCommand>();
}

}  // namespace jfrtree::cli
