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
  /// Names of the options that were given, in the order of help; those that only cut stacks are
  /// left out on request.
  [[nodiscard]] std::vector<std::string> given_names(bool with_cuts = true) const;
};

/// `--from` and `--to`; `what` is what they choose.
void add_time_options(CommandLine& line, FilterOptions& options, const std::string& what);

/// The options that say what threads are called.
void add_thread_options(CommandLine& line, FrameOptions& frames);

/// What times and patterns look like, for help, and times alone.
[[nodiscard]] std::string filters_help();
[[nodiscard]] std::string times_help();

/// Says that no sample passed the filters, when that is so.
void report_nothing_left(const FilterArguments& filters, const ProfileSet& set,
                         const Console& console);

}  // namespace jfrtree::cli
