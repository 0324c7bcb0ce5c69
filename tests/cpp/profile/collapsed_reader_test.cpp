#include "profile/collapsed_reader.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>

#include "io/bytes.hpp"

using namespace jfrtree;
using namespace jfrtree::internal;

namespace {

struct Line {
  std::vector<std::string> frames;
  std::uint64_t count = 0;
  friend bool operator==(const Line&, const Line&) = default;
};

struct Result {
  std::vector<Line> lines;
  std::vector<Problem> problems;
};

/// Hands out a text in pieces of a fixed size.
class PieceInput : public Input {
 public:
  PieceInput(std::string_view text, std::size_t piece) : text_(text), piece_(piece) {}
  [[nodiscard]] std::string_view name() const noexcept override { return "x.collapsed"; }
  [[nodiscard]] std::optional<std::uint64_t> size() const noexcept override { return {}; }
  std::size_t read(std::span<std::byte> buffer) override {
    const std::size_t count = std::min({piece_, buffer.size(), text_.size()});
    std::copy_n(as_bytes(text_).begin(), count, buffer.begin());
    text_.remove_prefix(count);
    return count;
  }

 private:
  std::string_view text_;
  std::size_t piece_;
};

Result read_text(std::string_view text, const Limits& limits = {}, std::size_t piece = 1 << 20) {
  PieceInput input(text, piece);
  Result result;
  read_collapsed(
      input, limits,
      [&](const CollapsedLine& line) {
        result.lines.push_back({{line.frames.begin(), line.frames.end()}, line.count});
      },
      [&](const Problem& problem) { result.problems.push_back(problem); });
  return result;
}

void check_problem(const Problem& problem, ErrorCode code, std::uint64_t offset) {
  CHECK(problem.code == code);
  CHECK(problem.severity == (code == ErrorCode::bad_text ? Severity::note : Severity::problem));
  CHECK(problem.offset == offset);
  CHECK(problem.file == "x.collapsed");
  CHECK(problem.chunk == 0);
  CHECK(problem.count == 1);
}

bool looks(std::string_view text) { return looks_like_collapsed(as_bytes(text)); }

}  // namespace

TEST_CASE("read_collapsed splits at semicolons and at the last space") {
  const Result result = read_text("a;b;c 3\na;b c 1 2\nx 18446744073709551615\n");
  CHECK(result.lines == std::vector<Line>{{{"a", "b", "c"}, 3},
                                          {{"a", "b c 1"}, 2},
                                          {{"x"}, 18446744073709551615U}});
  CHECK(result.problems.empty());
}

TEST_CASE("read_collapsed drops a carriage return before the line feed, comments, empty lines") {
  const Result result = read_text("# made by hand 7\r\na;b 1\r\n\r\n\nc 2\r");
  CHECK(result.lines == std::vector<Line>{{{"a", "b"}, 1}, {{"c"}, 2}});
  CHECK(result.problems.empty());
}

TEST_CASE("read_collapsed keeps frames without text, stacks with number 0 and NUL in names") {
  using namespace std::string_literals;
  const Result result = read_text("a;;b 0\n 5\nx\0y 1\n"s);
  CHECK(result.lines == std::vector<Line>{{{"a", "", "b"}, 0}, {{""}, 5}, {{"x\0y"s}, 1}});
}

TEST_CASE("read_collapsed undoes the replacements of the writer") {
  const Result result = read_text(
      "\xEF\xBC\x83"
      "a\xCD\xBE"
      "b;c\xE2\x90\xA4\xE2\x90\x8D;d 1\n");
  CHECK(result.lines == std::vector<Line>{{{"#a;b", "c\n\r", "d"}, 1}});
}

TEST_CASE("a line without a usable number is a problem at its byte position") {
  for (const std::string line : {"nonumber", "a;b x", "a;b 1.5", "a;b +1", "a;b ", "a;b 0x1",
                                 "a;b 18446744073709551616", "a;b 1 ", " "}) {
    CAPTURE(line);
    const Result result = read_text("a 1\n" + line + "\nb 2\n");
    CHECK(result.lines == std::vector<Line>{{{"a"}, 1}, {{"b"}, 2}});
    REQUIRE(result.problems.size() == 1);
    check_problem(result.problems[0], ErrorCode::bad_collapsed_line, 4);
    CHECK(result.problems[0].message ==
          "a line of collapsed stacks does not end in a space and a number from 0 to 2^64-1: the "
          "line was left out");
  }
}

TEST_CASE("a negative number is a problem of its own") {
  const Result result = read_text("a;b -3\na 1");
  CHECK(result.lines == std::vector<Line>{{{"a"}, 1}});
  REQUIRE(result.problems.size() == 1);
  check_problem(result.problems[0], ErrorCode::bad_collapsed_line, 0);
  CHECK(result.problems[0].message ==
        "a line of collapsed stacks has a negative number: the line was left out");
}

