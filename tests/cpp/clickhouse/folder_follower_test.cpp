#include "clickhouse/follow/folder_follower.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <unistd.h>

#include "clickhouse/follow/finished_chunks.hpp"
#include "support/standard_chunk.hpp"

using namespace jfrtree;
using namespace jfrtree::internal;
using namespace jfrtree::test;

namespace fs = std::filesystem;

namespace {

class Folder {
 public:
  Folder() : path(fs::temp_directory_path() / ("jfrtree-follow-" + std::to_string(::getpid()))) {
    fs::remove_all(path);
    fs::create_directories(path);
  }
  ~Folder() { fs::remove_all(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  [[nodiscard]] std::string file(const std::string& name) const { return (path / name).string(); }
  void write(const std::string& name, const Bytes& bytes, std::size_t count) const {
    std::ofstream output(file(name), std::ios::binary | std::ios::trunc);
    output.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(count));
  }
  void write(const std::string& name, const Bytes& bytes) const {
    write(name, bytes, bytes.size());
  }

  fs::path path;
};

[[nodiscard]] Bytes chunk_of(std::int64_t start_nanos) {
  auto chunk = jdk17_chunk().start_nanos(start_nanos);
  const auto stack = chunk.stack({"Main.main", "Main.run"});
  chunk.execution_sample({.stack = stack, .start_ticks = 2000});
  return chunk.bytes();
}

[[nodiscard]] Bytes joined(const Bytes& first, const Bytes& second) {
  Bytes both = first;
  both.insert(both.end(), second.begin(), second.end());
  return both;
}

/// A follower of a folder, with what it handed out: `name from+bytes`.
struct Followed {
  explicit Followed(const Folder& folder, std::chrono::milliseconds settle = std::chrono::hours(1))
      : follower({{folder.path.string()}, std::chrono::milliseconds(10), settle, {}},
                 {[this](ReadyPart&& part) { return take(part); },
                  [this](const Problem& problem) { told.push_back(problem.message); },
                  [](const std::string&) {}},
                 StopFlag()) {}

  bool take(const ReadyPart& part) {
    if (taken.size() >= room) return false;
    const auto input = part.open();
    taken.push_back(fs::path(part.path).filename().string() + " " + std::to_string(part.offset) +
                    "+" + std::to_string(input->size().value_or(0)));
    return true;
  }
  std::vector<std::string> look() {
    follower.look();
    return std::exchange(taken, {});
  }

  std::size_t room = 100;
  std::vector<std::string> taken;
  std::vector<std::string> told;
  FolderFollower follower;
};

using Parts = std::vector<std::string>;

}  // namespace

TEST_CASE("finished chunks are those whose last byte is there") {
  const Folder folder;
  const Bytes first = chunk_of(1'700'000'000'000'000'000);
  const Bytes both = joined(first, chunk_of(1'700'000'001'000'000'000));
  for (std::size_t count = 0; count <= both.size(); ++count) {
    folder.write("a.jfr", both, count);
    const auto file = FollowedFile::open(folder.file("a.jfr"));
    REQUIRE(file);
    const FinishedChunks chunks = find_finished_chunks(*file, 0, file->status().size);
    const std::size_t expected = count == both.size() ? 2 : count >= first.size() ? 1 : 0;
    CHECK(chunks.count == expected);
    CHECK(chunks.end == (expected == 2 ? both.size() : expected == 1 ? first.size() : 0));
    CHECK(!chunks.has_begun_next);
  }
}

TEST_CASE("a stream is whole where a finished chunk ends") {
  const Bytes first = chunk_of(1'700'000'000'000'000'000);
  const Bytes both = joined(first, chunk_of(1'700'000'001'000'000'000));
  for (std::size_t count = 1; count <= both.size(); ++count) {
    std::size_t position = 0;
    const auto input = stream_input([&](std::span<std::byte> buffer) {
      const std::size_t got = std::min({buffer.size(), count - position, std::size_t{100}});
      std::copy_n(both.begin() + static_cast<std::ptrdiff_t>(position), got, buffer.begin());
      position += got;
      return got;
    });
    CHECK(is_whole_stream(*input, StopFlag()) == (count == first.size() || count == both.size()));
  }
}

TEST_CASE("a chunk that is being written is not finished") {
  const Folder folder;
  const Bytes whole = chunk_of(1'700'000'000'000'000'000);
  const auto chunks_of = [&](const Bytes& bytes) {
    folder.write("a.jfr", bytes);
    return find_finished_chunks(*FollowedFile::open(folder.file("a.jfr")), 0, bytes.size());
  };
  constexpr std::size_t state_at = 64;
  for (const std::size_t state : {1U, 254U, 255U}) {
    Bytes bytes = whole;
    bytes[state_at] = static_cast<Bytes::value_type>(state);
    CHECK(chunks_of(bytes).count == 0);
    CHECK(chunks_of(bytes).has_begun_next);
  }
  // Room was made for all bytes, and some have not come yet.
  for (std::size_t arrived = 68; arrived < whole.size(); ++arrived) {
    Bytes bytes = whole;
    std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(arrived), bytes.end(),
              Bytes::value_type{});
    if (arrived + 16 <= whole.size()) CHECK(chunks_of(bytes).count == 0);
  }
}

