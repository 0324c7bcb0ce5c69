#include "cli/console.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <string_view>
#include <tuple>

#include "cli/human.hpp"
#include "cli/text.hpp"

namespace jfrtree::cli {
namespace {

// Whether a note with this code is for everybody.
bool is_worth_telling(ErrorCode code) {
  return code == ErrorCode::left_out || code == ErrorCode::repeated_chunk ||
         code == ErrorCode::value_out_of_range || code == ErrorCode::bad_argument;
}

}  // namespace

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
  for (const Finding& finding : findings_of(problems)) {
    const bool is_note = finding.first.severity == Severity::note;
    if (is_note && !is_worth_telling(finding.first.code)) {
      detail("note: " + finding_text(finding));
    } else if (is_note) {
      message("note: " + finding_text(finding));
    } else if (++lines <= problem_lines) {
      message(finding_text(finding));
    }
  }
  if (lines > problem_lines) {
    message("... and " + count_text(lines - problem_lines) + " more, see jfrtree info");
  }
}

void Console::print_line(std::string_view text) const {
  block("jfrtree: " + printable(text) + "\n");
}

void Console::block(std::string_view text) const {
  // One call, so that lines of several processes do not mix. Nobody can be told when it fails.
  static_cast<void>(std::fwrite(text.data(), 1, text.size(), stderr));
  static_cast<void>(std::fflush(stderr));
}

std::vector<Finding> findings_of(const std::vector<Problem>& problems) {
  std::vector<Finding> findings;
  std::map<std::tuple<ErrorCode, Severity, std::string_view, std::string_view>, std::size_t> known;
  for (const Problem& problem : problems) {
    const bool is_note = problem.severity == Severity::note;
    // The message about a repeated chunk names another place each time.
    const bool is_repeated_chunk = problem.code == ErrorCode::repeated_chunk && problem.chunk != 0;
    const auto [entry, is_new] = known.emplace(
        std::tuple(problem.code, problem.severity,
                   is_note ? std::string_view() : std::string_view(problem.file),
                   is_repeated_chunk ? std::string_view() : std::string_view(problem.message)),
        findings.size());
    if (is_new) {
      findings.push_back({problem, problem.count, 1});
      continue;
    }
    Finding& finding = findings[entry->second];
    finding.count += problem.count;
    ++finding.places;
  }
  return findings;
}

std::string finding_text(const Finding& finding) {
  std::vector<std::string> numbers;
  // What was lost is no event of this program: its number says how much.
  if (finding.count > finding.places || finding.first.code == ErrorCode::lost_samples) {
    numbers.push_back(count_text(finding.count) + " in all");
  }
  if (finding.places > 1) {
    numbers.push_back("first of " + count_text(finding.places) + " places");
  }
  std::string text = to_string(finding.first);
  if (!numbers.empty()) {
    text += " (" + join(numbers, ", ") + ")";
  }
  return text;
}

std::uint64_t count_problems(const std::vector<Problem>& problems) noexcept {
  return static_cast<std::uint64_t>(
      std::count_if(problems.begin(), problems.end(),
                    [](const Problem& problem) { return problem.severity == Severity::problem; }));
}

}  // namespace jfrtree::cli
