#include <jfrtree/error.hpp>

#include <array>
#include <cstddef>
#include <utility>

namespace jfrtree {
namespace {

constexpr std::array<std::string_view, 26> code_names = {
    "io_error",         "empty_input",       "not_a_recording",   "unsupported_version",
    "too_short",        "unfinished_chunk",  "truncated_chunk",   "bad_chunk_header",
    "bad_metadata",     "bad_constant_pool", "bad_event",         "unknown_event_type",
    "unreadable_bytes", "bad_compression",   "limit_exceeded",    "value_out_of_range",
    "missing_constant", "bad_text",          "left_out",          "lost_samples",
    "empty_chunk",      "odd_metadata",      "profile_not_found", "bad_collapsed_line",
    "repeated_chunk",   "bad_argument",
};
static_assert(code_names.size() == static_cast<std::size_t>(ErrorCode::bad_argument) + 1);

// Names of files and types come from outside: a line feed or an escape sequence in one must not
// reach the terminal.
void append_one_line(std::string& line, std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  for (const char character : text) {
    const auto byte = static_cast<unsigned char>(character);
    if (byte >= 0x20 && byte != 0x7f) {
      line += character;
      continue;
    }
    line += "\\x";
    line += digits[byte >> 4];
    line += digits[byte & 0xfU];
  }
}

}  // namespace

std::string_view error_code_name(ErrorCode code) noexcept {
  const auto index = static_cast<std::size_t>(code);
  return index < code_names.size() ? code_names[index] : std::string_view("unknown");
}

std::string to_string(const Problem& problem) {
  std::string line;
  if (!problem.file.empty()) {
    append_one_line(line, problem.file);
    line += ": ";
  }
  const bool has_offset = problem.offset != no_position;
  if (problem.chunk != 0) {
    line += "chunk " + std::to_string(problem.chunk);
    line += has_offset ? " " : ": ";
  }
  if (has_offset) {
    line += "at " + std::to_string(problem.offset) + ": ";
  }
  append_one_line(line, problem.message);
  return line;
}

Error::Error(Problem problem)
    : std::runtime_error(to_string(problem)), problem_(std::move(problem)) {}

UsageError::UsageError(const std::string& message)
    : Error(Problem{.code = ErrorCode::bad_argument, .file = {}, .message = message}) {}

}  // namespace jfrtree
