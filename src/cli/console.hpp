#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <jfrtree/error.hpp>

#include "cli/exit_code.hpp"

namespace jfrtree::cli {

/// Messages to the person at the terminal, on standard error, each one line behind `jfrtree: `.
class Console {
 public:
  enum class Level : std::uint8_t { quiet, normal, verbose };

  void set_level(Level level) noexcept { level_ = level; }
  [[nodiscard]] bool is_verbose() const noexcept { return level_ == Level::verbose; }

  /// Shown at every level.
  void error(std::string_view text) const;
  /// Shown unless quiet.
  void message(std::string_view text) const;
  /// Shown when verbose.
  void detail(std::string_view text) const;

  /// Several lines as they are, at every level: what an option asked for.
  void block(std::string_view text) const;

  /// One line for each finding: at most `problem_lines` of problems, notes with `detail`. A note
  /// is always shown where it says that the numbers may not be what was meant: input left out, read
  /// twice, or without a sum.
  void report(const std::vector<Problem>& problems) const;

  static constexpr std::uint64_t problem_lines = 20;

 private:
  void print_line(std::string_view text) const;

  Level level_ = Level::normal;
};

/// Equal problems or notes.
struct Finding {
  Problem first;            ///< with the first place
  std::uint64_t count = 0;  ///< how often it was found in all places
  std::uint64_t places = 0;
};

/// Problems and notes for people, equal ones together: problems of one file, notes of all files.
/// In the order of their first places.
[[nodiscard]] std::vector<Finding> findings_of(const std::vector<Problem>& problems);

/// The line for a finding, with the numbers that are more than one.
[[nodiscard]] std::string finding_text(const Finding& finding);

/// How many of these are problems; the others are notes.
[[nodiscard]] std::uint64_t count_problems(const std::vector<Problem>& problems) noexcept;

}  // namespace jfrtree::cli
