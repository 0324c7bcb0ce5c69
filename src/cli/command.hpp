#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command_line.hpp"
#include "cli/console.hpp"
#include "cli/exit_code.hpp"

namespace jfrtree::cli {

/// Example of a command for its help: what to type and what that does.
struct Example {
  std::string_view command;
  std::string_view effect;
};

/// One command of the program. An object is used for one run: `add_options`, then the parsing of
/// the command line, then `execute`.
class Command {
 public:
  Command() = default;
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;
  virtual ~Command() = default;

  [[nodiscard]] virtual std::string_view name() const = 0;
  /// One line for the list of commands.
  [[nodiscard]] virtual std::string_view summary() const = 0;
  /// What stands behind the name in the usage line.
  [[nodiscard]] virtual std::string_view synopsis() const = 0;
  /// What its inputs may be.
  [[nodiscard]] virtual std::string_view inputs() const {
    return "FILE is a recording, also compressed by gzip, zstd, LZ4 or zip; - is standard input; a "
           "folder stands for the recordings in it, or one level down. Several inputs are one "
           "profile. The output is never one of the inputs.";
  }
  [[nodiscard]] virtual std::vector<Example> examples() const = 0;
  /// Sections below the options, each with its heading; may be empty.
  [[nodiscard]] virtual std::string more_help() const { return {}; }

  /// Declares the options. The command line must not outlive the command.
  virtual void add_options(CommandLine& line) = 0;
  /// Does the work. Throws as the library does; UsageError for options that contradict each other.
  virtual ExitCode execute(const std::vector<std::string>& files, Console& console) = 0;
};

[[nodiscard]] std::unique_ptr<Command> make_info_command();
[[nodiscard]] std::unique_ptr<Command> make_convert_command();
[[nodiscard]] std::unique_ptr<Command> make_top_command();
[[nodiscard]] std::unique_ptr<Command> make_diff_command();
[[nodiscard]] std::unique_ptr<Command> make_events_command();
/// The names of these are of two words, `clickhouse rows`.
[[nodiscard]] std::unique_ptr<Command> make_clickhouse_schema_command();
[[nodiscard]] std::unique_ptr<Command> make_clickhouse_rows_command();
[[nodiscard]] std::unique_ptr<Command> make_clickhouse_load_command();
[[nodiscard]] std::unique_ptr<Command> make_clickhouse_tree_command();

/// All commands in the order of the help text.
[[nodiscard]] std::vector<std::unique_ptr<Command>> all_commands();

}  // namespace jfrtree::cli
