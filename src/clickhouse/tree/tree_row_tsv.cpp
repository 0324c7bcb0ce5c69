#include <charconv>
#include <cstring>
#include <string>
#include <vector>

#include "clickhouse/tree/tree_errors.hpp"
#include "clickhouse/tree/tree_rows.hpp"

namespace jfrtree::internal {
namespace {

constexpr const char* expected_stack =
    "a stack is expected as in TSV: ['main','run'], or [1,2] with --frames ids";

[[nodiscard]] int digit_of(char character) noexcept {
  if (character >= '0' && character <= '9') return character - '0';
  if (character >= 'a' && character <= 'f') return character - 'a' + 10;
  return character >= 'A' && character <= 'F' ? character - 'A' + 10 : -1;
}

/// A place in one line, which is whole.
class LineCursor {
 public:
  LineCursor(std::string_view line, const char* input, std::uint64_t row)
      : left_(line), input_(input), row_(row) {}

  [[noreturn]] void fail(const std::string& what) const { throw_row_error(input_, row_, what); }

  [[nodiscard]] std::uint64_t row() const noexcept { return row_; }

  /// Whether the character comes next; it is taken then.
  [[nodiscard]] bool take(char character) noexcept {
    if (left_.empty() || left_.front() != character) {
      return false;
    }
    left_.remove_prefix(1);
    return true;
  }
  void expect(char character, const char* what) {
    if (!take(character)) {
      fail(what);
    }
  }
  void expect_end() const {
    if (!left_.empty()) {
      fail("there are more columns than the stack and its values");
    }
  }

  /// A whole number; a negative one as its two's complement.
  [[nodiscard]] std::uint64_t read_number() {
    const bool is_negative = take('-');
    std::uint64_t number = 0;
    const auto [position, error] =
        std::from_chars(left_.data(), left_.data() + left_.size(), number);
    if (error != std::errc{}) {
      fail("a whole number of at most 64 bits is expected, not '" +
           std::string(left_.substr(0, 20)) + "'");
    }
    left_.remove_prefix(static_cast<std::size_t>(position - left_.data()));
    return is_negative ? std::uint64_t{0} - number : number;
  }

  /// A text up to its quote, which is taken. Valid until the next one is read.
  [[nodiscard]] std::string_view read_quoted(std::string& scratch) {
    const std::size_t end = left_.find('\'');
    const std::string_view text = left_.substr(0, end);
    if (end != std::string_view::npos && text.find('\\') == std::string_view::npos) {
      left_.remove_prefix(end + 1);
      return text;
    }
    unescape(scratch, '\'');
    return scratch;
  }

  /// The last column as a text.
  [[nodiscard]] std::string_view read_rest(std::string& scratch) {
    if (left_.find('\\') == std::string_view::npos) {
      return left_;
    }
    unescape(scratch, '\0');
    return scratch;
  }

 private:
  /// Up to a quote, or to the end of the line where that is 0.
  void unescape(std::string& text, char quote) {
    text.clear();
    while (!left_.empty()) {
      const char character = left_.front();
      left_.remove_prefix(1);
      if (quote != '\0' && character == quote) {
        return;
      }
      text += character == '\\' ? read_escaped() : character;
    }
    if (quote != '\0') {
      fail("a text does not end: its quote is missing");
    }
  }

  [[nodiscard]] char read_escaped() {
    if (left_.empty()) {
      fail("the line ends in a backslash");
    }
    const char character = left_.front();
    left_.remove_prefix(1);
    switch (character) {
      case 'n':
        return '\n';
      case 't':
        return '\t';
      case 'r':
        return '\r';
      case '0':
        return '\0';
      case 'b':
        return '\b';
      case 'f':
        return '\f';
      case 'a':
        return '\a';
      case 'v':
        return '\v';
      case 'e':
        return '\x1B';
      case 'x':
        return read_hexadecimal();
      default:
        return character;
    }
  }

  [[nodiscard]] char read_hexadecimal() {
    const int high = left_.size() < 2 ? -1 : digit_of(left_[0]);
    const int low = left_.size() < 2 ? -1 : digit_of(left_[1]);
    if (high < 0 || low < 0) {
      fail("\\x is not followed by two hexadecimal digits");
    }
    left_.remove_prefix(2);
    return static_cast<char>(high * 16 + low);
  }

  std::string_view left_;
  const char* input_;
  std::uint64_t row_;
};

/// Parses whole lines, a row each.
class LineParser : public RowParser {
 public:
  std::size_t parse(std::string_view bytes, std::uint64_t most_rows) override {
    std::size_t taken = 0;
    for (; most_rows > 0; --most_rows) {
      const std::size_t end = bytes.find('\n', taken + searched_);
      if (end == std::string_view::npos) {
        searched_ = bytes.size() - taken;
        return taken;
      }
      searched_ = 0;
      parse_line(bytes.substr(taken, end - taken));
      ++rows_;
      taken = end + 1;
    }
    return taken;
  }

 protected:
  virtual void parse_line(std::string_view line) = 0;

