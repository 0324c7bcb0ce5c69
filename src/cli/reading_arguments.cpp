#include "cli/reading_arguments.hpp"

#include <algorithm>
#include <limits>

#include <jfrtree/error.hpp>

#include "cli/available_cores.hpp"
#include "cli/signals.hpp"

namespace jfrtree::cli {
namespace {

constexpr std::uint64_t most_threads = 1024;

// The number behind `NAME=` with an optional K, M, G or T.
std::uint64_t parse_size(const std::string& option, std::string text) {
  constexpr std::string_view suffixes = "KMGT";
  const std::size_t power = text.empty() ? std::string_view::npos : suffixes.find(text.back());
  unsigned shift = 0;
  if (power != std::string_view::npos) {
    shift = 10 * (static_cast<unsigned>(power) + 1);
    text.pop_back();
  }
  constexpr std::uint64_t highest = std::numeric_limits<std::uint64_t>::max();
  return parse_number(option, text, 0, highest >> shift) << shift;
}

void refuse(bool first, bool second, const char* names) {
  if (first && second) {
    throw UsageError(std::string(names) + " contradict each other");
  }
}

}  // namespace

void ReadingArguments::add_to(CommandLine& line, Output kind) {
  if (kind == Output::path) {
    line.begin_group("Output and messages");
    line.add_value("-o,--output", "PATH", "where to write; default and -: standard output",
                   [this](const std::string& value) {
                     if (value.empty()) {
                       throw UsageError("--output: '' is no name of a file");
                     }
                     output = value;
                   });
  } else {
    line.begin_group("Messages");
  }
  line.add_flag("-q,--quiet", "no messages but errors", quiet);
  line.add_flag("-v,--verbose", "notes about the input as well, and what was read", verbose);
  line.add_switch("progress", "show how far reading is; default: on a terminal, after a second",
                  [this](bool value) { progress = value; });
  line.add_help();
  line.begin_group("Reading");
  line.add_value("--threads", "N", "threads at work; default: the cores there are",
                 [this](const std::string& value) {
                   threads =
                       static_cast<unsigned>(parse_number("--threads", value, 1, most_threads));
                 });
  line.add_flag("--strict", "the first problem of the input is an error, nothing is written",
                strict);
  line.add_flag("--allow-problems", "exit with 0, not 3, when the input has problems",
                allow_problems);
  line.add_values("--limit", "NAME=N",
                  "change a limit on hostile input; jfrtree help limits lists them",
                  [this](const std::string& value) { add_limit(limits, value); });
}

void add_limit(Limits& limits, const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) {
    throw UsageError("--limit: '" + text + "' is not of the form NAME=N");
  }
  const std::string name = text.substr(0, equals);
  const std::uint64_t value = parse_size("--limit " + name, text.substr(equals + 1));
  if (!set_limit(limits, name, value)) {
    throw UsageError("--limit: no limit is called '" + name + "', jfrtree help limits lists them");
  }
}

void ReadingArguments::check(const std::vector<std::string>& files, Console& console) const {
  refuse(quiet, verbose, "--quiet and --verbose");
  refuse(quiet, progress.value_or(false), "--quiet and --progress");
  refuse(strict, allow_problems, "--strict and --allow-problems");
  if (files.empty()) {
    throw UsageError("no FILE was given");
  }
  if (std::count(files.begin(), files.end(), "") > 0) {
    throw UsageError("FILE: '' is no name of a file");
  }
  if (std::count(files.begin(), files.end(), "-") > 1) {
    throw UsageError("-: standard input can be read only once");
  }
  if (quiet) {
    console.set_level(Console::Level::quiet);
  } else if (verbose) {
    console.set_level(Console::Level::verbose);
  }
}

unsigned ReadingArguments::thread_count() const {
  return threads != 0 ? threads : available_cores();
}

ReadOptions ReadingArguments::read_options(Progress& progress_display) const {
  ReadOptions options;
  options.limits = limits;
  options.strict = strict;
  options.threads = thread_count();
  options.progress = progress_display.callback();
  options.stop = &stop_requested();
  return options;
}

ExitCode ReadingArguments::exit_code(const std::vector<Problem>& problems) const {
  return count_problems(problems) == 0 || allow_problems ? ExitCode::done : ExitCode::problems;
}

}  // namespace jfrtree::cli
