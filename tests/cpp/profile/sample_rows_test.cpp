/// Rows of samples by bucket of time: what they hold, and that their sums are those of the profile.

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <jfrtree/sample_rows.hpp>

#include "profile/bucket_clock.hpp"
#include "profile/reading.hpp"
#include "support/scenarios.hpp"
#include "support/test_paths.hpp"

using namespace jfrtree;
using namespace jfrtree::test;

namespace {

constexpr std::int64_t second = 1'000'000'000;
/// A start of chunks that is no multiple of ten seconds.
constexpr std::int64_t start = 1'700'000'003 * second;

/// Rows as text, one a line: `kind bucket thread frames count value`; buckets in seconds since
/// `start`, rounded down to tens.
class TextSink final : public SampleRowSink {
 public:
  void chunk(const SampleChunk& chunk) override {
    for (const SampleRow& row : chunk.rows) {
      const SampleStack& stack = chunk.stacks[row.stack];
      text += chunk.kinds[row.kind].name + " " +
              std::to_string((row.bucket_start_ns - start + 3 * second) / second) + " ";
      if (!chunk.threads[row.thread].empty()) text += "(" + chunk.threads[row.thread] + ") ";
      for (const std::uint32_t frame : chunk.frames_of(stack)) {
        text += std::string(chunk.frame_texts[frame]) + " ";
      }
      text += std::to_string(row.count) + " " +
              (row.has_value ? std::to_string(row.value) : std::string("-")) + "\n";
    }
    ++chunks;
  }

  std::string text;
  int chunks = 0;
};

std::vector<Source> sources_of(const std::vector<Bytes>& recordings) {
  std::vector<Source> sources;
  for (const Bytes& bytes : recordings) {
    const std::string name = std::to_string(sources.size() + 1) + ".jfr";
    sources.push_back({name, std::shared_ptr<Input>(memory_input(bytes, name))});
  }
  return sources;
}

std::string rows_of(const std::vector<Bytes>& recordings, const SampleRowRequest& request = {},
                    unsigned threads = 1) {
  TextSink sink;
  ReadOptions options;
  options.threads = threads;
  const SampleRowResult result = read_sample_rows(sources_of(recordings), request, sink, options);
  return sink.text;
}

StandardChunk chunk_at(std::int64_t start_ns) {
  auto chunk = jdk17_chunk();
  chunk.start_nanos(start_ns).ticks_per_second(1'000'000).start_ticks(0);
  chunk.duration_nanos(60 * second);
  return chunk;
}

/// Ticks of a chunk of `chunk_at`.
std::int64_t ticks(double seconds) { return static_cast<std::int64_t>(seconds * 1'000'000); }

using Sums = std::pair<std::uint64_t, std::uint64_t>;
using Key = std::tuple<std::string, std::string, std::vector<std::string>>;

/// Sums of rows over all buckets, by kind, thread and stack.
class SumSink final : public SampleRowSink {
 public:
  void chunk(const SampleChunk& chunk) override {
    std::optional<std::tuple<std::uint32_t, std::int64_t, std::uint64_t, std::uint32_t>> last;
    for (const SampleRow& row : chunk.rows) {
      const SampleStack& stack = chunk.stacks[row.stack];
      std::vector<std::string> frames;
      std::vector<std::string_view> views;
      for (const std::uint32_t frame : chunk.frames_of(stack)) {
        frames.emplace_back(chunk.frame_texts[frame]);
        views.push_back(chunk.frame_texts[frame]);
      }
      CHECK(stack_hash(views) == stack.hash);
      if (frames.empty()) frames.emplace_back("[no stack]");
      Sums& sums = by_stack[{chunk.kinds[row.kind].name, chunk.threads[row.thread], frames}];
      sums.first += row.count;
      sums.second += row.value;
      const std::tuple key(row.kind, row.bucket_start_ns, stack.hash, row.thread);
      if (last) CHECK(*last < key);
      last = key;
      buckets.push_back(row.bucket_start_ns);
    }
  }

