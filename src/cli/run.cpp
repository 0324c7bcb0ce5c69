#include "cli/run.hpp"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <new>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include <jfrtree/error.hpp>
#include <jfrtree/output.hpp>
#include <jfrtree/profile.hpp>
#include <jfrtree/version.hpp>

#include "cli/command.hpp"
#include "cli/help.hpp"
#include "cli/output_file.hpp"
#include "cli/signals.hpp"
#include "cli/text.hpp"

namespace jfrtree::cli {

std::vector<std::unique_ptr<Command>> all_commands() {
  std::vector<std::unique_ptr<Command>> commands;
  commands.push_back(make_info_command());
  commands.push_back(make_convert_command());
  commands.push_back(make_top_command());
  commands.push_back(make_diff_command());
  commands.push_back(make_events_command());
  commands.push_back(make_clickhouse_schema_command());
  commands.push_back(make_clickhouse_rows_command());
  commands.push_back(make_clickhouse_load_command());
  commands.push_back(make_clickhouse_flamegraph_command());
  commands.push_back(make_clickhouse_top_command());
  commands.push_back(make_clickhouse_diff_command());
  commands.push_back(make_clickhouse_list_command());
  commands.push_back(make_clickhouse_tree_command());
  commands.push_back(make_clickhouse_dashboard_command());
  return commands;
}

namespace {

void print(const std::string& text) {
  OutputFile output("-");
  output.write(text);
  output.commit();
}

std::unique_ptr<Command> find_command(const std::string& name) {
  std::vector<std::string> names = {"help"};
  for (auto& command : all_commands()) {
    if (command->name() == name) {
      return std::move(command);
    }
    names.emplace_back(command->name());
  }
  std::error_code error;
  const bool is_path = std::filesystem::exists(name, error);
  throw UsageError(
      name + ": no such command" +
      (is_path ? "; jfrtree info " + name + " shows what it holds" : did_you_mean(name, names)));
}

bool is_help_option(const std::string& argument) {
  return argument == "--help" || argument == "-h";
}

void print_command_help(Command& command) {
  CommandLine line;
  command.add_options(line);
  print(command_help_text(command, line.options()));
}

void print_help(std::vector<std::string> topics) {
  if (topics.size() > 1 && topics.front() == command_group) {
    topics.front() += " " + topics[1];
    topics.erase(topics.begin() + 1);
  }
  if (topics.size() > 1) {
    throw UsageError("help: one COMMAND at a time");
  }
  if (topics.empty() || topics.front() == "help" || is_help_option(topics.front())) {
    print(overview_text());
  } else if (topics.front() == command_group) {
    print(group_help_text());
  } else if (topics.front() == "limits") {
    print(limits_text());
  } else {
    print_command_help(*find_command(topics.front()));
  }
}

/// One run of the program; remembers the command for the hint below a usage error.
class Program {
 public:
  explicit Program(const clickhouse::EngineFactory& engine) : engine_(engine) {}

  int run(const std::vector<std::string>& arguments) {
    if (arguments.empty()) {
      throw UsageError("no command was given");
    }
    std::string first = arguments.front();
    if (first == command_group) topic_ = " " + first;
    std::vector<std::string> rest(arguments.begin() + 1, arguments.end());
    if (first == command_group && !rest.empty() && !rest.front().starts_with('-')) {
      first += " " + rest.front();
      rest.erase(rest.begin());
    }
    if (first == "--version") {
      print("jfrtree " + std::string(version()) + "\n");
    } else if (is_help_option(first)) {
      print(overview_text());
    } else if (first == "help") {
      print_help(rest);
    } else if (first == command_group && !rest.empty() && is_help_option(rest.front())) {
      print(group_help_text());
    } else if (first == command_group) {
      throw UsageError(first + ": needs the name of one of its commands");
    } else if (first.starts_with('-')) {
      throw UsageError(first + ": no such option before the command");
    } else {
      return run_command(first, rest);
    }
    return static_cast<int>(ExitCode::done);
  }

  int usage_error(const UsageError& error) const {
    const std::string topic = command_ ? " " + std::string(command_->name()) : topic_;
    console_.error(std::string(error.what()) + " (see jfrtree help" + topic + ")");
    return static_cast<int>(ExitCode::usage);
  }

  int error(const std::string& text) const {
    console_.error(text);
    return static_cast<int>(ExitCode::error);
  }

 private:
  int run_command(const std::string& name, const std::vector<std::string>& arguments) {
    command_ = find_command(name);
    CommandLine line(engine_);
    command_->add_options(line);
    if (!line.parse(arguments)) {
      print(command_help_text(*command_, line.options()));
      return static_cast<int>(ExitCode::done);
    }
    return static_cast<int>(command_->execute(line.files(), console_));
  }

  const clickhouse::EngineFactory& engine_;
  std::unique_ptr<Command> command_;
  std::string topic_;  // of help, while there is no command
  Console console_;
};

int run_guarded(Program& program, const std::vector<std::string>& arguments) {
  try {
    return program.run(arguments);
  } catch (const ClosedPipe&) {
    return static_cast<int>(ExitCode::done);
  } catch (const Interrupted&) {
    return stop_exit_code();
  } catch (const UsageError& error) {
    return program.usage_error(error);
  } catch (const Error& error) {
    return program.error(error.what());
  } catch (const std::bad_alloc&) {
    return program.error("out of memory: read fewer files at a time, or with --threads 1");
  } catch (const std::exception& error) {
    return program.error(std::string("unexpected error, please report it: ") + error.what());
  }
}

}  // namespace

int run(int argc, char** argv, const clickhouse::EngineFactory& engine) noexcept {
  try {
    occupy_standard_descriptors();
    const ScopedSignals signals;
    Program program(engine);
    const std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
    return run_guarded(program, arguments);
  } catch (...) {
    // Not even a message could be written.
    return static_cast<int>(ExitCode::error);
  }
}

}  // namespace jfrtree::cli
