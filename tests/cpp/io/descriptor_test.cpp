#include "io/descriptor.hpp"

#include <doctest/doctest.h>

#include <jfrtree/error.hpp>
#include <jfrtree/output.hpp>

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <string>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <pthread.h>

#include "io/bytes.hpp"
#include "io/compressed.hpp"
#include "io/pipe.hpp"
#include "io/temporary_folder.hpp"

namespace jfrtree::internal {
namespace {

std::string read_to_end(const Descriptor& descriptor) {
  std::string text;
  std::array<std::byte, 10'000> buffer{};
  while (const std::size_t count = read_some(descriptor, buffer, "pipe")) {
    text += as_text({buffer.data(), count});
  }
  return text;
}

}  // namespace

TEST_CASE("Descriptor closes what it owns, once") {
  int number = -1;
  {
    Descriptor first = open_descriptor("/dev/null", O_RDONLY);
    REQUIRE(first.is_open());
    number = first.number();
    Descriptor second = std::move(first);
    CHECK_FALSE(first.is_open());  // NOLINT(bugprone-use-after-move): promised to be closed
    CHECK(test::is_open(number));
    { const Descriptor borrowed(number, false); }
    CHECK(test::is_open(number));
    Descriptor third;
    third = std::move(second);
    CHECK(test::is_open(number));
  }
  CHECK_FALSE(test::is_open(number));
  Descriptor closed;
  CHECK(closed.close() == 0);
}

TEST_CASE("throw_io_error tells the file, the action and the reason") {
  CHECK_THROWS_WITH_AS(throw_io_error("a.jfr", "cannot open", ENOENT),
                       "a.jfr: cannot open: No such file or directory", IoError);
  CHECK_THROWS_WITH_AS(throw_io_error("", "what it is"), "what it is", IoError);
}

TEST_CASE("read and write: the errors of the system") {
  std::array<std::byte, 10> buffer{};
  const Descriptor folder = open_descriptor("/", O_RDONLY);
  CHECK_THROWS_WITH_AS(static_cast<void>(read_some(folder, buffer, "f")),
                       "f: cannot read: Is a directory", IoError);
  CHECK_THROWS_WITH_AS(static_cast<void>(read_all_at(folder, 0, buffer, "f")),
                       "f: cannot read: Is a directory", IoError);
  const Descriptor full = open_descriptor("/dev/full", O_WRONLY);
  CHECK_THROWS_WITH_AS(write_all(full, "x", "f"), "f: cannot write: No space left on device",
                       IoError);
  CHECK_NOTHROW(write_all(full, "", "f"));
  CHECK_FALSE(open_descriptor("/no/such/file", O_RDONLY).is_open());
}

TEST_CASE("write_all: a reader that went away") {
  const test::SignalHandling ignored(SIGPIPE, SIG_IGN);
  test::Pipe pipe;
  pipe.reader.close();
  CHECK_THROWS_AS(write_all(pipe.writer, "x", "pipe"), ClosedPipe);
}

TEST_CASE("write_all and read_some go on after signals") {
  static std::atomic<int> signals;
  signals = 0;
  const test::SignalHandling handled(SIGUSR1, [](int) { ++signals; });
  test::Pipe pipe;
  const std::string text = test::noise(1'000'000);
  const pthread_t main_thread = ::pthread_self();
  std::string received;
  std::thread other([&] {
    // The writer waits for room in the pipe now; let it be interrupted there.
    for (int count = 0; count < 5; ++count) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      ::pthread_kill(main_thread, SIGUSR1);
    }
    received = read_to_end(pipe.reader);
  });
  write_all(pipe.writer, text, "pipe");
  pipe.writer.close();
  other.join();
  CHECK(received == text);
  CHECK(signals > 0);
}

TEST_CASE("write_all and read_some wait where the descriptor does not block") {
  test::Pipe pipe(O_NONBLOCK);
  const std::string text = test::noise(1'000'000);
  std::thread writer([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    write_all(pipe.writer, text, "pipe");
    pipe.writer.close();
  });
  const std::string received = read_to_end(pipe.reader);
  writer.join();
  CHECK(received == text);
}

TEST_CASE("read_some, write_all and opening end their wait when a stop is asked for") {
  const test::SignalHandling ignored(SIGPIPE, SIG_IGN);
  std::atomic<bool> stop = false;
  const StopFlag flag(&stop);
  std::thread asker([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    stop = true;
  });
  std::array<std::byte, 10> buffer{};
  test::Pipe pipe;
  CHECK_THROWS_AS(static_cast<void>(read_some(pipe.reader, buffer, "pipe", flag)), Interrupted);
  asker.join();
  stop = false;
  asker = std::thread([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    stop = true;
  });
  CHECK_THROWS_AS(write_all(pipe.writer, test::noise(1'000'000), "pipe", flag), Interrupted);
  asker.join();
  stop = false;
  asker = std::thread([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    stop = true;
  });
  const test::TemporaryFolder folder;
  const std::string path = folder.path("pipe");
  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  CHECK_THROWS_AS(static_cast<void>(open_stream_descriptor(path, O_WRONLY, flag)), Interrupted);
  asker.join();
}

TEST_CASE("a named pipe is waited for at both ends while nobody asks for a stop") {
  const test::TemporaryFolder folder;
  const std::string path = folder.path("pipe");
  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  const std::atomic<bool> stop = false;
  const std::string text = test::noise(1'000'000);
  for (const bool reader_is_late : {false, true}) {
    CAPTURE(reader_is_late);
    const auto wait = [](bool is_late) {
      if (is_late) std::this_thread::sleep_for(std::chrono::milliseconds(120));
    };
    std::thread writer([&] {
      wait(!reader_is_late);
      write_all(open_stream_descriptor(path, O_WRONLY, StopFlag(&stop)), text, path,
                StopFlag(&stop));
    });
    wait(reader_is_late);
    const Descriptor reader = open_stream_descriptor(path, O_RDONLY, StopFlag(&stop));
    std::string received;
    std::array<std::byte, 10'000> buffer{};
    while (const std::size_t count = read_some(reader, buffer, path, StopFlag(&stop))) {
      received += as_text({buffer.data(), count});
    }
    writer.join();
    CHECK(received == text);
  }
}

TEST_CASE("read_all_at: positions up to and beyond the end") {
  const test::TemporaryFolder folder;
  const Descriptor file = open_descriptor(folder.file("digits", "0123456789"), O_RDONLY);
  std::array<std::byte, 4> buffer{};
  CHECK(read_all_at(file, 3, buffer, "f") == 4);
  CHECK(as_text(buffer) == "3456");
  CHECK(read_all_at(file, 8, buffer, "f") == 2);
  CHECK(read_all_at(file, 10, buffer, "f") == 0);
  CHECK(read_all_at(file, ~std::uint64_t{0}, buffer, "f") == 0);
  CHECK(read_all_at(file, (~std::uint64_t{0}) >> 1, buffer, "f") == 0);
}

}  // namespace jfrtree::internal
