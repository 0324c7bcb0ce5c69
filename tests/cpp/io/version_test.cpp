#include <doctest/doctest.h>
#include <jfrtree/version.hpp>

#include <string>

TEST_CASE("version() is the three numbers of the header with dots between them") {
  const std::string expected = std::to_string(JFRTREE_VERSION_MAJOR) + '.' +
                               std::to_string(JFRTREE_VERSION_MINOR) + '.' +
                               std::to_string(JFRTREE_VERSION_PATCH);
  CHECK(jfrtree::version() == expected);
}
