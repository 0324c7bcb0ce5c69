#pragma once

#include <cstdint>
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

  /// One line for each problem, at most `problem_lines` of them, and with `detail` one for each
  /// note.
  void report(const std::vector<Problem>& problems) const;

  static constexpr std::uint64_t problem_lines = 20;

 private:
  void print_line(std::string_view text) const;

  Level level_ = Level::normal;
};

/// The line for a problem, with the number of times it was found when that is more than one.
[[nodiscard]] std::string problem_text(const Problem& problem);

/// How many of these are problems; the others are notes.
[[nodiscard]] std::uint64_t count_problems(const std::vector<Problem>& problems) noexcept;

}  // namespace jfrtree::cli
