#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cli/command.hpp"

namespace jfrtree::cli {

/// `jfrtree --help`: what the program is, its commands, its exit codes.
[[nodiscard]] std::string overview_text();

/// `jfrtree help GROUP`: the commands whose names begin with this word.
[[nodiscard]] std::string group_text(std::string_view group);

/// `jfrtree COMMAND --help`.
[[nodiscard]] std::string command_help_text(const Command& command,
                                            std::span<const OptionHelp> options);

/// `jfrtree help limits`: the limits on hostile input with their defaults.
[[nodiscard]] std::string limits_text();

/// A heading with names and descriptions below it, in two columns.
[[nodiscard]] std::string definitions_text(
    std::string_view heading, std::span<const std::pair<std::string, std::string>> definitions);

}  // namespace jfrtree::cli
