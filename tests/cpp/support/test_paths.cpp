#include "support/test_paths.hpp"

#include <cstdlib>
#include <iostream>
#include <stdexcept>

namespace jfrtree::test {
namespace {

std::filesystem::path from_environment(const char* variable, const char* otherwise) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0' ? value : otherwise;
}

}  // namespace

std::filesystem::path testdata_dir() {
  return from_environment("JFRTREE_TESTDATA", JFRTREE_TESTDATA_DIR);
}

std::filesystem::path testdata(std::string_view name) {
  std::filesystem::path path = testdata_dir() / name;
  if (!std::filesystem::exists(path)) {
    throw std::runtime_error("no such file: " + path.string());
  }
  return path;
}

std::optional<std::filesystem::path> recording(std::string_view name) {
  std::filesystem::path path =
      from_environment("JFRTREE_RECORDINGS", JFRTREE_RECORDINGS_DIR) / name;
  if (!std::filesystem::exists(path)) {
    // ctest reads this text and counts the test as skipped.
    std::cout << "SKIPPED: " << path.string() << " is absent" << std::endl;
    return std::nullopt;
  }
  return path;
}

}  // namespace jfrtree::test
