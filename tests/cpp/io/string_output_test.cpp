#include <doctest/doctest.h>
#include <jfrtree/output.hpp>

#include <string>

namespace jfrtree {

TEST_CASE("string_output appends") {
  std::string text = "before ";
  const auto output = string_output(text);
  output->write("one ");
  output->write("");
  output->write("two");
  output->commit();
  CHECK(text == "before one two");
}

TEST_CASE("ClosedPipe is a standard exception") {
  CHECK(std::string(ClosedPipe().what()) == "the pipe was closed");
}

}  // namespace jfrtree
