#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include <jfrtree/summary.hpp>

#include "cli/command.hpp"
#include "cli/info_report.hpp"
#include "cli/input_files.hpp"
#include "cli/label_arguments.hpp"
#include "cli/output_file.hpp"
#include "cli/reading_arguments.hpp"
#include "cli/timings.hpp"

namespace jfrtree::cli {
namespace {

class InfoCommand : public Command {
 public:
  std::string_view name() const override { return "info"; }
  std::string_view summary() const override {
    return "shows what recordings hold: time, events, profiles, problems";
  }
  std::string_view synopsis() const override { return "FILE... [options]"; }
  std::vector<Example> examples() const override;
  void add_options(CommandLine& line) override;
  ExitCode execute(const std::vector<std::string>& files, Console& console) override;

 private:
  bool shows_problems_itself() const;

  ReadingArguments reading_;
  LabelArguments labels_;
  Timings timings_;
  bool json_ = false;
  SummaryRequest request_;
};

std::vector<Example> InfoCommand::examples() const {
  return {
      {"jfrtree info app.jfr", "what the recording holds"},
      {"jfrtree info -v app.jfr", "the same with all chunks, event types and notes"},
      {"jfrtree info --settings app.jfr", "the same with what was recorded how often"},
      {"jfrtree info --json app.jfr | jq '.events[\"jdk.ExecutionSample\"]'",
       "one number, for a script"},
  };
}

void InfoCommand::add_options(CommandLine& line) {
  line.begin_group("Report");
  line.add_flag("--json", "one JSON object, complete", json_);
  line.add_flag("--quick", "numbers of events only, no profiles and totals", request_.quick);
  line.add_flag("--settings", "the settings of the recordings by event type as well",
                request_.settings);
  timings_.add_to(line);
  labels_.add_to(line);
  reading_.add_to(line);
}

// The table lists the problems; in one place, be it a terminal, a file or a pipe, they need not be
// said twice.
bool InfoCommand::shows_problems_itself() const {
  struct stat output {};
  struct stat messages {};
  return !json_ && reading_.output == "-" && fstat(STDOUT_FILENO, &output) == 0 &&
         fstat(STDERR_FILENO, &messages) == 0 && output.st_dev == messages.st_dev &&
         output.st_ino == messages.st_ino;
}

ExitCode InfoCommand::execute(const std::vector<std::string>& files, Console& console) {
  reading_.check(files, console);
  InputFiles inputs = open_input_files(files, reading_);
  labels_.apply_to(inputs);
  OutputFile output(reading_.output);
  Progress progress(reading_.progress, reading_.quiet);
  RecordingSummary summary =
      summarize(std::move(inputs.sources), request_, reading_.read_options(progress));
  progress.finish();
  for (const Problem& problem : inputs.found) {
    (problem.severity == Severity::note ? summary.notes : summary.problems).push_back(problem);
  }
  if (!shows_problems_itself()) {
    console.report(summary.problems);
  }
  output.write(json_
                   ? info_json(summary, request_.settings)
                   : info_text(summary, {console.is_verbose(), request_.quick, request_.settings}));
  output.commit();
  timings_.report(summary.statistics, reading_.thread_count(), console);
  return reading_.exit_code(summary.problems);
}

}  // namespace

std::unique_ptr<Command> make_info_command() { return std::make_unique<InfoCommand>(); }

}  // namespace jfrtree::cli
