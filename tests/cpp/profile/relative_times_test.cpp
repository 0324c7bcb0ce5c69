/// Times relative to the start and the end of all inputs, and spans, which need to be known before
/// the first sample is read: in files, memory, streams and unfinished recordings.

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <jfrtree/time_range.hpp>

#include "profile/reading.hpp"
#include "support/gzip_writer.hpp"
#include "support/standard_chunk.hpp"
#include "support/test_paths.hpp"

using namespace jfrtree;
using namespace jfrtree::test;

namespace {

constexpr std::int64_t second = 1'000'000'000;
constexpr std::int64_t start_ns = 1'700'000'000 * second;

/// A chunk of 10 s with a sample at 1 s and one at 9 s, called after it.
Bytes ten_seconds(std::int64_t begin_ns, std::int64_t ticks_per_second, const std::string& name) {
  auto chunk = jdk17_chunk().ticks_per_second(ticks_per_second).start_ticks(12345);
  chunk.start_nanos(begin_ns).duration_nanos(10 * second);
  chunk.execution_sample(
      {.stack = chunk.stack({name + ".first"}), .start_ticks = 12345 + ticks_per_second});
  chunk.execution_sample(
      {.stack = chunk.stack({name + ".last"}), .start_ticks = 12345 + 9 * ticks_per_second});
  return chunk.bytes();
}

/// Three chunks of different clocks, the earliest in the middle: 0 to 10 s, 20 to 30, 40 to 50.
std::vector<Bytes> chunks() {
  return {ten_seconds(start_ns + 20 * second, 1'600'000'000, "B"),
          ten_seconds(start_ns, 3'400'000'000, "A"),
          ten_seconds(start_ns + 40 * second, 1'000'000'000, "C")};
}

ProfileRequest between(std::string_view from, std::string_view to) {
  ProfileRequest request = kinds({"cpu"});
  if (!from.empty()) request.filters.from = {parse_time_point(from)};
  if (!to.empty()) request.filters.to = {parse_time_point(to)};
  return request;
}

std::string cpu(const std::vector<Bytes>& recordings, std::string_view from, std::string_view to) {
  return lines_of(read(recordings, between(from, to)), "cpu");
}

/// The same read from a stream that gives few bytes at a time.
std::string cpu_of_stream(const Bytes& bytes, const ProfileRequest& request) {
  std::size_t position = 0;
  std::shared_ptr<Input> input = stream_input([&](std::span<std::byte> buffer) {
    const std::size_t count = std::min({buffer.size(), bytes.size() - position, std::size_t{999}});
    std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(position), count, buffer.begin());
    position += count;
    return count;
  });
  std::vector<Source> sources;
  sources.push_back({"stream", std::move(input)});
  return lines_of(read_profiles(std::move(sources), request), "cpu");
}

}  // namespace

TEST_CASE("relative times count from the lowest start and the highest end of all chunks") {
  const std::vector<Bytes> one_file{joined(chunks())};
  for (const std::vector<Bytes>& recordings : {one_file, chunks()}) {
    CHECK(cpu(recordings, "+1s", "+2s") == "A.first 1 -\n");
    CHECK(cpu(recordings, "+9s", "+21s") == "A.last 1 -\n");
    CHECK(cpu(recordings, "+21s", "+29s") == "B.first 1 -\n");
    CHECK(cpu(recordings, "-1s", "") == "C.last 1 -\n");
    CHECK(cpu(recordings, "-9s", "-1s") == "C.first 1 -\n");
    CHECK(cpu(recordings, "-21s", "-9s") == "B.last 1 -\n");
    CHECK(cpu(recordings, "", "-49s") == "");
    CHECK(cpu(recordings, "+0s", "-0s") ==
          "A.first 1 -\nA.last 1 -\nB.first 1 -\nB.last 1 -\nC.first 1 -\nC.last 1 -\n");
  }
}

TEST_CASE("relative times of a stream are those of the file, plain and compressed") {
  const Bytes bytes = joined(chunks());
  const Bytes packed = gzip(bytes);
  using Range = std::pair<std::string, std::string>;
  for (const Range& range :
       {Range("-9s", "-1s"), Range("+9s", "+21s"), Range("-21s", ""), Range("", "+1s")}) {
    const std::string& from = range.first;
    const std::string& to = range.second;
    CAPTURE(from);
    CHECK(cpu_of_stream(bytes, between(from, to)) == cpu({bytes}, from, to));
    CHECK(cpu_of_stream(packed, between(from, to)) == cpu({bytes}, from, to));
  }
}

TEST_CASE("what is wrong with a stream is reported once, though it is read twice") {
  Bytes packed = gzip(joined(chunks()));
  packed.resize(packed.size() - 6);  // the checksum is cut
  const auto problems_of = [&packed](const ProfileRequest& request) {
    std::size_t position = 0;
    std::shared_ptr<Input> input = stream_input([&](std::span<std::byte> buffer) {
      const std::size_t count = std::min(buffer.size(), packed.size() - position);
      std::copy_n(packed.begin() + static_cast<std::ptrdiff_t>(position), count, buffer.begin());
      position += count;
      return count;
    });
    std::vector<Source> sources;
    sources.push_back({"stream", std::move(input)});
    return findings(read_profiles(std::move(sources), request).problems);
  };
  const std::string plain = problems_of(kinds({"cpu"}));
  CHECK(plain.find("bad_compression") != std::string::npos);
  CHECK(problems_of(between("+0s", "")) == plain);
}

TEST_CASE("a chunk that was never finished ends with its last event") {
  auto unfinished = jdk17_chunk().start_nanos(start_ns + 60 * second).duration_nanos(0);
  unfinished.header().file_state = 3;
  const auto stack = unfinished.stack({"D.park"});
  const auto sample = unfinished.stack({"D.sample"});
  unfinished.thread_park(
      {.stack = stack, .duration_ticks = 5 * second, .start_ticks = 1000 + 2 * second});
  unfinished.execution_sample({.stack = sample, .start_ticks = 1000 + 3 * second});
  // The end is that of the park, 67 s behind the start.
  std::vector<Bytes> all = chunks();
  all.push_back(unfinished.bytes());
  const std::vector<Bytes> recording{joined(all)};
  CHECK(cpu(recording, "-4s", "") == "D.sample 1 -\n");
  CHECK(cpu(recording, "-3999ms", "") == "");
  CHECK(cpu(recording, "-27s", "-4s") == "C.first 1 -\nC.last 1 -\n");
}

TEST_CASE("who reads events gets the range in ns since the epoch, and the stream to read again") {
  const Bytes bytes = joined(chunks());
  std::size_t position = 0;
  std::vector<Source> sources;
  sources.push_back({"stream", stream_input([&](std::span<std::byte> buffer) {
                       const std::size_t count = std::min(buffer.size(), bytes.size() - position);
                       std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(position), count,
                                   buffer.begin());
                       position += count;
                       return count;
                     })});
  FilterOptions filters;
  filters.from = {parse_time_point("+2s")};
  filters.to = {parse_time_point("-3s")};
  const TimeRange range = resolve_time_range(sources, filters);
  CHECK(range.from_ns == start_ns + 2 * second);
  CHECK(range.to_ns == start_ns + 47 * second);
  CHECK(range.contains(start_ns + 2 * second));
  CHECK(!range.contains(start_ns + 47 * second));
  CHECK(read_profiles(std::move(sources), kinds({"cpu"})).find("cpu")->count == 6);
  std::vector<Source> none;
  CHECK(!resolve_time_range(none, filters).from_ns);
  CHECK(TimeRange{}.contains(0));
}

TEST_CASE("a range whose ends are known only with the recording is an error when it is reversed") {
  CHECK_THROWS_AS((void)cpu({joined(chunks())}, "-1s", "+1s"), UsageError);
  CHECK(cpu({joined(chunks())}, "+25s", "-25s") == "");
}

TEST_CASE("ranges that meet add up over many chunks (goland-multichunk)") {
  const auto path = recording("grafana_jfr-parser__goland-multichunk.jfr.gz");
  if (!path) return;
  const auto count = [&](std::string_view from, std::string_view to) {
    return read_file(*path, between(from, to)).find("cpu")->count;
  };
  const std::uint64_t all = read_file(*path, kinds({"cpu"})).find("cpu")->count;
  const ProfileSet set = read_file(*path, kinds({"cpu"}));
  const std::int64_t length = *set.end_ns - *set.start_ns;
  const std::string third = std::to_string(length / 3) + "ns";
  const std::string rest = std::to_string(length - length / 3) + "ns";
  CHECK(count("", "+" + third) + count("+" + third, "") == all);
  // The same moment, counted from the other end.
  CHECK(count("", "-" + rest) == count("", "+" + third));
  CHECK(count("+" + third, "") == count("-" + rest, ""));
  CHECK(count("+" + third, "") < all);
}

TEST_CASE("spans choose samples of their thread and time, across chunks") {
  const auto make_chunk = [](std::int64_t begin_s) {
    auto chunk = async_profiler_4_chunk().start_nanos(start_ns + begin_s * second);
    chunk.duration_nanos(10 * second).start_ticks(1000 + begin_s * second);
    chunk.types().declare(TypeKind::event, "profiler.Span", 123,
                          "long startTime @Timestamp(TICKS); long duration @Timespan(TICKS); "
                          "Thread* eventThread; String* tag");
    return chunk;
  };
  const auto sample = [](StandardChunk& chunk, const char* method, std::int64_t thread,
                         std::int64_t at_s) {
    const auto key = chunk.thread({.os_name = "t", .os_id = thread});
    chunk.execution_sample({.stack = chunk.stack({method}),
                            .thread = key,
                            .state = "STATE_DEFAULT",
                            .start_ticks = 1000 + at_s * second});
  };
  const auto span = [](StandardChunk& chunk, const char* tag, std::int64_t thread,
                       std::int64_t from_s, std::int64_t to_s) {
    chunk.event("profiler.Span", {{"startTime", 1000 + from_s * second},
                                  {"duration", (to_s - from_s) * second},
                                  {"eventThread", chunk.thread({.os_name = "t", .os_id = thread})},
                                  {"tag", chunk.string_constant(tag)}});
  };
  auto first = make_chunk(0);
  sample(first, "Main.before", 1, 4);
  sample(first, "Main.first", 1, 5);
  sample(first, "Main.other", 2, 6);
  auto second_chunk = make_chunk(10);
  sample(second_chunk, "Main.second", 1, 11);
  sample(second_chunk, "Main.end", 1, 12);
  sample(second_chunk, "Main.cart", 2, 13);
  span(second_chunk, "checkout 7", 1, 5, 12);  // written where it ends
  span(second_chunk, "cart", 2, 13, 14);
  const Bytes recording = joined({first.bytes(), second_chunk.bytes()});
  ProfileRequest request = kinds({"cpu"});
  request.filters.spans = {"^checkout"};
  const std::string checkout = "Main.first 1 -\nMain.second 1 -\n";
  CHECK(lines_of(read({recording}, request), "cpu") == checkout);
  CHECK(cpu_of_stream(recording, request) == checkout);
  request.filters.spans = {"checkout", "cart"};
  CHECK(lines_of(read({recording}, request), "cpu") ==
        "Main.cart 1 -\nMain.first 1 -\nMain.second 1 -\n");
  request.filters.spans = {"none"};
  CHECK(lines_of(read({recording}, request), "cpu") == "");
  // Threads of another file are others, whatever their ids.
  request.filters.spans = {"checkout"};
  CHECK(read({recording, first.bytes()}, request).find("cpu")->count == 2);
}

TEST_CASE("spans of a recording that has none are an error") {
  ProfileRequest request = kinds({"cpu"});
  request.filters.spans = {"x"};
  CHECK_THROWS_AS((void)read({joined(chunks())}, request), ProfileNotFound);
}
