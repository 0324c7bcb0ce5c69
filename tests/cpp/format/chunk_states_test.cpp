// Chunks that are unfinished, empty or cut, and inputs that fail: the other half of ChunkSource.

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "format/chunk_source.hpp"
#include "format/delimited.hpp"
#include "io/temporary_folder.hpp"

namespace jfrtree::internal {

namespace {

using test::append;
using test::Bytes;
using test::checkpoint_with_copy;
using test::chunk_of_2000;
using test::claiming;
using test::delimited;
using test::HeaderFields;
using test::joined;
using test::noise;
using test::Source;

const std::string first = "1@0+2000 complete; ";
const std::string second = "2@2000+2000 complete; ";

Bytes in_state(std::uint8_t state) {
  HeaderFields header;
  header.file_state = state;
  return chunk_of_2000(header);
}

/// A chunk that was just opened: a header that claims itself alone.
HeaderFields opened(std::uint8_t state = 1) {
  HeaderFields header;
  header.chunk_size = 68;
  header.file_state = state;
  return header;
}

/// What async-profiler leaves behind when it is killed: 1 GiB claimed, no offsets.
Bytes placeholder() {
  HeaderFields header;
  header.minor = 0;
  header.chunk_size = 1 << 30;
  header.metadata_offset = 0;
  return chunk_of_2000(header);
}

/// An input that gives the bytes of `all` up to `end`, then throws or says that it has ended.
class FailingInput final : public Input {
 public:
  FailingInput(const Bytes& all, std::size_t end, bool has_size)
      : all_(all), end_(end), has_size_(has_size) {}

  [[nodiscard]] std::string_view name() const noexcept override { return "failing"; }
  [[nodiscard]] std::optional<std::uint64_t> size() const noexcept override {
    return has_size_ ? std::optional<std::uint64_t>(all_.size()) : std::nullopt;
  }
  std::size_t read(std::span<std::byte> buffer) override {
    if (position_ == end_) {
      Problem problem;
      problem.code = ErrorCode::io_error;
      throw IoError(problem);
    }
    const std::size_t count = read_at(position_, buffer);
    position_ += count;
    return count;
  }
  std::size_t read_at(std::uint64_t offset, std::span<std::byte> buffer) override {
    if (offset >= end_) return 0;
    const std::size_t count = std::min(buffer.size(), end_ - offset);
    std::copy_n(all_.begin() + static_cast<std::ptrdiff_t>(offset), count, buffer.begin());
    return count;
  }

