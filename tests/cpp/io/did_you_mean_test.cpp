#include <jfrtree/error.hpp>

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

using namespace jfrtree;

namespace {

const std::vector<std::string> names = {"jdk.FileRead", "jdk.ThreadPark", "jdk.ThreadSleep",
                                        "info"};

std::string nearest(std::string_view text) { return did_you_mean(text, names); }

}  // namespace

TEST_CASE("did_you_mean finds the name with the fewest letters to change") {
  CHECK(nearest("jdk.ThreadParks") == "; did you mean jdk.ThreadPark?");
  CHECK(nearest("jdk.ThreadSlep") == "; did you mean jdk.ThreadSleep?");
  CHECK(nearest("inof") == "");
  CHECK(nearest("inf") == "; did you mean info?");
}

TEST_CASE("did_you_mean takes capital and small letters for equal") {
  CHECK(nearest("JDK.FILEREAD") == "; did you mean jdk.FileRead?");
  CHECK(nearest("INFO") == "; did you mean info?");
}

TEST_CASE("did_you_mean takes a name without what stands before its last dot") {
  CHECK(nearest("ThreadPark") == "; did you mean jdk.ThreadPark?");
  CHECK(nearest("fileraed") == "; did you mean jdk.FileRead?");
  CHECK(did_you_mean("read", std::vector<std::string>{"app.io.Read"}) ==
        "; did you mean app.io.Read?");
}

TEST_CASE("did_you_mean guesses nothing where more than a third of the letters differ") {
  CHECK(nearest("jdk.CPULoad") == "");
  CHECK(nearest("") == "");
  CHECK(did_you_mean("info", {}) == "");
  CHECK(nearest(std::string(1'000, 'x')) == "");
}
