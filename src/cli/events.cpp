#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>
#include <utility>

#include <jfrtree/event_rows.hpp>
#include <jfrtree/event_writers.hpp>
#include <jfrtree/spool.hpp>

#include "cli/binary_formats.hpp"
#include "cli/command.hpp"
#include "cli/events_report.hpp"
#include "cli/filter_arguments.hpp"
#include "cli/input_files.hpp"
#include "cli/output_file.hpp"
#include "cli/reading_arguments.hpp"
#include "cli/signals.hpp"
#include "cli/table.hpp"
#include "cli/text.hpp"
#include "cli/timings.hpp"

namespace jfrtree::cli {
namespace {

// Inputs that are read twice: for the columns or the time span first, then for the rows.
class RepeatedSources {
 public:
  // Pipes and devices are spooled when `is_repeated`; why one ended early is added to `found`.
  RepeatedSources(std::vector<Source> sources, bool is_repeated, const ReadingArguments& reading,
                  std::vector<Problem>& found)
      : sources_(std::move(sources)), spools_(sources_.size()) {
    for (std::size_t i = 0; is_repeated && i < sources_.size(); ++i) {
      std::error_code error;
      if (std::filesystem::is_regular_file(sources_[i].path, error)) {
        continue;
      }
      const auto input = open_input(sources_[i].path, reading.limits, &stop_requested());
      spools_[i].emplace(*input, &stop_requested());
      if (const std::optional<Problem>& problem = spools_[i]->problem()) {
        found.push_back(*problem);
      }
    }
  }

  [[nodiscard]] std::vector<Source> open() const {
    std::vector<Source> sources = sources_;
    for (std::size_t i = 0; i < sources.size(); ++i) {
      if (spools_[i]) {
        sources[i].input = spools_[i]->open();
      }
    }
    return sources;
  }

 private:
  std::vector<Source> sources_;
  std::vector<std::optional<Spool>> spools_;
};

// What stands in front of a row of several types, and may be asked for.
constexpr std::string_view type_column = "type";

// The first argument is a FILE, and so is whatever is there or looks like a path.
bool is_file_argument(const std::string& argument) {
  constexpr std::array<std::string_view, 5> endings = {".jfr", ".gz", ".zst", ".lz4", ".zip"};
  std::error_code error;
  return argument == "-" || argument.find('/') != std::string::npos ||
         std::any_of(endings.begin(), endings.end(),
                     [&argument](std::string_view ending) { return argument.ends_with(ending); }) ||
         std::filesystem::exists(argument, error);
}

std::vector<std::string> split_columns(const std::string& text) {
  std::vector<std::string> columns;
  std::string::size_type begin = 0;
  for (;;) {
    const std::string::size_type end = std::min(text.find(',', begin), text.size());
    if (end == begin) {
      throw UsageError("--columns: a name in '" + text + "' is empty");
    }
    columns.push_back(text.substr(begin, end - begin));
    if (end == text.size()) {
      return columns;
    }
    begin = end + 1;
  }
}

// Rows that are read for what is wrong with them.
class NullSink : public EventSink {
 public:
  void begin_chunk(std::span<const EventSchema> /*schemas*/) override {}
  void row(const EventValues& /*values*/) override {}
};

// How rows are written.
enum class RowFormat { jsonl, csv, arrow };

RowFormat parse_row_format(const std::string& name) {
  refuse_parquet(name, {});
  if (name == "jsonl") {
    return RowFormat::jsonl;
  }
  if (name == "csv") {
    return RowFormat::csv;
  }
  if (name == "arrow") {
    return RowFormat::arrow;
  }
  throw UsageError("--format: '" + name + "' is none of csv, jsonl and arrow");
}

class EventsCommand : public Command {
 public:
  std::string_view name() const override { return "events"; }
  std::string_view summary() const override {
    return "lists event types, or writes their events as tables";
  }
  std::string_view synopsis() const override { return "FILE... [TYPE...] [options]"; }
  std::vector<Example> examples() const override;
  std::string more_help() const override;
  void add_options(CommandLine& line) override;
  ExitCode execute(const std::vector<std::string>& arguments, Console& console) override;