  std::map<Key, Sums> by_stack;
  std::vector<std::int64_t> buckets;
};

/// The same of a profile.
std::map<Key, Sums> sums_of(const ProfileSet& set) {
  std::map<Key, Sums> by_stack;
  for (const Profile& profile : set.profiles) {
    if (profile.is_snapshot) continue;
    for (const StackSum& stack : profile.stacks) {
      std::vector<std::string> frames;
      for (const FrameId frame : profile.frames(stack)) {
        frames.emplace_back(profile.frame_table->text(frame));
      }
      std::string thread;
      if (profile.has_thread_frame) {
        thread = frames.front().substr(1, frames.front().size() - 2);
        frames.erase(frames.begin());
      }
      by_stack[{profile.kind, thread, frames}] = {stack.count, stack.value};
    }
  }
  return by_stack;
}

}  // namespace

TEST_CASE("stack hashes are the documented ones") {
  // By another implementation of XXH64 over the bytes written out by hand.
  const std::array<std::string_view, 2> one = {"ab", "c"};
  const std::array<std::string_view, 2> other = {"a", "bc"};
  const std::array<std::string_view, 3> third = {"Main.main", "Main.run", "byte[]"};
  CHECK(stack_hash({}) == 17241709254077376921U);
  CHECK(stack_hash(one) == 14112746095063980423U);
  CHECK(stack_hash(other) == 11721622475060598269U);
  CHECK(stack_hash(third) == 11391678530262992923U);
}

TEST_CASE("the length of a long frame takes two bytes in the hash") {
  // The reference is libxxhash's XXH64 of AC 02 and 300 times x.
  const std::string long_frame(300, 'x');
  const std::array<std::string_view, 1> frames = {long_frame};
  CHECK(stack_hash(frames) == 10488152372916739617U);
}

TEST_CASE("samples fall into buckets aligned to the epoch, each bucket a row") {
  auto chunk = chunk_at(start);
  const auto stack = chunk.stack({"Main.main", "Main.run"});
  // The bucket of the start ends 7 s later, the next one 17 s later.
  for (const double at : {0.0, 6.999999, 7.0, 16.999999, 17.0}) {
    chunk.execution_sample({.stack = stack, .start_ticks = ticks(at)});
  }
  CHECK(rows_of({chunk.bytes()}) ==
        "cpu 0 Main.main Main.run 2 -\ncpu 10 Main.main Main.run 2 -\n"
        "cpu 20 Main.main Main.run 1 -\n");
  SampleRowRequest whole;
  whole.bucket_ns = 0;
  CHECK(rows_of({chunk.bytes()}, whole) == "cpu 3 Main.main Main.run 5 -\n");
}

TEST_CASE("bucket clock: every tick is in the bucket that its time is in") {
  ChunkInfo chunk;
  chunk.header.start_ns = start;
  chunk.header.start_ticks = 5'000;
  chunk.header.ticks_per_second = 3;  // coarse: bounds lie between ticks
  Field field;
  field.content = ContentType::timestamp_ticks;
  for (const std::uint64_t bucket : {1'000'000'000U, 700'000'000U, 2'000'000'000U}) {
    internal::BucketClock clock;
    for (std::int64_t tick = 4'900; tick < 5'300; ++tick) {
      const std::int64_t time = chunk.to_epoch_ns(tick);
      const std::int64_t bucket_start =
          clock.bucket_start(&field, static_cast<std::uint64_t>(tick), chunk, bucket);
      CHECK(bucket_start <= time);
      CHECK(time - bucket_start < static_cast<std::int64_t>(bucket));
      CHECK(bucket_start % static_cast<std::int64_t>(bucket) == 0);
    }
  }
  CHECK(internal::bucket_start_of(-1, 10) == -10);
  CHECK(internal::bucket_start_of(-10, 10) == -10);
}

