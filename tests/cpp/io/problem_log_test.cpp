#include "io/problem_log.hpp"

#include <doctest/doctest.h>

#include <string>

namespace jfrtree::internal {

TEST_CASE("ProblemLog counts equal findings of a chunk and keeps the first place") {
  ProblemLog log("a.jfr", 2);
  log.problem(ErrorCode::bad_event, 300, "a size of 0");
  log.problem(ErrorCode::bad_event, 200, "a size of 0", 3);
  log.problem(ErrorCode::bad_event, 100, "a size beyond the end");
  log.note(ErrorCode::bad_text, no_position, "repaired");
  log.set_chunk(3);
  log.problem(ErrorCode::bad_event, 900, "a size of 0");

  REQUIRE(log.entries().size() == 4);
  const Problem& first = log.entries()[0];
  CHECK(first.code == ErrorCode::bad_event);
  CHECK(first.severity == Severity::problem);
  CHECK(first.file == "a.jfr");
  CHECK(first.chunk == 2);
  CHECK(first.offset == 200);
  CHECK(first.count == 4);
  CHECK(log.entries()[1].count == 1);
  CHECK(log.entries()[2].severity == Severity::note);
  CHECK(log.entries()[2].offset == no_position);
  CHECK(log.entries()[3].chunk == 3);
}

TEST_CASE("ProblemLog is bounded, and nothing goes uncounted") {
  ProblemLog log;
  for (std::size_t number = 0; number < ProblemLog::max_entries; ++number) {
    log.note(ErrorCode::bad_text, number, std::to_string(number));
  }
  log.problem(ErrorCode::bad_event, 5, "one too many", 10);
  REQUIRE(log.entries().size() == ProblemLog::max_entries);
  CHECK(log.entries().back().count == 11);
  CHECK(log.entries().back().severity == Severity::problem);
}

TEST_CASE("ProblemLog takes over the entries of another") {
  ProblemLog all("a.jfr");
  all.note(ErrorCode::odd_metadata, 1, "first");
  ProblemLog chunk("b.jfr", 7);
  chunk.problem(ErrorCode::bad_event, 2, "second");
  all.append(chunk);
  REQUIRE(all.entries().size() == 2);
  CHECK(all.entries()[1].file == "b.jfr");
  CHECK(all.entries()[1].chunk == 7);
}

}  // namespace jfrtree::internal