 private:
  const Bytes& all_;
  std::size_t end_;
  bool has_size_;
  std::size_t position_ = 0;
};

}  // namespace

TEST_CASE("an unfinished chunk reaches to its last flush") {
  for (const std::uint8_t state : {std::uint8_t{1}, std::uint8_t{254}, std::uint8_t{255}}) {
    CAPTURE(state);
    const Bytes chunk = in_state(state);
    const std::string alone = "1@0+2000 unfinished; unfinished_chunk chunk 1 at 2000";
    CHECK(delimited(chunk) == alone);
    // What follows was not flushed.
    CHECK(delimited(joined({chunk, Bytes(500, std::byte{1})})) == alone);
    CHECK(delimited(joined({chunk, noise(500), chunk_of_2000()})) ==
          "1@0+2000 unfinished; 2@2500+2000 complete; unfinished_chunk chunk 1 at 2000");
    CHECK(delimited(joined({chunk, chunk_of_2000()})) ==
          "1@0+2000 unfinished; 2@2000+2000 complete; unfinished_chunk chunk 1 at 2000");
  }
}

TEST_CASE("good chunks in front of an unfinished one are complete") {
  CHECK(delimited(joined({chunk_of_2000(), in_state(4), noise(100)})) ==
        first + "2@2000+2000 unfinished; unfinished_chunk chunk 2 at 4000");
}

TEST_CASE("an unfinished chunk that is cut ends with the input") {
  Bytes bytes = in_state(3);
  bytes.resize(1500);
  CHECK(delimited(bytes) == "1@0+1500 unfinished; unfinished_chunk chunk 1 at 1500");
}

TEST_CASE("a chunk without events yet is empty") {
  const Bytes header = opened().bytes();
  CHECK(delimited(header) == "1@0+68 empty; [empty_chunk chunk 1 at 0]");
  CHECK(delimited(opened(0).bytes()) == "1@0+68 empty; [empty_chunk chunk 1 at 0]");
  CHECK(delimited(joined({header, chunk_of_2000()})) ==
        "1@0+68 empty; 2@68+2000 complete; [empty_chunk chunk 1 at 0]");
  CHECK(delimited(joined({chunk_of_2000(), header})) ==
        first + "2@2000+68 empty; [empty_chunk chunk 2 at 2000]");
}

TEST_CASE("a chunk whose events were not flushed yet is unfinished") {
  const Bytes records(500, std::byte{1});
  CHECK(delimited(joined({opened().bytes(), records})) ==
        "1@0+68 unfinished; unfinished_chunk chunk 1 at 0");
  CHECK(delimited(joined({opened().bytes(), noise(50), chunk_of_2000()})) ==
        "1@0+68 unfinished; 2@118+2000 complete; unfinished_chunk chunk 1 at 0");
}

TEST_CASE("a placeholder size is no size") {
  CHECK(delimited(placeholder()) == "1@0+2000 unfinished; unfinished_chunk chunk 1 at 0");
  CHECK(delimited(joined({chunk_of_2000(), placeholder()})) ==
        first + "2@2000+2000 unfinished; unfinished_chunk chunk 2 at 2000");
  CHECK(delimited(joined({placeholder(), chunk_of_2000()})) ==
        "1@0+2000 unfinished; " + second + "unfinished_chunk chunk 1 at 0");
}

TEST_CASE("a header that a truncated chunk keeps in a checkpoint is no next chunk") {
  HeaderFields header;
  header.start_nanos = 1'700'000'000'123'456'789;
  Bytes chunk = chunk_of_2000(header);
  // The chunk that was to follow is cut off, a copy of the own header remains.
  HeaderFields copy = header;
  copy.chunk_size = 2300;
  copy.metadata_offset = 1000;
  header.chunk_size = 3000;
  chunk = chunk_of_2000(header);
  append(chunk, checkpoint_with_copy(copy));
  append(chunk, noise(30));
  CHECK(delimited(chunk) == "1@0+" + std::to_string(chunk.size()) +
                                " truncated; truncated_chunk chunk 1 at " +
                                std::to_string(chunk.size()));
}

TEST_CASE("a header copy in what was not flushed is no next chunk") {
  HeaderFields header;
  header.start_nanos = 1'700'000'000'123'456'789;
  header.file_state = 2;
  const Bytes flushed = chunk_of_2000(header);
  HeaderFields copy = header;
  copy.chunk_size = 2500;
  copy.metadata_offset = 1000;
  // A JVM that is killed after it wrote the checkpoint of a flush, before it changed the header.
  Bytes bytes = joined({flushed, Bytes(20, std::byte{1}), checkpoint_with_copy(copy), noise(400)});
  CHECK(delimited(bytes) == "1@0+2000 unfinished; unfinished_chunk chunk 1 at 2000");
  append(bytes, chunk_of_2000());
  CHECK(delimited(bytes) == "1@0+2000 unfinished; 2@" + std::to_string(bytes.size() - 2000) +
                                "+2000 complete; unfinished_chunk chunk 1 at 2000");

  HeaderFields just_opened = header;
  just_opened.chunk_size = 68;
  just_opened.metadata_offset = 0;
  just_opened.file_state = 1;
  CHECK(delimited(joined({just_opened.bytes(), checkpoint_with_copy(copy), noise(400)})) ==
        "1@0+68 unfinished; unfinished_chunk chunk 1 at 0");
}

TEST_CASE("a header copy inside of a refused chunk is no chunk") {
  HeaderFields header;
  header.start_nanos = 1'700'000'000'123'456'789;
  HeaderFields copy = header;
  copy.chunk_size = 2500;
  copy.metadata_offset = 1000;
  header.chunk_size = 0;
  CHECK(delimited(joined({chunk_of_2000(header), checkpoint_with_copy(copy), noise(400)})) ==
        "bad_chunk_header chunk 1 at 0");
}

TEST_CASE("joined files of two JVMs with equal headers are two chunks") {
  CHECK(delimited(joined({chunk_of_2000(), chunk_of_2000()})) == first + second);
  CHECK(delimited(joined({claiming(1 << 20), chunk_of_2000()})) ==
        "1@0+2000 truncated; " + second + "truncated_chunk chunk 1 at 2000");
}

TEST_CASE("headers are known at once where the input has a size") {
  const Bytes bytes = joined({chunk_of_2000(), chunk_of_2000()});
  const test::TemporaryFolder folder;
  for (const Source source : {Source::memory, Source::file, Source::stream}) {
    const auto input = test::input_of(bytes, source, folder.path(""));
    ProblemLog log;
    ChunkSource chunks(*input, {}, log);
    CHECK(chunks.scanned().size() == (source == Source::stream ? 0 : 2));
    CHECK(chunks.next());
    CHECK(chunks.position() == 2000);
    CHECK(chunks.next());
    CHECK(chunks.position() == 4000);
    CHECK_FALSE(chunks.next());
    CHECK_FALSE(chunks.next());
  }
}

TEST_CASE("a chunk that was returned stays while later ones are read") {
  const Bytes bytes = joined({chunk_of_2000(), in_state(1), noise(10), chunk_of_2000()});
  const test::TemporaryFolder folder;
  for (const Source source : {Source::file, Source::stream}) {
    const auto input = test::input_of(bytes, source, folder.path(""));
    ProblemLog log;
    ChunkSource chunks(*input, {}, log);
    std::vector<LoadedChunk> kept;
    while (auto chunk = chunks.next()) kept.push_back(std::move(*chunk));
    REQUIRE(kept.size() == 3);
    for (const LoadedChunk& chunk : kept) {
      CHECK(std::equal(chunk.bytes.begin(), chunk.bytes.end(),
                       bytes.begin() + static_cast<std::ptrdiff_t>(chunk.info.offset)));
    }
  }
}

TEST_CASE("an input that fails keeps what was read and names the failure") {
  const Bytes bytes = joined({chunk_of_2000(), chunk_of_2000()});
  FailingInput input(bytes, 3000, false);
  ProblemLog log;
  ChunkSource chunks(input, {}, log);
  CHECK(chunks.next()->info.state == ChunkState::complete);
  const auto cut = chunks.next();
  REQUIRE(cut);
  CHECK(cut->info.state == ChunkState::truncated);
  CHECK(cut->info.bytes == 1000);
  CHECK_FALSE(chunks.next());
  CHECK(test::to_text(log.entries()) ==
        "io_error chunk 2 at 3000; truncated_chunk chunk 2 at 3000");
}

TEST_CASE("a file that becomes shorter while it is read ends a chunk early") {
  const Bytes bytes = joined({chunk_of_2000(), chunk_of_2000()});
  // Both headers are there when they are looked for, the end of the second chunk is not.
  FailingInput input(bytes, 3500, true);
  ProblemLog log;
  ChunkSource chunks(input, {}, log);
  CHECK(chunks.next()->info.state == ChunkState::complete);
  const auto cut = chunks.next();
  REQUIRE(cut);
  CHECK(cut->info.state == ChunkState::truncated);
  CHECK(cut->bytes.size() == 1500);
  CHECK(test::to_text(log.entries()) == "truncated_chunk chunk 2 at 3500");
}

TEST_CASE("a stream is not read beyond the limit of a chunk") {
  Limits limits;
  limits.chunk_bytes = 5000;
  const Bytes bytes = joined({chunk_of_2000(), claiming(1 << 30), Bytes(10 << 20)});
  const std::string text = delimited(bytes, Source::stream, limits);
  CHECK(text.starts_with(first));
  CHECK(text.find("limit_exceeded chunk 2 at 2000") != std::string::npos);
}

TEST_CASE("chunks above the limit are passed over, however many there are") {
  HeaderFields header;
  header.chunk_size = 68;
  header.metadata_offset = 10;
  Bytes bytes;
  bytes.reserve(std::size_t{200'000} * 68);
  for (int i = 0; i < 200'000; ++i) append(bytes, header.bytes());
  Limits limits;
  limits.chunk_bytes = 67;
  CHECK(delimited(bytes, Source::memory, limits).starts_with("limit_exceeded"));
}

TEST_CASE("many chunks that claim too little are found in no time") {
  HeaderFields header;
  header.chunk_size = 100;
  header.metadata_offset = 70;
  Bytes bytes;
  bytes.reserve(std::size_t{100'000} * 68);
  for (int i = 0; i < 100'000; ++i) append(bytes, header.bytes());
  const auto begin = std::chrono::steady_clock::now();
  const test::TemporaryFolder folder;
  for (const Source source : {Source::memory, Source::file, Source::stream}) {
    const auto input = test::input_of(bytes, source, folder.path(""));
    ProblemLog log;
    ChunkSource chunks(*input, {}, log);
    std::size_t found = 0;
    while (chunks.next()) ++found;
    CHECK(found == 100'000);
  }
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(30));
}

TEST_CASE("chunks beyond 4 GiB in a file are found and not copied") {
  const test::TemporaryFolder folder;
  HeaderFields header;
  constexpr std::int64_t size = 5LL << 30;
  header.chunk_size = size;
  const std::string path = folder.file("large.jfr", "");
  {
    std::ofstream file(path, std::ios::binary);
    const auto write = [&file](const Bytes& bytes) {
      file.write(reinterpret_cast<const char*>(bytes.data()),
                 static_cast<std::streamsize>(bytes.size()));
    };
    write(chunk_of_2000(header));
    file.seekp(size);  // a hole: sparse files have no blocks there
    write(chunk_of_2000());
  }
  const auto input = open_input(path);
  ProblemLog log;
  ChunkSource chunks(*input, {}, log);
  const auto large = chunks.next();
  REQUIRE(large);
  CHECK(large->info.bytes == static_cast<std::uint64_t>(size));
  CHECK(large->bytes.size() == static_cast<std::size_t>(size));
  CHECK(large->bytes[static_cast<std::size_t>(size) - 1] == std::byte{0});
  const auto next = chunks.next();
  REQUIRE(next);
  CHECK(next->info.offset == static_cast<std::uint64_t>(size));
  CHECK(next->info.state == ChunkState::complete);
  CHECK(log.entries().empty());
}

}  // namespace jfrtree::internal