TEST_CASE("rows by thread keep the thread apart from the stack") {
  auto chunk = chunk_at(start);
  const auto stack = chunk.stack({"Main.main"});
  const auto one = chunk.thread({.java_name = "worker-1", .os_id = 11});
  const auto two = chunk.thread({.java_name = "worker-2", .os_id = 12});
  for (const auto thread : {one, two, two}) {
    chunk.execution_sample({.stack = stack, .thread = thread, .start_ticks = 0});
  }
  SampleRowRequest request;
  request.profile.frames.by_thread = true;
  CHECK(rows_of({chunk.bytes()}, request) ==
        "cpu 0 (worker-1 tid=11) Main.main 1 -\ncpu 0 (worker-2 tid=12) Main.main 2 -\n");
  request.profile.frames.fold_thread_names = true;
  CHECK(rows_of({chunk.bytes()}, request) == "cpu 0 (worker-*) Main.main 3 -\n");
}

TEST_CASE("samples without a stack have the empty stack, unless there is a class leaf") {
  auto chunk = chunk_at(start);
  chunk.execution_sample({.stack = 0, .start_ticks = 0});
  chunk.allocation_outside_tlab({.stack = 0,
                                 .object_class = chunk.class_constant("[B"),
                                 .allocation_size = 40,
                                 .start_ticks = 0});
  CHECK(rows_of({chunk.bytes()}) == "cpu 0 1 -\nalloc 0 [no stack] byte[] 1 40\n");
}

TEST_CASE("a sampling period that only an earlier chunk tells gives the values of a later one") {
  const auto profiler_chunk = [](std::int64_t at) {
    auto chunk = async_profiler_4_chunk();
    chunk.start_nanos(at).ticks_per_second(1'000'000).start_ticks(0);
    chunk.execution_sample(
        {.stack = chunk.stack({"Main.main"}), .state = "STATE_DEFAULT", .start_ticks = 0});
    return chunk;
  };
  auto first = profiler_chunk(start);
  first.active_setting({.name = "event", .value = "cpu"});
  first.active_setting({.name = "interval", .value = "10000000"});
  const auto second_chunk = profiler_chunk(start + 10 * second);
  const Bytes recording = joined({first.bytes(), second_chunk.bytes()});
  CHECK(rows_of({recording}) == "cpu 0 Main.main 1 10000000\ncpu 10 Main.main 1 10000000\n");
  CHECK(rows_of({second_chunk.bytes()}) == "cpu 10 Main.main 1 -\n");
}

TEST_CASE("every snapshot is handed out and marked") {
  auto chunk = async_profiler_4_chunk();
  chunk.start_nanos(start);
  chunk.event("profiler.LiveObject", {{"stackTrace", chunk.stack({"Main.main"})},
                                      {"objectClass", chunk.class_constant("[B")},
                                      {"allocationSize", std::int64_t{5}}});
  struct MarkSink final : SampleRowSink {
    void chunk(const SampleChunk& chunk) override {
      for (const SampleKind& kind : chunk.kinds) marks += kind.is_snapshot ? "s" : "-";
    }
    std::string marks;
  } sink;
  const Bytes two = joined({chunk.bytes(), chunk.bytes()});
  (void)read_sample_rows(sources_of({two}), {}, sink);
  CHECK(sink.marks == "ss");
}

TEST_CASE("chunks that a sink does not want are counted but not handed out") {
  struct PickySink final : SampleRowSink {
    bool wants(const SampleChunkPlace& place) override { return place.info.number != 1; }
    void chunk(const SampleChunk& chunk) override { numbers.push_back(chunk.place.info.number); }
    std::vector<std::uint64_t> numbers;
  } sink;
  auto chunk = chunk_at(start);
  chunk.execution_sample({.stack = chunk.stack({"Main.main"}), .start_ticks = 0});
  const Bytes three = joined({chunk.bytes(), chunk.bytes(), chunk.bytes()});
  const SampleRowResult result = read_sample_rows(sources_of({three}), {}, sink);
  CHECK(sink.numbers == std::vector<std::uint64_t>{2, 3});
  CHECK(result.skipped_chunks == 1);
  CHECK(result.statistics.chunks == 3);
  CHECK(result.statistics.events == 3);
}

