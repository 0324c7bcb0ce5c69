#include <doctest/doctest.h>
#include <jfrtree/error.hpp>
#include <jfrtree/input.hpp>

#include <array>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/bytes.hpp"
#include "io/compressed.hpp"
#include "io/pipe.hpp"
#include "io/temporary_folder.hpp"

namespace jfrtree::test {

TEST_CASE("open_input: a regular file is read from anywhere") {
  const TemporaryFolder folder;
  const std::string text = noise(100'000);
  const std::string path = folder.file("a.jfr", text);
  const auto input = open_input(path);
  CHECK(input->name() == path);
  CHECK(input->size() == text.size());
  CHECK(input->container() == "plain");
  CHECK(input->bytes().empty());
  std::array<std::byte, 10> buffer{};
  CHECK(input->read_at(99'995, buffer) == 5);
  CHECK(input->read_at(100'000, buffer) == 0);
  CHECK(read_contents(*input, 999).text == text);
  const auto mapped = input->map(5, 1000);
  REQUIRE(mapped != nullptr);
  CHECK(internal::as_text({mapped.get(), 1000}) == text.substr(5, 1000));
}

TEST_CASE("open_input: read_at by several threads at once") {
  const TemporaryFolder folder;
  const std::string text = noise(1 << 20);
  const auto input = open_input(folder.file("a.jfr", text));
  std::array<int, 4> wrong{};
  std::vector<std::thread> threads;
  for (std::size_t number = 0; number < wrong.size(); ++number) {
    threads.emplace_back([&, number] {
      std::vector<std::byte> buffer(1000);
      for (std::size_t round = 0; round < 1000; ++round) {
        const std::size_t offset = (number * 7919 + round * 104'729) % (text.size() - 1000);
        if (input->read_at(offset, buffer) != 1000 ||
            internal::as_text(buffer) != std::string_view(text).substr(offset, 1000)) {
          ++wrong[number];
        }
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  CHECK(wrong == std::array<int, 4>{});
}

TEST_CASE("open_input: a file that changes its size while it is read") {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.jfr", "0123456789");
  const auto input = open_input(path);
  std::array<std::byte, 100> buffer{};
  CHECK(::truncate(path.c_str(), 50) == 0);
  CHECK(input->read_at(0, buffer) == 10);
  CHECK(::truncate(path.c_str(), 4) == 0);
  CHECK(input->read_at(0, buffer) == 4);
  CHECK(input->map(0, 10) == nullptr);
  CHECK(read_contents(*input).text == "0123");
}

TEST_CASE("open_input: what cannot be opened says why") {
  const TemporaryFolder folder;
  const std::string missing = folder.path("missing.jfr");
  CHECK_THROWS_WITH_AS(static_cast<void>(open_input(missing)),
                       (missing + ": cannot open: No such file or directory").c_str(), IoError);
  const std::string here = folder.path(".");
  CHECK_THROWS_WITH_AS(static_cast<void>(open_input(here)),
                       (here + ": this is a folder; name the recordings in it").c_str(), IoError);
  CHECK_THROWS_AS(static_cast<void>(open_input("")), IoError);
  CHECK_THROWS_AS(static_cast<void>(open_input(std::string("/dev/zero\0.jfr", 14))), IoError);

  const std::string empty = folder.file("empty.jfr", "");
  CHECK_THROWS_WITH_AS(static_cast<void>(open_input(empty)),
                       (empty + ": the input is empty").c_str(), FormatError);
  CHECK_THROWS_AS(static_cast<void>(open_input("/dev/null")), FormatError);
}

TEST_CASE("open_input: compressed files are found by their bytes, not by their names") {
  const TemporaryFolder folder;
  const std::string text = sample_text(1000);
  const auto input = open_input(folder.file("a.jfr", gzip(text)));
  CHECK(input->container() == "gzip");
  CHECK_FALSE(input->size().has_value());
  CHECK(read_contents(*input).text == text);
  CHECK(read_contents(*open_input(folder.file("b.gz", zstd(text)))).text == text);
  CHECK(read_contents(*open_input(folder.file("c.zip", text))).text == text);

  Limits limits;
  limits.decompressed_bytes = 100;
  const auto limited = open_input(folder.path("a.jfr"), limits);
  CHECK(read_contents(*limited).error == ErrorCode::limit_exceeded);
}

TEST_CASE("open_input: files of /proc have bytes though they claim none") {
  const auto input = open_input("/proc/self/status");
  CHECK(read_contents(*input).text.find("Name:") != std::string::npos);
}

TEST_CASE("open_input: a named pipe is a stream") {
  const TemporaryFolder folder;
  const std::string path = folder.path("pipe");
  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  const std::string text = noise(200'000);
  std::thread writer(
      [&] { internal::write_all(internal::open_descriptor(path, O_WRONLY), text, path); });
  const auto input = open_input(path);
  const Contents contents = read_contents(*input);
  writer.join();
  CHECK(input->name() == path);
  CHECK_FALSE(input->size().has_value());
  CHECK(contents.text == text);
}

TEST_CASE("open_input: - is standard input, which stays open") {
  Pipe pipe;
  internal::write_all(pipe.writer, gzip("from a pipe"), "pipe");
  pipe.writer.close();
  const Redirection redirection(STDIN_FILENO, pipe.reader);
  {
    const auto input = open_input("-");
    CHECK(input->name() == "-");
    CHECK(input->container() == "gzip");
    CHECK(read_contents(*input).text == "from a pipe");
  }
  CHECK(is_open(STDIN_FILENO));
  CHECK_THROWS_WITH_AS(static_cast<void>(open_input("-")), "-: the input is empty", FormatError);
}

}  // namespace jfrtree::test
