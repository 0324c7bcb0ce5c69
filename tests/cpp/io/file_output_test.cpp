#include <doctest/doctest.h>
#include <jfrtree/error.hpp>
#include <jfrtree/output.hpp>

#include <array>
#include <filesystem>
#include <string>
#include <thread>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/bytes.hpp"
#include "io/compressed.hpp"
#include "io/pipe.hpp"
#include "io/temporary_folder.hpp"

namespace jfrtree::test {
namespace {

unsigned mode_of(const std::string& path) {
  struct stat status {};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  return status.st_mode & 07777U;
}

void write_file(const std::string& path, std::string_view text) {
  const auto output = open_output(path);
  output->write(text);
  output->commit();
}

std::string read_to_end(const internal::Descriptor& descriptor) {
  std::string text;
  std::array<std::byte, 10'000> buffer{};
  while (const std::size_t count = internal::read_some(descriptor, buffer, "pipe")) {
    text += internal::as_text({buffer.data(), count});
  }
  return text;
}

}  // namespace

TEST_CASE("open_output: nothing is seen before commit, and only the file after it") {
  const TemporaryFolder folder;
  const std::string path = folder.path("out");
  {
    const auto output = open_output(path);
    output->write("text");
    output->write(std::string(200'000, 'x'));
    CHECK_FALSE(std::filesystem::exists(path));
    output->commit();
    CHECK(folder.contents("out") == "text" + std::string(200'000, 'x'));
  }
  CHECK(folder.entries() == 1);
  write_file(folder.path("empty"), "");
  CHECK(std::filesystem::exists(folder.path("empty")));
  CHECK(folder.entries() == 2);
}

TEST_CASE("open_output: pieces of all sizes come out in their order") {
  const TemporaryFolder folder;
  const std::string text = noise(500'000);
  std::string expected;
  const auto output = open_output(folder.path("out"));
  for (const std::size_t size : std::initializer_list<std::size_t>{1, 65'535, 65'536, 10, 65'530,
                                                                   100'000, 0, 3, 60'000, 70'000}) {
    output->write(std::string_view(text).substr(expected.size(), size));
    expected += text.substr(expected.size(), size);
  }
  output->commit();
  CHECK(folder.contents("out") == expected);
}

TEST_CASE("open_output: without commit a file stays as it was") {
  const TemporaryFolder folder;
  const std::string path = folder.file("out", "old");
  {
    const auto output = open_output(path);
    output->write(std::string(100'000, 'x'));
  }
  CHECK(folder.contents("out") == "old");
  CHECK(folder.entries() == 1);
}

TEST_CASE("open_output: a write that fails leaves the old file alone") {
  const TemporaryFolder folder;
  const std::string path = folder.file("out", "old");
  const SignalHandling ignored(SIGXFSZ, SIG_IGN);
  rlimit before{};
  REQUIRE(::getrlimit(RLIMIT_FSIZE, &before) == 0);
  rlimit small = before;
  small.rlim_cur = 1000;
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &small) == 0);
  std::string large_piece;
  std::string at_commit;
  try {
    open_output(path)->write(std::string(100'000, 'x'));
  } catch (const IoError& error) {
    large_piece = error.what();
  }
  try {
    write_file(path, std::string(2'000, 'x'));
  } catch (const IoError& error) {
    at_commit = error.what();
  }
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &before) == 0);
  CHECK(large_piece == path + ": cannot write: File too large");
  CHECK(at_commit == path + ": cannot write: File too large");
  CHECK(folder.contents("out") == "old");
  CHECK(folder.entries() == 1);
}

TEST_CASE("open_output: permissions are those of the old file, or of any new one") {
  const TemporaryFolder folder;
  const std::string old = folder.file("old", "");
  REQUIRE(::chmod(old.c_str(), 0604) == 0);
  write_file(old, "new");
  CHECK(mode_of(old) == 0604);

  const mode_t umask_before = ::umask(027);
  write_file(folder.path("new"), "new");
  ::umask(umask_before);
  CHECK(mode_of(folder.path("new")) == 0640);
}

TEST_CASE("open_output: a file that may not be written is not replaced" *
          doctest::skip(::geteuid() == 0)) {
  const TemporaryFolder folder;
  const std::string path = folder.file("out", "old");
  REQUIRE(::chmod(path.c_str(), 0444) == 0);
  CHECK_THROWS_AS(static_cast<void>(open_output(path)), IoError);
}

TEST_CASE("open_output: symbolic links stay, their targets are replaced") {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path("sub"));
  std::filesystem::create_symlink("sub/target", folder.path("first"));
  std::filesystem::create_symlink(folder.path("first"), folder.path("second"));
  for (const std::string text : {"into a missing target", "into an existing target"}) {
    write_file(folder.path("second"), text);
    CHECK(std::filesystem::is_symlink(folder.path("first")));
    CHECK(std::filesystem::is_symlink(folder.path("second")));
    CHECK_FALSE(std::filesystem::is_symlink(folder.path("sub/target")));
    CHECK(folder.contents("sub/target") == text);
  }
  std::filesystem::create_symlink("loop", folder.path("loop"));
  CHECK_THROWS_AS(static_cast<void>(open_output(folder.path("loop"))), IoError);
  CHECK(folder.entries() == 4);
}

TEST_CASE("open_output: what cannot be written says why") {
  const TemporaryFolder folder;
  CHECK_THROWS_WITH_AS(
      static_cast<void>(open_output(folder.path("."))),
      (folder.path(".") + ": cannot write: this is a folder; name a file in it").c_str(), IoError);
  CHECK_THROWS_AS(static_cast<void>(open_output(folder.path("missing/out"))), IoError);
  CHECK_THROWS_AS(static_cast<void>(open_output(folder.file("file", "") + "/out")), IoError);
  CHECK_THROWS_AS(static_cast<void>(open_output("")), IoError);
  CHECK_THROWS_AS(static_cast<void>(open_output(std::string("a\0b", 3))), IoError);
}

TEST_CASE("open_output: devices are written directly, a full one is an error") {
  CHECK_NOTHROW(write_file("/dev/null", std::string(100'000, 'x')));
  CHECK(std::filesystem::is_character_file("/dev/null"));
  CHECK_THROWS_WITH_AS(write_file("/dev/full", "x"),
                       "/dev/full: cannot write: No space left on device", IoError);
  const auto output = open_output("/dev/full");
  CHECK_THROWS_AS(output->write(std::string(100'000, 'x')), IoError);
}

TEST_CASE("open_output: a named pipe is written directly") {
  const TemporaryFolder folder;
  const std::string path = folder.path("pipe");
  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  const std::string text = noise(200'000);
  std::string received;
  std::thread reader([&] { received = read_to_end(internal::open_descriptor(path, O_RDONLY)); });
  write_file(path, text);
  reader.join();
  CHECK(received == text);
  CHECK(folder.entries() == 1);
}

TEST_CASE("open_output: - is standard output, which stays open") {
  const TemporaryFolder folder;
  const internal::Descriptor file =
      internal::open_descriptor(folder.path("stdout"), O_WRONLY | O_CREAT, 0600);
  {
    const Redirection redirection(STDOUT_FILENO, file);
    write_file("-", "first ");
    write_file("-", "second");
    { open_output("-")->write("never committed"); }
  }
  CHECK(folder.contents("stdout") == "first second");
}

TEST_CASE("open_output: /dev/stdout is what is open there") {
  Pipe pipe;
  {
    const Redirection redirection(STDOUT_FILENO, pipe.writer);
    write_file("/dev/stdout", "through a pipe");
    write_file("/proc/self/fd/1", ", twice");
  }
  pipe.writer.close();
  CHECK(read_to_end(pipe.reader) == "through a pipe, twice");

  const TemporaryFolder folder;
  const internal::Descriptor file = internal::open_descriptor(folder.file("stdout", ""), O_WRONLY);
  {
    const Redirection redirection(STDOUT_FILENO, file);
    write_file("/dev/stdout", "into a file");
  }
  CHECK(folder.contents("stdout") == "into a file");
  CHECK(folder.entries() == 1);
}

TEST_CASE("open_output: a reader that went away is no error of writing") {
  const SignalHandling ignored(SIGPIPE, SIG_IGN);
  Pipe pipe;
  pipe.reader.close();
  bool at_commit = false;
  bool large_piece = false;
  {
    const Redirection redirection(STDOUT_FILENO, pipe.writer);
    try {
      write_file("-", "x");
    } catch (const ClosedPipe&) {
      at_commit = true;
    }
    try {
      open_output("-")->write(std::string(100'000, 'x'));
    } catch (const ClosedPipe&) {
      large_piece = true;
    }
  }
  CHECK(at_commit);
  CHECK(large_piece);
}

}  // namespace jfrtree::test