TEST_CASE("what was handed out is not handed out again") {
  const Folder folder;
  Followed followed(folder);
  const Bytes first = chunk_of(1'700'000'000'000'000'000);
  const Bytes second = chunk_of(1'700'000'001'000'000'000);
  const std::string first_size = std::to_string(first.size());
  folder.write("a.jfr", first);
  folder.write("a.txt", first);
  folder.write(".a.jfr", first);
  CHECK(followed.look() == Parts{"a.jfr 0+" + first_size});
  CHECK(followed.look().empty());
  // It grows, first by half a chunk.
  folder.write("a.jfr", joined(first, second), first.size() + second.size() / 2);
  CHECK(followed.look().empty());
  folder.write("a.jfr", joined(first, second));
  CHECK(followed.look() == Parts{"a.jfr " + first_size + "+" + std::to_string(second.size())});
  // Another file takes its name, and it goes away.
  folder.write("b.jfr", second);
  fs::rename(folder.file("b.jfr"), folder.file("a.jfr"));
  CHECK(followed.look() == Parts{"a.jfr 0+" + std::to_string(second.size())});
  fs::remove(folder.file("a.jfr"));
  CHECK(followed.look().empty());
  // The same bytes at a new place are read: whether they were loaded is known by their hash.
  fs::create_directories(folder.path / "in" / "it");
  folder.write("in/it/c.jfr", first);
  CHECK(followed.look() == Parts{"c.jfr 0+" + first_size});
  CHECK(followed.told.empty());
  CHECK(followed.follower.is_at_rest());
}

TEST_CASE("what there is no room for is offered again") {
  const Folder folder;
  Followed followed(folder);
  const Bytes chunk = chunk_of(1'700'000'000'000'000'000);
  for (const char* name : {"a.jfr", "b.jfr", "c.jfr"}) folder.write(name, chunk);
  // Files that changed just now are looked at again in any case.
  std::this_thread::sleep_for(std::chrono::milliseconds(2100));
  followed.room = 2;
  CHECK(followed.look().size() == 2);
  CHECK(!followed.follower.is_at_rest());
  CHECK(followed.look().size() == 1);
  CHECK(followed.follower.is_at_rest());
  CHECK(followed.look().empty());
}

TEST_CASE("what settled is handed out as it is, and again only when it changes") {
  const Folder folder;
  const Bytes first = chunk_of(1'700'000'000'000'000'000);
  const Bytes both = joined(first, chunk_of(1'700'000'001'000'000'000));
  const std::string from = "a.jfr " + std::to_string(first.size()) + "+";
  folder.write("a.jfr", both, both.size() - 10);
  folder.write("b.jfr", {}, 0);
  Followed followed(folder, std::chrono::milliseconds(0));
  Parts parts = followed.look();
  std::sort(parts.begin(), parts.end());
  CHECK(parts == Parts{"a.jfr 0+" + std::to_string(first.size()),
                       from + std::to_string(both.size() - first.size() - 10), "b.jfr 0+0"});
  CHECK(followed.look().empty());
  folder.write("a.jfr", both);
  CHECK(followed.look() == Parts{from + std::to_string(both.size() - first.size())});
}

TEST_CASE("a file that somebody writes does not settle") {
  const Folder folder;
  const Bytes whole = chunk_of(1'700'000'000'000'000'000);
  std::ofstream writer(folder.file("a.jfr"), std::ios::binary);
  writer.write(reinterpret_cast<const char*>(whole.data()), 100);
  writer.flush();
  if (FollowedFile::open(folder.file("a.jfr"))->writers() == FollowedFile::Writers::unknown) {
    MESSAGE("skipped: this file system does not tell who writes");
    return;
  }
  Followed followed(folder, std::chrono::milliseconds(0));
  CHECK(followed.look().empty());
  writer.close();
  CHECK(followed.look() == Parts{"a.jfr 0+100"});
}

TEST_CASE("a file that was deleted is read to its end") {
  const Folder folder;
  Followed followed(folder);
  Bytes chunk = chunk_of(1'700'000'000'000'000'000);
  constexpr std::size_t state_at = 64;
  chunk[state_at] = Bytes::value_type{1};
  folder.write("finished.jfr", chunk);
  folder.write("killed.jfr", chunk);
  folder.write("cut.jfr", chunk, 40);
  CHECK(followed.look().empty());
  {
    std::fstream writer(folder.file("finished.jfr"),
                        std::ios::binary | std::ios::in | std::ios::out);
    writer.seekp(state_at);
    writer.put('\0');
  }
  for (const char* name : {"finished.jfr", "killed.jfr", "cut.jfr"}) fs::remove(folder.file(name));
  Parts parts = followed.look();
  std::sort(parts.begin(), parts.end());
  const std::string size = std::to_string(chunk.size());
  CHECK(parts == Parts{"finished.jfr 0+" + size, "killed.jfr 0+" + size});
  CHECK(followed.told == Parts{"was removed before it was complete"});
  CHECK(followed.look().empty());
}
