#include "profile/collapsed_reader.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <utility>

#include "format/text.hpp"
#include "io/bytes.hpp"
#include "io/decoder.hpp"
#include "profile/collapsed_text.hpp"

namespace jfrtree::internal {
namespace {

constexpr std::size_t piece_bytes = std::size_t{1} << 18;

constexpr std::string_view no_number =
    "a line of collapsed stacks does not end in a space and a number from 0 to 2^64-1: "
    "the line was left out";
constexpr std::string_view negative_number =
    "a line of collapsed stacks has a negative number: the line was left out";
constexpr std::string_view too_long =
    "a line of collapsed stacks is longer than the limit string_bytes: "
    "the line was left out; raise the limit to read it";
constexpr std::string_view too_deep =
    "a stack is deeper than the limit stack_frames: the frames farthest from the root were cut; "
    "raise the limit to keep them";
constexpr std::string_view repaired =
    "collapsed stacks are not valid UTF-8: the bytes were repaired";

/// The two parts of a line, not looked into yet.
struct SplitLine {
  std::string_view stack;
  std::string_view number;
};

std::optional<SplitLine> split_line(std::string_view line) noexcept {
  const std::size_t space = line.rfind(' ');
  if (space == std::string_view::npos) {
    return std::nullopt;
  }
  return SplitLine{line.substr(0, space), line.substr(space + 1)};
}

std::optional<std::uint64_t> parse_number(std::string_view text) noexcept {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || stop != end) {
    return std::nullopt;
  }
  return number;
}

std::string_view without_carriage_return(std::string_view line) noexcept {
  return line.ends_with('\r') ? line.substr(0, line.size() - 1) : line;
}

/// Whether something is meant as a number, be it one that cannot be used.
bool looks_like_number(std::string_view text) noexcept {
  text.remove_prefix(text.starts_with('-') ? 1 : 0);
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char character) {
    return character >= '0' && character <= '9';
  });
}

bool is_negative(std::string_view text) noexcept {
  return text.starts_with('-') && looks_like_number(text);
}

/// Whether the beginning of a line could be that of a deep stack.
bool may_be_stack(std::string_view line) noexcept {
  const bool has_control = std::any_of(line.begin(), line.end(), [](char character) {
    return static_cast<unsigned char>(character) < 0x20;
  });
  return !has_control && line.find(';') != std::string_view::npos;
}

bool says_nothing(std::string_view line) noexcept { return line.empty() || line.front() == '#'; }

/// Turns lines into stacks and problems.
class LineParser {
 public:
  LineParser(const Limits& limits, std::string_view file,
             const std::function<void(const CollapsedLine&)>& on_line,
             const std::function<void(const Problem&)>& on_problem)
      : limits_(limits), file_(file), on_line_(on_line), on_problem_(on_problem) {}

  void parse(std::string_view line, std::uint64_t offset) {
    line = without_carriage_return(line);
    if (says_nothing(line)) {
      return;
    }
    const std::optional<SplitLine> parts = split_line(line);
    const auto number = parts ? parse_number(parts->number) : std::nullopt;
    if (!number) {
      const bool negative = parts && is_negative(parts->number);
      report(ErrorCode::bad_collapsed_line, Severity::problem, offset,
             negative ? negative_number : no_number);
      return;
    }
    line_.count = *number;
    split_frames(repair(parts->stack, offset), offset);
    on_line_(line_);
  }

  void report_long_line(std::uint64_t offset) const {
    report(ErrorCode::limit_exceeded, Severity::problem, offset, too_long);
  }

 private:
  void report(ErrorCode code, Severity severity, std::uint64_t offset,
              std::string_view message) const {
    on_problem_(Problem{.code = code,
                        .severity = severity,
                        .file = std::string(file_),
                        .offset = offset,
                        .message = std::string(message)});
  }

  std::string_view repair(std::string_view stack, std::uint64_t offset) {
    if (is_valid_utf8(stack)) {
      return stack;
    }
    repaired_.clear();
    append_utf8(repaired_, stack);
    report(ErrorCode::bad_text, Severity::note, offset, repaired);
    return repaired_;
  }

  void split_frames(std::string_view stack, std::uint64_t offset) {
    const bool is_plain = !may_hold_replacements(stack);
    line_.frames.clear();
    restored_.clear();
    restored_.reserve(stack.size());  // views into it stay valid: frames only become shorter
    for (;;) {
      const std::size_t end = stack.find(';');
      const std::string_view frame = stack.substr(0, end);
      line_.frames.push_back(is_plain ? frame : restore(frame));
      if (end == std::string_view::npos) {
        return;
      }
      stack.remove_prefix(end + 1);
      if (line_.frames.size() >= limits_.stack_frames) {
        report(ErrorCode::limit_exceeded, Severity::problem, offset, too_deep);
        return;
      }
    }
  }

