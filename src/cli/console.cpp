#include "cli/console.hpp"

#include <algorithm>
#include <cstdio>
#include <string>

#include "cli/human.hpp"
#include "cli/text.hpp"

namespace jfrtree::cli {

void Console::error(std::string_view text) const { print_line(text); }

void Console::message(std::string_view text) const {
  if (level_ != Level::quiet) {
    print_line(text);
  }
}

void Console::detail(std::string_view text) const {
  if (level_ == Level::verbose) {
    print_line(text);
  }
}

void Console::report(const std::vector<Problem>& problems) const {
  std::uint64_t lines = 0;
  for (const Problem& problem : problems) {
    if (problem.severity == Severity::note) {
      detail("note: " + problem_text(problem));
    } else if (++lines <= problem_lines) {
      message(problem_text(problem));
    }
  }
  if (lines > problem_lines) {
    message("... and " + count_text(lines - problem_lines) + " more, see jfrtree info");
  }
}

void Console::print_line(std::string_view text) const {
  const std::string line = "jfrtree: " + printable(text) + "\n";
  // One call, so that lines of several processes do not mix. Nobody can be told when it fails.
  static_cast<void>(std::fwrite(line.data(), 1, line.size(), stderr));
  static_cast<void>(std::fflush(stderr));
}

std::string problem_text(const Problem& problem) {
  std::string text = to_string(problem);
  if (problem.count > 1) {
    text += " (" + count_text(problem.count) + " times)";
  }
  return text;
}

std::uint64_t count_problems(const std::vector<Problem>& problems) noexcept {
  return static_cast<std::uint64_t>(
      std::count_if(problems.begin(), problems.end(),
                    [](const Problem& problem) { return problem.severity == Severity::problem; }));
}

}  // namespace jfrtree::cli
