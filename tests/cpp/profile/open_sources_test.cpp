#include <jfrtree/profile.hpp>

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "io/temporary_folder.hpp"
#include "profile/reading.hpp"
#include "profile/repository_folder.hpp"
#include "support/scenarios.hpp"

using namespace jfrtree;
using namespace jfrtree::test;

namespace {

std::string recording_at(std::int64_t start_ns) {
  const Bytes bytes = three_samples().start_nanos(start_ns).bytes();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::vector<std::string> paths_of(const std::vector<std::string>& arguments) {
  std::vector<std::string> paths;
  for (const Source& source : open_sources(arguments)) {
    CHECK(source.input == nullptr);
    paths.push_back(source.path);
  }
  return paths;
}

}  // namespace

TEST_CASE("open_sources keeps paths as they are, opens nothing, and takes - as standard input") {
  CHECK(paths_of({"b.jfr", "/no/such/a.jfr", "-"}) ==
        std::vector<std::string>{"b.jfr", "/no/such/a.jfr", "-"});
  CHECK(paths_of({}).empty());
}

TEST_CASE("a folder stands for its .jfr files by the start of their first chunk, then by name") {
  const TemporaryFolder folder;
  const std::vector<std::string> expected{
      folder.file("z.jfr", recording_at(1'000)), folder.file("b.jfr", recording_at(2'000)),
      folder.file("c.jfr", recording_at(2'000)), folder.file("a.jfr", recording_at(3'000))};
  (void)folder.file("notes.txt", "no recording");
  (void)folder.file("old.jfr.part", recording_at(1));
  CHECK(paths_of({folder.path("")}) == expected);
  CHECK(internal::recordings_in_folder(folder.path("")) == expected);
}

TEST_CASE("files of a folder without a readable header come last") {
  const TemporaryFolder folder;
  const std::string broken = folder.file("a.jfr", "nothing of the kind");
  const std::string empty = folder.file("b.jfr", "");
  const std::string good = folder.file("c.jfr", recording_at(5'000));
  CHECK(paths_of({folder.path("")}) == std::vector<std::string>{good, broken, empty});
}

TEST_CASE("compressed recordings of a folder are read, hidden files are not") {
  const TemporaryFolder folder;
  const std::string gzip = folder.file("a.jfr.gz", "not looked into");
  const std::string zstd = folder.file("b.JFR.ZST", "not looked into");
  (void)folder.file(".c.jfr", recording_at(1));
  (void)folder.file("._d.jfr", recording_at(1));
  (void)folder.file("e.gz", "of something else");
  CHECK(paths_of({folder.path("")}) == std::vector<std::string>{gzip, zstd});
}

TEST_CASE("a folder without recordings stands for the folders in it, one level down") {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder.path("late/deep"));
  std::filesystem::create_directories(folder.path("early"));
  std::filesystem::create_directories(folder.path(".hidden"));
  const std::string late = folder.file("late/a.jfr", recording_at(9'000));
  const std::string early = folder.file("early/b.jfr", recording_at(1'000));
  (void)folder.file("late/deep/c.jfr", recording_at(2'000));
  (void)folder.file(".hidden/d.jfr", recording_at(2'000));
  CHECK(paths_of({folder.path("")}) == std::vector<std::string>{early, late});
  const std::string top = folder.file("top.jfr", recording_at(5'000));
  CHECK(paths_of({folder.path("")}) == std::vector<std::string>{top});
}

TEST_CASE("files that look like unfinished copies are passed over with a note") {
  const TemporaryFolder folder;
  (void)folder.file("a.jfr", recording_at(1));
  const std::vector<std::string> paths{folder.path("")};
  std::vector<Problem> found;
  (void)open_sources(paths, &found);
  CHECK(found.empty());
  (void)folder.file("b.jfr.part", recording_at(1));
  (void)folder.file("c.jfr.tmp", recording_at(1));
  (void)folder.file("notes.txt", "no recording");
  (void)open_sources(paths, &found);
  REQUIRE(found.size() == 1);
  CHECK(found[0].code == ErrorCode::left_out);
  CHECK(found[0].severity == Severity::note);
  CHECK(found[0].count == 2);
  CHECK(found[0].message.ends_with("b.jfr.part"));
}

TEST_CASE("a file with several names in a folder is read once, under one that is no link") {
  const TemporaryFolder folder;
  const std::string first = folder.file("b.jfr", recording_at(1));
  const std::string other = folder.file("d.jfr", recording_at(1));
  std::filesystem::create_symlink("b.jfr", folder.path("a.jfr"));
  std::filesystem::create_hard_link(first, folder.path("c.jfr"));
  std::filesystem::create_symlink("nowhere", folder.path("e.jfr"));
  const std::vector<std::string> paths{folder.path("")};
  std::vector<Problem> found;
  std::vector<std::string> sources;
  for (const Source& source : open_sources(paths, &found)) sources.push_back(source.path);
  CHECK(sources == std::vector<std::string>{first, other, folder.path("e.jfr")});
  REQUIRE(found.size() == 1);
  CHECK(found[0].code == ErrorCode::left_out);
  CHECK(found[0].severity == Severity::note);
  CHECK(found[0].count == 2);
  CHECK(found[0].message.ends_with("a.jfr"));
}

TEST_CASE("a file that is named twice is read twice, with a note") {
  const TemporaryFolder folder;
  const std::string file = folder.file("a.jfr", recording_at(1));
  std::filesystem::create_symlink("a.jfr", folder.path("b.jfr"));
  for (const std::string& other : {file, folder.path("b.jfr"), folder.path("")}) {
    const std::vector<std::string> paths{file, other};
    std::vector<Problem> found;
    CHECK(open_sources(paths, &found).size() == 2);
    REQUIRE(!found.empty());
    CHECK(found.back().code == ErrorCode::repeated_chunk);
    CHECK(found.back().severity == Severity::note);
    CHECK(found.back().file == other.substr(0, other.rfind('/') + 1) +
                                   (other == folder.path("b.jfr") ? "b.jfr" : "a.jfr"));
  }
}

TEST_CASE("folders with recordings below one that has recordings are passed over with a note") {
  const TemporaryFolder folder;
  const std::string top = folder.file("top.jfr", recording_at(1));
  std::filesystem::create_directories(folder.path("empty"));
  std::filesystem::create_directories(folder.path("late"));
  std::filesystem::create_directories(folder.path("early"));
  (void)folder.file("late/a.jfr", recording_at(2));
  (void)folder.file("early/a.jfr", recording_at(2));
  const std::vector<std::string> paths{folder.path("")};
  std::vector<Problem> found;
  CHECK(open_sources(paths, &found).size() == 1);
  REQUIRE(found.size() == 1);
  CHECK(found[0].code == ErrorCode::left_out);
  CHECK(found[0].severity == Severity::note);
  CHECK(found[0].count == 2);
  CHECK(found[0].message.ends_with("early"));
}

TEST_CASE("folders and files may be mixed") {
  const TemporaryFolder folder;
  const std::string inside = folder.file("in.jfr", recording_at(1));
  CHECK(paths_of({"x.jfr", folder.path(""), "y.jfr"}) ==
        std::vector<std::string>{"x.jfr", inside, "y.jfr"});
}

TEST_CASE("a folder without a recording is an error") {
  const TemporaryFolder folder;
  (void)folder.file("notes.txt", "no recording");
  const std::vector<std::string> paths{folder.path("")};
  CHECK_THROWS_AS((void)open_sources(paths), IoError);
  CHECK_THROWS_AS((void)internal::recordings_in_folder(folder.path("missing")), IoError);
}