  std::string_view restore(std::string_view frame) {
    const std::size_t begin = restored_.size();
    append_frame_of_collapsed(restored_, frame);
    return std::string_view(restored_).substr(begin);
  }

  const Limits& limits_;
  std::string_view file_;
  const std::function<void(const CollapsedLine&)>& on_line_;
  const std::function<void(const Problem&)>& on_problem_;
  CollapsedLine line_;
  std::string repaired_;  // the stack of the line, if it had to be repaired
  std::string restored_;  // frames of the line, if it may hold replacements
};

/// Cuts an input into lines. A line too long is passed over without being held.
class LineReader {
 public:
  LineReader(Input& input, std::uint64_t max_bytes, LineParser& parser)
      : input_(input), max_bytes_(max_bytes), parser_(parser) {}

  /// Returns the bytes that were read.
  std::uint64_t read() {
    while (fill()) {
      take_lines();
      if (used_ > max_bytes_ && !is_skipping_) {
        parser_.report_long_line(offset_);
        is_skipping_ = true;
      }
      if (is_skipping_) {
        drop(used_);
      }
    }
    if (!is_skipping_) {
      take(used_);
    }
    return offset_ + used_;
  }

 private:
  /// Reads a piece behind what is there; false at the end of the input.
  bool fill() {
    if (buffer_.size() - used_ < piece_bytes) {
      buffer_.resize(std::max(used_ + piece_bytes, buffer_.size() + buffer_.size() / 2));
    }
    const std::size_t count = input_.read(std::span(buffer_).subspan(used_));
    scanned_ = used_;
    used_ += count;
    return count != 0;
  }

  void take_lines() {
    std::size_t begin = 0;
    std::string_view text = as_text({buffer_.data(), used_});
    for (std::size_t end = text.find('\n', scanned_); end != std::string_view::npos;
         end = text.find('\n', begin)) {
      if (!is_skipping_) {
        parse(text.substr(begin, end - begin), offset_ + begin);
      }
      is_skipping_ = false;
      begin = end + 1;
    }
    drop(begin);
  }

  /// Takes what is left as the last line.
  void take(std::size_t size) { parse(as_text({buffer_.data(), size}), offset_); }

  void parse(std::string_view line, std::uint64_t offset) {
    if (line.size() > max_bytes_) {
      parser_.report_long_line(offset);
    } else {
      parser_.parse(line, offset);
    }
  }

  /// Forgets the first `count` bytes.
  void drop(std::size_t count) {
    if (count == 0) {
      return;
    }
    std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(count),
              buffer_.begin() + static_cast<std::ptrdiff_t>(used_), buffer_.begin());
    used_ -= count;
    offset_ += count;
  }

  Input& input_;
  std::uint64_t max_bytes_;
  LineParser& parser_;
  std::vector<std::byte> buffer_;
  std::size_t used_ = 0;      // bytes in the buffer
  std::size_t scanned_ = 0;   // of them, those without a line feed
  std::uint64_t offset_ = 0;  // of the buffer's first byte in the input
  bool is_skipping_ = false;  // inside a line that is too long
};

}  // namespace

std::uint64_t read_collapsed(Input& input, const Limits& limits,
                             const std::function<void(const CollapsedLine&)>& on_line,
                             const std::function<void(const Problem&)>& on_problem) {
  LineParser parser(limits, input.name(), on_line, on_problem);
  return LineReader(input, limits.string_bytes, parser).read();
}

bool looks_like_collapsed(std::span<const std::byte> first_bytes) noexcept {
  if (!foreign_compression(first_bytes).name.empty()) {
    return false;
  }
  std::string_view text = as_text(first_bytes);
  bool has_comment = false;
  bool has_bad_line = false;
  bool has_cut_stack = false;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const bool is_cut = end == std::string_view::npos;
    const std::string_view line = without_carriage_return(text.substr(0, end));
    if (says_nothing(line)) {
      has_comment = has_comment || !line.empty();
    } else if (const auto parts = split_line(line); parts && looks_like_number(parts->number)) {
      return true;
    } else {
      has_cut_stack = is_cut && may_be_stack(line);
      has_bad_line = has_bad_line || !is_cut;
    }
    text.remove_prefix(is_cut ? text.size() : end + 1);
  }
  return !has_bad_line && (has_cut_stack || has_comment);
}

}  // namespace jfrtree::internal
