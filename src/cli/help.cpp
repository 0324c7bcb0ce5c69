#include "cli/help.hpp"

#include <algorithm>
#include <utility>

#include <jfrtree/limits.hpp>

#include "cli/table.hpp"
#include "cli/text.hpp"

namespace jfrtree::cli {
namespace {

using Definition = std::pair<std::string, std::string>;

constexpr std::size_t line_width = 80;
// Names longer than this push their description to the next line.
constexpr std::size_t widest_name = 26;

void append_definition(std::string& text, const Definition& definition, std::size_t column) {
  const auto& [name, description] = definition;
  text += "  " + name;
  const std::size_t width = text_width(name) + 2;
  if (width + 2 > column) {
    text += "\n" + std::string(column, ' ');
  } else {
    text += std::string(column - width, ' ');
  }
  text += wrap(description, column, line_width) + "\n";
}

std::string option_text(const OptionHelp& option) {
  // Options without a short name line up with those that have one.
  std::string text = option.names.starts_with("--") ? "    " : "";
  text += option.names;
  if (!option.value_name.empty()) {
    text += " " + option.value_name;
  }
  return text;
}

std::string option_groups_text(std::span<const OptionHelp> options) {
  std::string text;
  while (!options.empty()) {
    const std::string& group = options.front().group;
    std::vector<Definition> definitions;
    while (!options.empty() && options.front().group == group) {
      definitions.emplace_back(option_text(options.front()), options.front().description);
      options = options.subspan(1);
    }
    text += "\n" + definitions_text(group, definitions);
  }
  return text;
}

bool is_of_group(const Command& command) { return command.name().starts_with(command_group); }

/// The commands, those of the group or all others.
std::vector<Definition> command_definitions(bool of_group) {
  std::vector<Definition> definitions;
  for (const auto& command : all_commands()) {
    if (is_of_group(*command) == of_group) {
      definitions.emplace_back(command->name(), command->summary());
    }
  }
  return definitions;
}

}  // namespace

std::string group_help_text() {
  std::string text = "jfrtree " + std::string(command_group) +
                     ": keeps profiles in ClickHouse, in a folder or on servers.\n\n" +
                     "Usage: jfrtree " + std::string(command_group) + " COMMAND ... [options]\n\n";
  text += definitions_text("Commands", command_definitions(true));
  return text + "\njfrtree help " + std::string(command_group) +
         " COMMAND shows the options and examples of one.\n";
}

std::string definitions_text(std::string_view heading, std::span<const Definition> definitions) {
  std::size_t widest = 0;
  for (const Definition& definition : definitions) {
    const std::size_t width = text_width(definition.first);
    widest = std::max(widest, width <= widest_name ? width : 0);
  }
  std::string text = std::string(heading) + ":\n";
  for (const Definition& definition : definitions) {
    append_definition(text, definition, widest + 4);
  }
  return text;
}

std::string overview_text() {
  std::string text =
      "jfrtree turns Java Flight Recorder recordings into call trees and flame graphs.\n\n"
      "Usage: jfrtree COMMAND FILE... [options]\n\n";
  std::vector<Definition> commands = command_definitions(false);
  commands.emplace_back(command_group, "keeps profiles in ClickHouse and reads them back");
  commands.emplace_back("help", "shows this text, or the help of a command");
  text += definitions_text("Commands", commands);
  const std::vector<Definition> topics = {
      {"jfrtree help COMMAND", "options and examples of a command"},
      {"jfrtree help limits", "limits on damaged or hostile input"},
      {"jfrtree --version", "the version of the program"},
  };
  text += "\n" + definitions_text("More", topics);
  const std::vector<Definition> codes = {
      {"0", "done; also when the reader of standard output went away"},
      {"1", "error: nothing usable was written, also for want of standard output"},
      {"2", "an option or argument is wrong"},
      {"3", "done, but parts of the input could not be used (see --allow-problems)"},
      {"129", "ended by SIGHUP: the terminal was closed"},
      {"130", "interrupted by Ctrl-C (SIGINT)"},
      {"143", "ended by SIGTERM"},
  };
  return text + "\n" + definitions_text("Exit codes", codes);
}

std::string command_help_text(const Command& command, std::span<const OptionHelp> options) {
  const std::string name(command.name());
  std::string text = wrap("jfrtree " + name + ": " + std::string(command.summary()), 0, line_width);
  text += "\n\nUsage: jfrtree " + name + " ";
  text += command.synopsis();
  text += "\n\n";
  text += wrap(command.inputs(), 0, line_width);
  text += "\n" + option_groups_text(options);
  text += "\n(*) may be given several times; any other option with a value once.\n";
  const std::string more = command.more_help();
  if (!more.empty()) {
    text += "\n" + more;
  }
  text += "\nExamples:\n";
  for (const Example& example : command.examples()) {
    text += "  " + std::string(example.command) + "\n      ";
    text += wrap(example.effect, 6, line_width) + "\n";
  }
  return text;
}

std::string limits_text() {
  std::string text =
      wrap(
          "Limits on what damaged or hostile input may cost. --limit NAME=N changes one, e.g. "
          "--limit string_bytes=64M; K, M, G and T stand for powers of 1024.",
          0, line_width) +
      "\n\n";
  const Limits defaults;
  std::vector<Definition> limits;
  for (const LimitDescription& limit : limit_descriptions()) {
    const std::string value = std::to_string(defaults.*limit.member);
    limits.emplace_back(limit.name, std::string(limit.description) + " Default: " + value + ".");
  }
  return text + definitions_text("Limits", limits);
}

}  // namespace jfrtree::cli
