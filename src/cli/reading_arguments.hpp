#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <jfrtree/limits.hpp>
#include <jfrtree/profile.hpp>

#include "cli/command_line.hpp"
#include "cli/console.hpp"
#include "cli/progress.hpp"

namespace jfrtree::cli {

/// The options of every command that reads recordings.
struct ReadingArguments {
  std::string output = "-";  ///< path, "-" for standard output
  unsigned threads = 0;      ///< 0: the cores there are
  bool strict = false;
  bool allow_problems = false;
  bool quiet = false;
  bool verbose = false;
  std::optional<bool> progress;
  Limits limits;

  /// Whether a command writes to a path, or elsewhere.
  enum class Output : std::uint8_t { path, none };

  void add_to(CommandLine& line, Output kind = Output::path);
  /// Throws UsageError for contradicting options and for files that cannot be read twice; sets the
  /// level of the console.
  void check(const std::vector<std::string>& files, Console& console) const;

  /// Options for the library; `progress` must outlive the reading.
  [[nodiscard]] ReadOptions read_options(Progress& progress) const;
  [[nodiscard]] unsigned thread_count() const;
  /// The exit code of a command that found these.
  [[nodiscard]] ExitCode exit_code(const std::vector<Problem>& problems) const;
};

/// Sets the limit of `NAME=N`, the value of `--limit`. Throws UsageError.
void add_limit(Limits& limits, const std::string& text);

}  // namespace jfrtree::cli