 private:
  void split_arguments(const std::vector<std::string>& arguments);
  void check() const;
  RowFormat row_format() const;
  bool needs_catalog() const;
  bool has_several_types() const;
  ExitCode list_types(InputFiles inputs, Console& console);
  ExitCode write_rows(InputFiles inputs, Console& console);
  std::vector<EventColumn> find_columns(const RepeatedSources& sources, const ReadOptions& options);
  std::unique_ptr<EventWriter> make_writer(Output& output, std::vector<EventColumn> columns) const;
  void check_types(const std::vector<std::string>& declared) const;

  ReadingArguments reading_;
  Timings timings_;
  EventRequest request_;
  std::vector<std::string> files_;
  std::optional<RowFormat> format_;
  FilterOptions times_;
  bool names_type_ = false;  // the column of that name was asked for
  bool no_stacks_ = false;
  bool json_ = false;
};

std::vector<Example> EventsCommand::examples() const {
  return {
      {"jfrtree events app.jfr", "the event types with their counts and columns"},
      {"jfrtree events app.jfr jdk.GarbageCollection -o gc.csv", "all collections as a table"},
      {"jfrtree events app.jfr jdk.FileRead --columns startTime,path,eventThread",
       "some columns, as JSON lines on standard output"},
      {"jfrtree events app.jfr jdk.ObjectAllocationSample -o allocations.arrow",
       "a table for pandas, polars, DuckDB"},
      {"jfrtree events app.jfr 'jdk.GC*' --from +10s --to +20s --no-stacks | jq .",
       "all types that begin so, for ten seconds"},
  };
}

std::string EventsCommand::more_help() const {
  return "Types:\n  " +
         wrap(
             "A TYPE is the name of an event type, or a pattern in which * stands for any "
             "characters. jdk.X also means com.oracle.jdk.X of old recordings. System properties, "
             "environment variables and command lines are written only where their type is "
             "given by its whole name. An argument that is the name of a file is a FILE.",
             2, 80) +
         "\n\n" + times_help();
}

void EventsCommand::add_options(CommandLine& line) {
  line.begin_group("Rows");
  line.add_value("--format", "FORMAT",
                 "csv, jsonl (JSON lines) or arrow (IPC file); default: by the ending of the "
                 "output, else jsonl",
                 [this](const std::string& value) { format_ = parse_row_format(value); });
  line.add_value("--columns", "NAMES",
                 "these columns alone, in this order; names with commas between them, a name "
                 "stands for all columns below it, type for the type's name, which is always first",
                 [this](const std::string& value) { request_.columns = split_columns(value); });
  line.add_flag("--no-stacks", "leave stack traces out", no_stacks_);
  line.add_flag("--lines", "line numbers behind the methods of stack traces",
                request_.frames.lines);
  line.add_flag("--libraries", "library!symbol for native frames", request_.frames.libraries);
  line.add_value("--limit-rows", "N", "stop after N rows", [this](const std::string& value) {
    request_.max_rows = parse_number("--limit-rows", value, 0, ~std::uint64_t{0});
  });
  add_time_options(line, times_, "events");
  line.begin_group("Report");
  line.add_flag("--json", "without TYPE: all declared types as one JSON object", json_);
  timings_.add_to(line);
  reading_.add_to(line);
}

void EventsCommand::split_arguments(const std::vector<std::string>& arguments) {
  for (const std::string& argument : arguments) {
    const bool is_file = files_.empty() || argument.empty() || is_file_argument(argument);
    (is_file ? files_ : request_.types).push_back(argument);
  }
}

RowFormat EventsCommand::row_format() const {
  return format_                               ? *format_
         : reading_.output.ends_with(".csv")   ? RowFormat::csv
         : reading_.output.ends_with(".arrow") ? RowFormat::arrow
                                               : RowFormat::jsonl;
}

bool EventsCommand::has_several_types() const {
  return request_.types.size() > 1 || request_.types.front().find('*') != std::string::npos;
}

// Whether something must be known before the first row is written.
bool EventsCommand::needs_catalog() const {
  const auto has_relative = [](const std::vector<TimePoint>& times) {
    return std::any_of(times.begin(), times.end(),
                       [](const TimePoint& time) { return time.base != TimePoint::Base::epoch; });
  };
  return row_format() != RowFormat::jsonl || reading_.strict || !request_.columns.empty() ||
         request_.types.size() > 1 || has_relative(times_.from) || has_relative(times_.to);
}

void EventsCommand::check() const {
  const char* const row_option = format_                     ? "--format"
                                 : !request_.columns.empty() ? "--columns"
                                 : request_.frames.lines     ? "--lines"
                                 : !times_.from.empty()      ? "--from"
                                 : !times_.to.empty()        ? "--to"
                                 : ~request_.max_rows != 0   ? "--limit-rows"
                                                             : nullptr;
  if (request_.types.empty() && row_option != nullptr) {
    throw UsageError(std::string(row_option) + ": is for rows, which need a TYPE; jfrtree events " +
                     files_.front() + " lists the types");
  }
  if (!format_) {
    refuse_parquet(std::nullopt, reading_.output);
  }
  if (!request_.types.empty() && row_format() == RowFormat::arrow) {
    refuse_terminal("arrow", reading_.output);
  }
  if (!request_.types.empty() && json_) {
    throw UsageError("--json: is for the list of types; rows are JSON lines, --format jsonl");
  }
  const bool shapes_frames = request_.frames.lines || request_.frames.libraries;
  if (no_stacks_ && shapes_frames) {
    throw UsageError(std::string("--no-stacks and ") +
                     (request_.frames.lines ? "--lines" : "--libraries") +
                     " contradict each other");
  }
}

ExitCode EventsCommand::list_types(InputFiles inputs, Console& console) {
  OutputFile output(reading_.output);
  Progress progress(reading_.progress, reading_.quiet);
  const EventCatalog catalog =
      read_event_types(std::move(inputs.sources), request_.stacks, reading_.read_options(progress));
  progress.finish();
  inputs.found.insert(inputs.found.end(), catalog.problems.begin(), catalog.problems.end());
  console.report(inputs.found);
  output.write(json_ ? events_json(catalog) : events_text(catalog, console.is_verbose()));
  output.commit();
  timings_.report(catalog.statistics, reading_.thread_count(), console);
  return reading_.exit_code(inputs.found);
}

// Throws for a TYPE that the recordings do not declare.
void EventsCommand::check_types(const std::vector<std::string>& declared) const {
  for (const std::string& type : request_.types) {
    const bool is_there =
        std::any_of(declared.begin(), declared.end(),
                    [&type](const std::string& name) { return matches_event_type(type, name); });
    if (is_there) {
      continue;
    }
    const std::string hint = did_you_mean(type, declared);
    Problem problem;
    problem.code = ErrorCode::bad_argument;
    problem.file = files_.size() == 1 ? files_.front() : std::string();
    problem.message = "no event type " + type;
    if (type.find('*') != std::string::npos) {
      problem.message =
          "no event type fits " + type +
          "; types that hold system properties, environment variables or command lines are read "
          "by their whole name only";
    } else {
      problem.message +=
          hint.empty() ? "; without TYPE, jfrtree events lists those there are" : hint;
    }
    throw Error(std::move(problem));
  }
}

std::vector<EventColumn> EventsCommand::find_columns(const RepeatedSources& sources,
                                                     const ReadOptions& options) {
  const std::vector<EventSchema> schemas =
      read_event_schemas(sources.open(), request_.types, request_.stacks, options);
  const auto has_schema = [&schemas](const std::string& name) {
    return std::any_of(schemas.begin(), schemas.end(), [&name](const EventSchema& schema) {
      return matches_event_type(name, schema.type);
    });
  };
  if (!std::all_of(request_.types.begin(), request_.types.end(), has_schema)) {
    // Only now are the names of all types of interest.
    std::vector<std::string> declared;
    for (const EventTypeSummary& type :
         read_event_types(sources.open(), request_.stacks, options).types) {
      declared.push_back(type.schema.type);
    }
    check_types(declared);
  }
  const std::vector<EventColumn> there = unite_columns(schemas);
  std::vector<std::string> names = request_.columns;
  const bool has_own = std::any_of(there.begin(), there.end(), [](const EventColumn& column) {
    return column.name == type_column;
  });
  // The name of the type stands in front of a row, which has no field for it.
  names_type_ = !has_own && std::erase(names, type_column) > 0;
  if (names_type_ && names.empty()) {
    return {};
  }
  try {
    return choose_columns(there, names);
  } catch (const UsageError& error) {
    throw UsageError("--columns: " + std::string(error.what()));
  }
}

std::unique_ptr<EventWriter> EventsCommand::make_writer(Output& output,
                                                        std::vector<EventColumn> columns) const {
  const bool with_type = has_several_types() || names_type_;
  switch (row_format()) {
    case RowFormat::csv:
      return csv_event_writer(output, std::move(columns), with_type);
    case RowFormat::arrow:
      return arrow_event_writer(output, columns, with_type, reading_.limits);
    case RowFormat::jsonl:
      break;
  }
  return request_.columns.empty() ? jsonl_event_writer(output)
                                  : jsonl_event_writer(output, std::move(columns));
}

ExitCode EventsCommand::write_rows(InputFiles inputs, Console& console) {
  OutputFile output(reading_.output);
  const RepeatedSources sources(std::move(inputs.sources), needs_catalog(), reading_, inputs.found);
  Progress progress(reading_.progress, reading_.quiet);
  std::vector<EventColumn> columns;
  if (needs_catalog()) {
    columns = find_columns(sources, reading_.read_options(progress));
  }
  if (times_.has_time()) {
    std::vector<Source> timed = sources.open();
    request_.time = resolve_time_range(timed, times_, reading_.read_options(progress));
  }
  const auto writer = make_writer(output, std::move(columns));
  if (reading_.strict) {
    // With the first problem nothing is written, so all rows are looked at first.
    NullSink nothing;
    (void)read_events(sources.open(), request_, nothing, reading_.read_options(progress));
  }
  EventReadResult result =
      read_events(sources.open(), request_, *writer, reading_.read_options(progress));
  progress.finish();
  std::vector<Problem>& found = inputs.found;
  found.insert(found.end(), result.problems.begin(), result.problems.end());
  console.report(found);
  check_types(result.declared_types);
  if (result.rows == 0 && times_.has_time()) {
    console.message("note: no event begins in the time of --from and --to");
  }
  writer->finish();
  output.commit();
  if (reading_.output != "-") {
    console.message("wrote " + reading_.output + ": " + counted(result.rows, "row", "rows"));
  }
  timings_.report(result.statistics, 1, console);
  return reading_.exit_code(found);
}

ExitCode EventsCommand::execute(const std::vector<std::string>& arguments, Console& console) {
  split_arguments(arguments);
  reading_.check(files_, console);
  check();
  request_.stacks = !no_stacks_;
  InputFiles inputs = open_input_files(files_, reading_);
  return request_.types.empty() ? list_types(std::move(inputs), console)
                                : write_rows(std::move(inputs), console);
}

}  // namespace

std::unique_ptr<Command> make_events_command() { return std::make_unique<EventsCommand>(); }

}  // namespace jfrtree::cli