TEST_CASE("the hash of a chunk leaves its state and flags out, and nothing else") {
  struct HashSink final : SampleRowSink {
    void chunk(const SampleChunk& chunk) override { hashes.push_back(chunk.place.hash); }
    std::vector<std::uint64_t> hashes;
  } sink;
  auto chunk = chunk_at(start);
  chunk.execution_sample({.stack = chunk.stack({"Main.main"}), .start_ticks = 0});
  const Bytes plain = chunk.bytes();
  Bytes final_chunk = plain;
  final_chunk[67] ^= std::byte{2};
  Bytes longer = plain;
  longer[47] ^= std::byte{1};  // the duration
  (void)read_sample_rows(sources_of({plain, final_chunk, longer}), {}, sink);
  REQUIRE(sink.hashes.size() == 3);
  CHECK(sink.hashes[0] == sink.hashes[1]);
  CHECK(sink.hashes[0] != sink.hashes[2]);
}

TEST_CASE("what has no rows is refused") {
  TextSink sink;
  SampleRowRequest leak;
  leak.profile.kinds = {"native-mem"};
  leak.profile.leak = true;
  CHECK_THROWS_AS((void)read_sample_rows({}, leak, sink), UsageError);
  SampleRowRequest unknown;
  unknown.profile.kinds = {"heap"};
  CHECK_THROWS_AS((void)read_sample_rows({}, unknown, sink), UsageError);
}

TEST_CASE("a sink that throws ends the reading, whoever waits for its turn") {
  struct ThrowingSink final : SampleRowSink {
    void chunk(const SampleChunk& chunk) override {
      if (chunk.place.info.number == 2) throw UsageError("enough");
    }
  } sink;
  auto chunk = chunk_at(start);
  chunk.execution_sample({.stack = chunk.stack({"Main.main"}), .start_ticks = 0});
  std::vector<Bytes> copies(12, chunk.bytes());
  ReadOptions options;
  options.threads = 4;
  CHECK_THROWS_AS((void)read_sample_rows(sources_of({joined(copies)}), {}, sink, options),
                  UsageError);
}

TEST_CASE("sums over all buckets are those of the profile, whatever bucket and threads") {
  for (const char* name :
       {"jdk17-mixed.jfr", "jdk17-chunks.jfr", "jdk25-kinds.jfr", "openjdk_jmc__jdk15.jfr",
        "grafana_jfr-parser__wall_tick_sample.jfr.gz",
        "grafana_jfr-parser__goland-multichunk.jfr.gz", "btraceio_jafar__tck-test.jfr"}) {
    const std::optional<std::filesystem::path> path =
        std::string_view(name).starts_with("jdk") ? std::optional(testdata(name)) : recording(name);
    if (!path) return;
    CAPTURE(name);
    for (const bool by_thread : {false, true}) {
      SampleRowRequest request;
      request.profile.frames.by_thread = by_thread;
      request.profile.frames.normalize = true;
      request.bucket_ns = by_thread ? 700'000'000 : 10'000'000'000;
      const std::map<Key, Sums> expected = sums_of(read_file(*path, request.profile));
      for (const unsigned threads : {1U, 3U}) {
        SumSink sink;
        ReadOptions options;
        options.threads = threads;
        (void)read_sample_rows({{path->string(), nullptr}}, request, sink, options);
        std::erase_if(sink.by_stack,
                      [](const auto& entry) { return std::get<0>(entry.first) == "live"; });
        CHECK(sink.by_stack == expected);
        CHECK(std::all_of(sink.buckets.begin(), sink.buckets.end(), [&](std::int64_t bucket) {
          return bucket % static_cast<std::int64_t>(request.bucket_ns) == 0;
        }));
      }
    }
  }
}
