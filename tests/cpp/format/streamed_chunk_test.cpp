// Chunks of streams that claim more than a stream should hold: what is read, and how much is held.

#include "format/streamed_chunk.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "format/chunk_header.hpp"
#include "format/chunk_source.hpp"
#include "format/delimited.hpp"

namespace jfrtree::internal {

namespace {

using test::append;
using test::Bytes;
using test::chunk_of_2000;
using test::claiming;
using test::delimited;
using test::HeaderFields;
using test::joined;
using test::noise;
using test::Source;

constexpr std::int64_t mebibyte = 1 << 20;
constexpr std::int64_t far = 3LL << 30;
const std::string first = "1@0+2000 complete; ";

/// Parts that follow each other, each repeated; what was read of it is counted, not kept.
class RepeatedInput final : public Input {
 public:
  explicit RepeatedInput(std::vector<std::pair<Bytes, std::uint64_t>> parts)
      : parts_(std::move(parts)) {}
  [[nodiscard]] std::string_view name() const noexcept override { return "repeated"; }
  [[nodiscard]] std::optional<std::uint64_t> size() const noexcept override { return {}; }
  std::size_t read(std::span<std::byte> buffer) override {
    std::size_t done = 0;
    while (done < buffer.size() && part_ < parts_.size()) {
      const auto& [bytes, count] = parts_[part_];
      const std::size_t piece = std::min(buffer.size() - done, bytes.size() - at_);
      std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(at_), piece, buffer.data() + done);
      done += piece;
      at_ += piece;
      if (at_ < bytes.size()) continue;
      at_ = 0;
      if (++repeated_ < count) continue;
      repeated_ = 0;
      ++part_;
    }
    taken_ += done;
    return done;
  }

  [[nodiscard]] std::uint64_t taken() const noexcept { return taken_; }

 private:
  std::vector<std::pair<Bytes, std::uint64_t>> parts_;
  std::size_t part_ = 0;
  std::size_t at_ = 0;
  std::uint64_t repeated_ = 0;
  std::uint64_t taken_ = 0;
};

struct Read {
  std::size_t chunks = 0;
  std::uint64_t bytes = 0;
  std::uint64_t read_ahead = 0;  // most that was taken from the stream and not given out
  std::uint64_t taken = 0;
  std::string findings;
};

[[nodiscard]] Read read_all(RepeatedInput& input, const Limits& limits = {}) {
  ProblemLog log;
  ChunkSource source(input, limits, log);
  Read read;
  while (const auto chunk = source.next()) {
    ++read.chunks;
    read.bytes += chunk->info.bytes;
    read.read_ahead = std::max(read.read_ahead, input.taken() - source.position());
  }
  read.taken = input.taken();
  read.findings = test::to_text(log.entries());
  return read;
}

/// A chunk of `records` records of 1 MiB, each as long as its size says, that claims `claimed`.
[[nodiscard]] Bytes long_chunk(std::int64_t claimed, int records) {
  Bytes bytes = claiming(claimed);
  Bytes record(static_cast<std::size_t>(mebibyte), std::byte{7});
  // 2^20 in groups of seven bits, lowest first.
  record[0] = record[1] = std::byte{0x80};
  record[2] = std::byte{0x40};
  for (int i = 0; i < records; ++i) append(bytes, record);
  return bytes;
}

}  // namespace

