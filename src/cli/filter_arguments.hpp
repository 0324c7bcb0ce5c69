#pragma once

#include <string>
#include <vector>

#include <jfrtree/profile.hpp>

#include "cli/command_line.hpp"
#include "cli/console.hpp"

namespace jfrtree::cli {

/// The options that choose samples and cut stacks.
struct FilterArguments {
  FilterOptions options;

  void add_to(CommandLine& line);
  /// The times alone: `--from` and `--to`.
  void add_times_to(CommandLine& line);
  /// Names of the options that were given, in the order of help; those that only cut stacks are
  /// left out on request.
  [[nodiscard]] std::vector<std::string> given_names(bool with_cuts = true) const;
};

/// The options that say what threads are called.
void add_thread_options(CommandLine& line, FrameOptions& frames);

/// What times and patterns look like, for help.
[[nodiscard]] std::string filters_help();

/// Says that no sample passed the filters, when that is so.
void report_nothing_left(const FilterArguments& filters, const ProfileSet& set,
                         const Console& console);

}  // namespace jfrtree::cli
