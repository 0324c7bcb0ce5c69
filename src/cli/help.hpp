#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cli/command.hpp"

namespace jfrtree::cli {

/// `jfrtree --help`: what the program is, its commands, its exit codes.
[[nodiscard]] std::string overview_text();

/// Some commands have a name of two words, of which this is the first.
inline constexpr std::string_view command_group = "clickhouse";

/// `jfrtree help clickhouse`: the commands of the group.
[[nodiscard]] std::string group_help_text();

/// `jfrtree COMMAND --help`.
[[nodiscard]] std::string command_help_text(const Command& command,
                                            std::span<const OptionHelp> options);

/// `jfrtree help limits`: the limits on hostile input with their defaults.
[[nodiscard]] std::string limits_text();

/// A heading with names and descriptions below it, in two columns.
[[nodiscard]] std::string definitions_text(
    std::string_view heading, std::span<const std::pair<std::string, std::string>> definitions);

}  // namespace jfrtree::cli