 private:
  std::size_t searched_ = 0;  // bytes of a row that is cut and has no line feed so far
};

/// A stack and its values, or the arrays of a function.
class TsvRowParser final : public LineParser {
 public:
  TsvRowParser(TreeStacks& stacks, const TreeFilterOptions& options)
      : stacks_(stacks),
        options_(options),
        is_function_(options.protocol == RowProtocol::function ||
                     options.protocol == RowProtocol::function_chunks) {}

 protected:
  void parse_line(std::string_view line) override {
    LineCursor cursor(line, "-", rows_ + 1);
    is_function_ ? parse_profile(cursor) : parse_sample(cursor);
    cursor.expect_end();
    sum_up(stacks_);
  }

 private:
  void parse_sample(LineCursor& cursor) {
    const std::uint32_t stack = parse_stack(cursor);
    for (std::size_t column = 0; column < options_.values; ++column) {
      cursor.expect('\t', "a column with a value is missing");
      set_value(stacks_, stack, column, cursor.read_number(), cursor.row());
    }
  }

  void parse_profile(LineCursor& cursor) {
    numbers_.clear();
    cursor.expect('[', "an array of stacks is expected");
    while (!cursor.take(']')) {
      if (!numbers_.empty()) {
        cursor.expect(',', "the array of stacks does not end");
      }
      numbers_.push_back(parse_stack(cursor));
    }
    for (std::size_t column = 0; column < options_.values; ++column) {
      cursor.expect('\t', "a column with an array of values is missing");
      parse_values(cursor, column);
    }
  }

  void parse_values(LineCursor& cursor, std::size_t column) {
    std::size_t count = 0;
    cursor.expect('[', "an array of values is expected");
    while (!cursor.take(']')) {
      if (count > 0) {
        cursor.expect(',', "the array of values does not end");
      }
      const std::uint64_t value = cursor.read_number();
      if (count < numbers_.size()) {
        set_value(stacks_, numbers_[count], column, value, cursor.row());
      }
      ++count;
    }
    if (count != numbers_.size()) {
      cursor.fail(std::to_string(numbers_.size()) + " stacks, but " + std::to_string(count) +
                  " values: both arrays must have one length");
    }
  }

  [[nodiscard]] std::uint32_t parse_stack(LineCursor& cursor) {
    frame_ids_.clear();
    cursor.expect('[', expected_stack);
    while (!cursor.take(']')) {
      if (!frame_ids_.empty()) {
        cursor.expect(',', expected_stack);
      }
      frame_ids_.push_back(parse_frame(cursor));
      if (frame_ids_.size() > options_.limits.stack_frames) {
        throw_row_limit("-", cursor.row(), "a stack of more frames", "stack_frames",
                        options_.limits.stack_frames);
      }
    }
    frames_ += frame_ids_.size();
    return stacks_.add_stack(frame_ids_);
  }

  [[nodiscard]] FrameId parse_frame(LineCursor& cursor) {
    if (options_.frames != FrameColumn::strings) {
      return stacks_.frame_of_id(cursor.read_number());
    }
    cursor.expect('\'', expected_stack);
    const std::string_view text = cursor.read_quoted(scratch_);
    if (text.size() > options_.limits.string_bytes) {
      throw_row_limit("-", cursor.row(), "a frame of " + std::to_string(text.size()) + " bytes",
                      "string_bytes", options_.limits.string_bytes);
    }
    return stacks_.frame_of_text(text);
  }

  TreeStacks& stacks_;
  const TreeFilterOptions& options_;
  bool is_function_;
  std::string scratch_;
  std::vector<FrameId> frame_ids_;
  std::vector<std::uint32_t> numbers_;  // of a function's stacks
};

/// Rows `id, text`.
class TsvDictionaryParser final : public LineParser {
 public:
  TsvDictionaryParser(TreeStacks& stacks, const TreeFilterOptions& options)
      : stacks_(stacks), most_bytes_(options.limits.string_bytes) {}

 protected:
  void parse_line(std::string_view line) override {
    LineCursor cursor(line, "fd 3", rows_ + 1);
    const std::uint64_t id = cursor.read_number();
    cursor.expect('\t', "the column with the text of the frame is missing");
    const std::string_view text = cursor.read_rest(scratch_);
    if (text.size() > most_bytes_) {
      throw_row_limit("fd 3", cursor.row(), "a frame of " + std::to_string(text.size()) + " bytes",
                      "string_bytes", most_bytes_);
    }
    if (!stacks_.name_id(id, text)) {
      cursor.fail("the frame id " + std::to_string(id) + " has two texts");
    }
  }

 private:
  TreeStacks& stacks_;
  std::uint64_t most_bytes_;
  std::string scratch_;
};

}  // namespace

std::unique_ptr<RowParser> make_tsv_row_parser(TreeStacks& stacks,
                                               const TreeFilterOptions& options) {
  return std::make_unique<TsvRowParser>(stacks, options);
}

std::unique_ptr<RowParser> make_tsv_dictionary_parser(TreeStacks& stacks,
                                                      const TreeFilterOptions& options) {
  return std::make_unique<TsvDictionaryParser>(stacks, options);
}

}  // namespace jfrtree::internal
