#include "format/chunk_source.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <utility>
#include <vector>

#include <jfrtree/error.hpp>

#include "format/delimited.hpp"

namespace jfrtree::internal {

namespace {

using test::append;
using test::Bytes;
using test::chunk_of_2000;
using test::claiming;
using test::delimited;
using test::from_hex;
using test::HeaderFields;
using test::joined;
using test::noise;

const std::string first = "1@0+2000 complete; ";
const std::string second = "2@2000+2000 complete; ";

/// Zeros without an end; the wish to stop comes with one of the reads.
class EndlessZeros final : public Input {
 public:
  explicit EndlessZeros(int reads) : reads_left_(reads) {}
  [[nodiscard]] std::string_view name() const noexcept override { return "zeros"; }
  [[nodiscard]] std::optional<std::uint64_t> size() const noexcept override { return {}; }
  std::size_t read(std::span<std::byte> buffer) override {
    if (--reads_left_ == 0) stop = true;
    std::fill(buffer.begin(), buffer.end(), std::byte{0});
    return buffer.size();
  }
  std::size_t read_at(std::uint64_t, std::span<std::byte>) override { return 0; }

  std::atomic<bool> stop{false};
  [[nodiscard]] int reads_left() const noexcept { return reads_left_; }

 private:
  int reads_left_;
};

}  // namespace

TEST_CASE("complete chunks follow each other") {
  CHECK(delimited(chunk_of_2000()) == first);
  CHECK(delimited(joined({chunk_of_2000(), chunk_of_2000(), chunk_of_2000()})) ==
        first + second + "3@4000+2000 complete; ");
}

TEST_CASE("versions 1.0, 2.0, 2.1 and later minor ones may stand in one file") {
  Bytes bytes;
  for (const auto& [major, minor] : {std::pair(1, 0), {2, 0}, {2, 1}, {2, 9}}) {
    HeaderFields header;
    header.major = static_cast<std::uint16_t>(major);
    header.minor = static_cast<std::uint16_t>(minor);
    append(bytes, chunk_of_2000(header));
  }
  CHECK(delimited(bytes) == first + second + "3@4000+2000 complete; 4@6000+2000 complete; ");
}

TEST_CASE("a chunk of another format is refused and the next one is found") {
  HeaderFields header;
  header.major = 0;
  header.minor = 9;
  CHECK(delimited(joined({chunk_of_2000(header), chunk_of_2000()})) ==
        second + "unsupported_version chunk 1 at 0");
  header.major = 3;
  header.minor = 0;
  CHECK(delimited(joined({chunk_of_2000(header), chunk_of_2000()})) ==
        second + "unsupported_version chunk 1 at 0");
  CHECK(delimited(joined({chunk_of_2000(), chunk_of_2000(header)})) ==
        first + "unsupported_version chunk 2 at 2000");
}

TEST_CASE("an old format is named even where there is less than a header") {
  const Bytes old = from_hex("464c5200 0000 0009 000000000001a90e 00000005 00000006 00");
  CHECK(delimited(old) == "unsupported_version chunk 1 at 0");
}

TEST_CASE("garbage between chunks is skipped and its place is named") {
  for (const std::size_t size : {std::size_t{1}, std::size_t{67}, std::size_t{1000}}) {
    CAPTURE(size);
    CHECK(delimited(joined({chunk_of_2000(), noise(size), chunk_of_2000()})) ==
          first + "2@" + std::to_string(2000 + size) + "+2000 complete; unreadable_bytes at 2000");
    CHECK(delimited(joined({chunk_of_2000(), noise(size)})) == first + "unreadable_bytes at 2000");
  }
}

TEST_CASE("zeros between chunks, and behind the last one, are skipped") {
  CHECK(delimited(joined({chunk_of_2000(), Bytes(3 << 20), chunk_of_2000()})) ==
        first + "2@3147728+2000 complete; unreadable_bytes at 2000");
  CHECK(delimited(joined({chunk_of_2000(), Bytes(1)})) == first + "unreadable_bytes at 2000");
  CHECK(delimited(joined({chunk_of_2000(), Bytes(4096)})) == first + "unreadable_bytes at 2000");
}

TEST_CASE("a next header across the steps in which a stream is searched is found") {
  constexpr std::size_t step = 1 << 20;
  for (const std::size_t size : {step - 69, step - 68, step - 1, step, step + 1}) {
    CAPTURE(size);
    CHECK(delimited(joined({chunk_of_2000(), noise(size), chunk_of_2000()})) ==
          first + "2@" + std::to_string(2000 + size) + "+2000 complete; unreadable_bytes at 2000");
  }
}

TEST_CASE("a piece of a next header is reported") {
  const Bytes header = HeaderFields().bytes();
  for (std::ptrdiff_t size = 1; size < 68; ++size) {
    CAPTURE(size);
    const Bytes piece(header.begin(), header.begin() + size);
    CHECK(delimited(joined({chunk_of_2000(), piece})) ==
          first + (size < 4 ? "unreadable_bytes at 2000" : "too_short chunk 2 at 2000"));
  }
}

TEST_CASE("what is no recording says so, and a chunk behind it is found") {
  CHECK(delimited(noise(5000)) == "not_a_recording at 0");
  CHECK(delimited(Bytes(5000)) == "not_a_recording at 0");
  CHECK(delimited(joined({noise(100), chunk_of_2000()})) ==
        "1@100+2000 complete; not_a_recording at 0");
}

TEST_CASE("a chunk that claims too much ends where the next one begins") {
  // Its claimed end lies inside the next chunk, or behind everything.
  CHECK(delimited(joined({claiming(2100), chunk_of_2000()})) ==
        first + second + "bad_chunk_header chunk 1 at 0");
  const std::string cut = "1@0+2000 truncated; " + second + "truncated_chunk chunk 1 at 2000";
  CHECK(delimited(joined({claiming(4001), chunk_of_2000()})) == cut);
  CHECK(delimited(joined({claiming(std::int64_t{1} << 47), chunk_of_2000()})) == cut);
  CHECK(delimited(joined({claiming(-1), chunk_of_2000()})) == cut);
}

TEST_CASE("a chunk that claims more than the rest of the input is truncated") {
  CHECK(delimited(claiming(2001)) == "1@0+2000 truncated; truncated_chunk chunk 1 at 2000");
  CHECK(delimited(joined({chunk_of_2000(), claiming(std::int64_t{1} << 40)})) ==
        first + "2@2000+2000 truncated; truncated_chunk chunk 2 at 4000");
}

TEST_CASE("a chunk that is cut anywhere is truncated there") {
  const Bytes whole = joined({chunk_of_2000(), chunk_of_2000()});
  const auto expected = [](std::size_t size) {
    return first + "2@2000+" + std::to_string(size - 2000) +
           " truncated; truncated_chunk chunk 2 at " + std::to_string(size);
  };
  for (std::size_t size = 2068; size < 4000; size += 13) {
    CAPTURE(size);
    const Bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    CHECK(delimited(cut) == expected(size));
  }
}

TEST_CASE("a chunk that claims too little is followed to the end of its records") {
  for (const std::int64_t size : {100, 1000, 1999}) {
    CAPTURE(size);
    CHECK(delimited(joined({claiming(size), chunk_of_2000()})) ==
          first + second + "bad_chunk_header chunk 1 at 0");
    CHECK(delimited(claiming(size)) == first + "bad_chunk_header chunk 1 at 0");
  }
}

TEST_CASE("a chunk that claims less than a header is refused and the next one is found") {
  for (const std::int64_t size : {0, 1, 67}) {
    CAPTURE(size);
    CHECK(delimited(joined({claiming(size), chunk_of_2000()})) ==
          second + "bad_chunk_header chunk 1 at 0");
  }
}

TEST_CASE("the search for a chunk in a stream ends with the wish to stop") {
  EndlessZeros input(5);
  ProblemLog log("zeros");
  ChunkSource source(input, Limits{}, log, StopFlag(&input.stop));
  CHECK_THROWS_AS((void)source.next(), Interrupted);
  CHECK(input.reads_left() == 0);
}

TEST_CASE("the search for a chunk in memory ends with the wish to stop") {
  const std::vector<std::byte> zeros(1 << 20);
  const auto input = memory_input(zeros, "zeros");
  std::atomic<bool> stop{false};
  ProblemLog log("zeros");
  ChunkSource source(*input, Limits{}, log, StopFlag(&stop));
  stop = true;
  CHECK_THROWS_AS((void)source.next(), Interrupted);
}

}  // namespace jfrtree::internal
