#include <doctest/doctest.h>
#include <jfrtree/error.hpp>

#include <set>
#include <string>
#include <type_traits>

namespace jfrtree {

TEST_CASE("error_code_name: every code has its own stable name") {
  CHECK(error_code_name(ErrorCode::io_error) == "io_error");
  CHECK(error_code_name(ErrorCode::bad_event) == "bad_event");
  CHECK(error_code_name(ErrorCode::bad_compression) == "bad_compression");
  CHECK(error_code_name(ErrorCode::limit_exceeded) == "limit_exceeded");
  CHECK(error_code_name(ErrorCode::lost_samples) == "lost_samples");
  CHECK(error_code_name(ErrorCode::profile_not_found) == "profile_not_found");
  CHECK(error_code_name(ErrorCode::repeated_chunk) == "repeated_chunk");
  CHECK(error_code_name(ErrorCode::bad_argument) == "bad_argument");

  std::set<std::string_view> names;
  const int last = static_cast<int>(ErrorCode::bad_argument);
  for (int code = 0; code <= last; ++code) {
    const std::string_view name = error_code_name(static_cast<ErrorCode>(code));
    CHECK(name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") == std::string_view::npos);
    CHECK(names.insert(name).second);
  }
  CHECK(error_code_name(static_cast<ErrorCode>(last + 1)) == "unknown");
}

TEST_CASE("to_string(Problem) leaves out what is unknown") {
  Problem problem{.file = "a.jfr", .chunk = 2, .offset = 300, .message = "no header"};
  CHECK(to_string(problem) == "a.jfr: chunk 2 at 300: no header");
  problem.offset = no_position;
  CHECK(to_string(problem) == "a.jfr: chunk 2: no header");
  problem.chunk = 0;
  CHECK(to_string(problem) == "a.jfr: no header");
  problem.offset = 0;
  CHECK(to_string(problem) == "a.jfr: at 0: no header");
  problem.file.clear();
  CHECK(to_string(problem) == "at 0: no header");
  problem.offset = no_position;
  CHECK(to_string(problem) == "no header");
}

TEST_CASE("to_string(Problem) is one line that cannot steer a terminal") {
  const Problem problem{.file = "a\nb\x1b[2J.jfr", .message = "type \"\x7fÄ\t\""};
  CHECK(to_string(problem) == "a\\x0ab\\x1b[2J.jfr: type \"\\x7fÄ\\x09\"");
}

TEST_CASE("errors carry their problem and its text") {
  const FormatError error(Problem{.code = ErrorCode::too_short,
                                  .file = "short.jfr",
                                  .offset = 12,
                                  .message = "12 bytes are no chunk"});
  CHECK(std::string(error.what()) == "short.jfr: at 12: 12 bytes are no chunk");
  CHECK(error.code() == ErrorCode::too_short);
  CHECK(error.problem().offset == 12);
  CHECK(error.problem().severity == Severity::problem);

  const UsageError usage("no such option");
  CHECK(std::string(usage.what()) == "no such option");
  CHECK(usage.code() == ErrorCode::bad_argument);
  static_assert(std::is_base_of_v<std::runtime_error, Error>);
}

TEST_CASE("errors are caught by their base") {
  const Problem problem{.file = "a.jfr", .message = "wrong"};
  CHECK_THROWS_AS(throw IoError(problem), Error);
  CHECK_THROWS_AS(throw LimitError(problem), Error);
  CHECK_THROWS_AS(throw ProfileNotFound(problem), Error);
  CHECK_THROWS_AS(throw UsageError("wrong"), Error);
}

}  // namespace jfrtree