TEST_CASE("stream: a wrong size of gibibytes costs neither the next chunks nor memory") {
  // 400 MB of chunks; the file of the same bytes says the same.
  RepeatedInput input({{claiming(far), 1}, {chunk_of_2000(), 200'000}});
  const Read read = read_all(input);
  CHECK(read.chunks == 200'001);
  CHECK(read.bytes == 200'001U * 2000);
  CHECK(read.read_ahead < 64U * mebibyte);
  CHECK(read.findings == "truncated_chunk chunk 1 at 2000");
}

TEST_CASE("stream: zeros behind a wrong size are given up after a bound") {
  // 64 MiB are searched by steps of 1 MiB, each of which looks again at 67 bytes: 65 steps.
  RepeatedInput input({{claiming(far), 1}, {Bytes(1 << 20), 1500}});
  const Read read = read_all(input);
  CHECK(read.chunks == 1);
  CHECK(read.bytes == 2000);
  CHECK(read.taken < 200U * mebibyte);
  CHECK(read.findings ==
        "truncated_chunk chunk 1 at 2000; unreadable_bytes at 2000; unreadable_bytes at 68155085");
}

TEST_CASE("stream: a chunk of many steps is read whole") {
  const std::int64_t size = 2000 + 80 * mebibyte;
  const Bytes healthy = long_chunk(size, 80);
  const Bytes bytes = joined({healthy, chunk_of_2000()});
  const std::string second = std::to_string(size) + "+2000 complete; ";
  CHECK(delimited(bytes, Source::stream) ==
        "1@0+" + std::to_string(size) + " complete; 2@" + second);
}

TEST_CASE("stream: a chunk of many steps ends at the next header, before its claimed end") {
  const std::string size = std::to_string(2000 + 40 * mebibyte);
  const Bytes bytes = joined({long_chunk(far, 40), chunk_of_2000(), chunk_of_2000()});
  const std::string expected = "1@0+" + size + " truncated; 2@" + size + "+2000 complete; 3@" +
                               std::to_string(4000 + 40 * mebibyte) +
                               "+2000 complete; truncated_chunk chunk 1 at " + size;
  CHECK(delimited(bytes, Source::stream) == expected);
  CHECK(delimited(bytes, Source::memory) == expected);
}

TEST_CASE("stream: behind broken records the next chunk is found as in a file") {
  for (const std::int64_t garbage : {std::int64_t{1}, 67 * std::int64_t{1}, 40 * mebibyte}) {
    CAPTURE(garbage);
    const Bytes bytes =
        joined({long_chunk(far, 40), noise(static_cast<std::size_t>(garbage)), chunk_of_2000()});
    const std::string size = std::to_string(2000 + 40 * mebibyte + garbage);
    const std::string expected = "1@0+" + size + " truncated; 2@" + size +
                                 "+2000 complete; truncated_chunk chunk 1 at " + size;
    CHECK(delimited(bytes, Source::stream) == expected);
    CHECK(delimited(bytes, Source::memory) == expected);
  }
}

TEST_CASE("stream: a broken record does not cost the chunk when its end is near") {
  const std::int64_t size = 2000 + 40 * mebibyte + 500;
  Bytes bytes = joined({long_chunk(size, 30), noise(500)});
  append(bytes, Bytes(static_cast<std::size_t>(10 * mebibyte)));
  append(bytes, chunk_of_2000());
  CHECK(delimited(bytes, Source::stream) == "1@0+" + std::to_string(size) + " complete; 2@" +
                                                std::to_string(size) + "+2000 complete; ");
}

TEST_CASE("stream: a chunk above the limit is passed over and later ones count") {
  Limits limits;
  limits.chunk_bytes = 5000;
  const std::int64_t size = 2000 + 3 * mebibyte;
  for (const std::int64_t claimed : {size, far}) {
    const Bytes bytes = joined({chunk_of_2000(), long_chunk(claimed, 3), chunk_of_2000()});
    const std::string expected = first + "3@" + std::to_string(2000 + size) +
                                 "+2000 complete; limit_exceeded chunk 2 at 2000";
    for (const Source source : {Source::stream, Source::memory, Source::file}) {
      CHECK(delimited(bytes, source, limits) == expected);
    }
  }
}

TEST_CASE("stream: a wrong size above the limit does not make a small chunk too large") {
  Limits limits;
  limits.chunk_bytes = 5000;
  CHECK(delimited(joined({claiming(far), chunk_of_2000()}), Source::stream, limits) ==
        "1@0+2000 truncated; 2@2000+2000 complete; truncated_chunk chunk 1 at 2000");
}

TEST_CASE("stream: chunks above the limit are not held") {
  Limits limits;
  limits.chunk_bytes = 8U * mebibyte;
  RepeatedInput input({{long_chunk(far, 100), 5}, {chunk_of_2000(), 10}});
  const Read read = read_all(input, limits);
  CHECK(read.chunks == 10);
  CHECK(read.read_ahead < 16U * mebibyte);
  CHECK(read.findings.starts_with("limit_exceeded chunk 1 at 0"));
}

TEST_CASE("records are followed in pieces as they are at once") {
  const Bytes bytes = joined({long_chunk(far, 3), chunk_of_2000()});
  const ChunkHeader header = parse_chunk_header(bytes);
  FollowedRecords followed{.end = chunk_header_bytes, .next_end = chunk_header_bytes};
  for (std::size_t size = chunk_header_bytes; size < bytes.size() - 2000; size += 9973) {
    follow_records(std::span(bytes).first(size), header, followed);
    CHECK(followed.end <= size);
    CHECK(followed.state == FollowedRecords::State::waiting);
  }
  follow_records(bytes, header, followed);
  CHECK(followed.state == FollowedRecords::State::header);
  CHECK(followed.end == 2000 + 3U * mebibyte);
}

}  // namespace jfrtree::internal