TEST_CASE("bytes that are no UTF-8 are repaired, with a note") {
  const Result result = read_text("a 1\nb\xFF;c 2\n");
  CHECK(result.lines == std::vector<Line>{{{"a"}, 1}, {{"b\xEF\xBF\xBD", "c"}, 2}});
  REQUIRE(result.problems.size() == 1);
  check_problem(result.problems[0], ErrorCode::bad_text, 4);
}

TEST_CASE("read_collapsed does not depend on how the input is cut into pieces") {
  const std::string text =
      "# c\na;b;c 3\r\nbad\n\xEF\xBC\x83x\xCD\xBEy;z 4\n-\n\xC3\xA4;\xF0\x9F\x94\xA5 5\nlast 6";
  const Result whole = read_text(text);
  REQUIRE(whole.lines.size() == 4);
  REQUIRE(whole.problems.size() == 2);
  for (std::size_t piece = 1; piece < text.size(); ++piece) {
    CAPTURE(piece);
    const Result result = read_text(text, {}, piece);
    CHECK(result.lines == whole.lines);
    REQUIRE(result.problems.size() == 2);
    CHECK(result.problems[0].offset == 13);
    CHECK(result.problems[1].offset == whole.problems[1].offset);
  }
}

TEST_CASE("every beginning of a text is read without harm") {
  const std::string text =
      "a;b\xCD\xBE"
      "c 12\r\n#x\n;; 7\n";
  for (std::size_t size = 0; size <= text.size(); ++size) {
    const Result result = read_text(text.substr(0, size), {}, 3);
    CHECK(result.lines.size() + result.problems.size() <= 4);
  }
}

TEST_CASE("a line longer than string_bytes is left out, the next ones are read") {
  Limits limits;
  limits.string_bytes = 10;
  const Result result = read_text("a;b;c;d 10\na;b;c;d;e 1\nx 1\naaaaaaaaa 1", limits, 4);
  CHECK(result.lines == std::vector<Line>{{{"a", "b", "c", "d"}, 10}, {{"x"}, 1}});
  REQUIRE(result.problems.size() == 2);
  check_problem(result.problems[0], ErrorCode::limit_exceeded, 11);
  check_problem(result.problems[1], ErrorCode::limit_exceeded, 27);
  CHECK(result.problems[0].message == result.problems[1].message);
}

TEST_CASE("a stack deeper than stack_frames keeps the frames nearest to the root") {
  Limits limits;
  limits.stack_frames = 3;
  const Result result = read_text("a;b;c 1\na;b;c;d;e 2\n", limits);
  CHECK(result.lines == std::vector<Line>{{{"a", "b", "c"}, 1}, {{"a", "b", "c"}, 2}});
  REQUIRE(result.problems.size() == 1);
  check_problem(result.problems[0], ErrorCode::limit_exceeded, 8);
}

TEST_CASE("read_collapsed reads a line of depth 100,000 that is longer than one piece") {
  std::string line = "root";
  for (int i = 0; i < 99'999; ++i) {
    line += ";com.example.Recursion.step";
  }
  const Result result = read_text(line + " 9\nb 1\n", {}, 10'000);
  REQUIRE(result.lines.size() == 2);
  CHECK(result.lines[0].frames.size() == 100'000);
  CHECK(result.lines[0].frames.back() == "com.example.Recursion.step");
  CHECK(result.lines[0].count == 9);
  CHECK(result.problems.empty());
}

TEST_CASE("an exception of a callback ends the reading") {
  PieceInput input("a 1\nb 2\n", 100);
  std::size_t lines = 0;
  const auto stop = [&](const CollapsedLine&) {
    ++lines;
    throw std::runtime_error("enough");
  };
  CHECK_THROWS_AS(read_collapsed(input, {}, stop, [](const Problem&) {}), std::runtime_error);
  CHECK(lines == 1);
}

TEST_CASE("looks_like_collapsed accepts stacks, comments and a deep stack's beginning") {
  CHECK(looks("a;b;c 3\n"));
  CHECK(looks("main 1"));
  CHECK(looks("# comment\r\na;b 3\r\n"));
  CHECK(looks("# only a comment\n"));
  CHECK(looks("a broken line\na;b 3\n"));
  CHECK(looks("a;b -3\n"));
  CHECK(looks("java.lang.Thread.run;com.example.Main.mai"));
  CHECK(looks("# comment\njava.lang.Thread.run;com.example.Main.mai"));
}

TEST_CASE("looks_like_collapsed refuses what is something else") {
  using namespace std::string_literals;
  CHECK_FALSE(looks(""));
  CHECK_FALSE(looks("\n\n"));
  CHECK_FALSE(looks("FLR\0\0\2\0\0\0\0;\0\0\0\0"s));
  CHECK_FALSE(looks("<!DOCTYPE html>\n<title>x</title>\n"));
  CHECK_FALSE(looks("{\"a\": 1}\n"));
  CHECK_FALSE(looks("hello world"));
  CHECK_FALSE(looks("\x1f\x8b\x08;;;;"));
}
