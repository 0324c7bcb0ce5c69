#include "io/temporary_file.hpp"

#include <doctest/doctest.h>

#include <jfrtree/error.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "io/temporary_folder.hpp"

namespace jfrtree::internal {

TEST_CASE("TemporaryFile takes the place of its target, or leaves nothing") {
  const test::TemporaryFolder folder;
  const std::string target = folder.file("target", "old");
  {
    TemporaryFile file(target, std::nullopt, target);
    const Descriptor descriptor = file.take_descriptor();
    write_all(descriptor, "new", target);
    CHECK(folder.entries() == 2);
  }
  CHECK(folder.entries() == 1);
  CHECK(folder.contents("target") == "old");
  {
    TemporaryFile file(target, std::nullopt, target);
    write_all(file.take_descriptor(), "new", target);
    TemporaryFile moved = std::move(file);
    moved.rename_to_target(target);
  }
  CHECK(folder.entries() == 1);
  CHECK(folder.contents("target") == "new");
}

TEST_CASE("TemporaryFile: two for one target do not meet") {
  const test::TemporaryFolder folder;
  const TemporaryFile first(folder.path("target"), std::nullopt, "name");
  const TemporaryFile second(folder.path("target"), std::nullopt, "name");
  CHECK(folder.entries() == 2);
}

TEST_CASE("TemporaryFile: a folder that does not exist, a target that is a folder") {
  const test::TemporaryFolder folder;
  const std::string inside = folder.path("missing/");
  CHECK_THROWS_WITH_AS(
      TemporaryFile(inside + "target", std::nullopt, "name"),
      ("name: cannot create a file in " + inside + ": No such file or directory").c_str(), IoError);

  std::filesystem::create_directory(folder.path("sub"));
  {
    TemporaryFile file(folder.path("sub"), std::nullopt, "name");
    CHECK_THROWS_AS(file.rename_to_target("name"), IoError);
  }
  CHECK(folder.entries() == 1);
}

}  // namespace jfrtree::internal
