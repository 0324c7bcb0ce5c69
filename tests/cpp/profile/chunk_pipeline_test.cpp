#include "profile/chunk_pipeline.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "profile/reading.hpp"
#include "support/scenarios.hpp"

using namespace jfrtree;
using namespace jfrtree::internal;
using namespace jfrtree::test;

namespace {

/// Writes down what it is given.
class Recorder final : public ChunkHandler {
 public:
  void opened(std::size_t file, const Input& input) override {
    opened_files += std::to_string(file) + ' ' + std::string(input.name()) + "; ";
  }
  void chunk(std::size_t file, const ChunkInfo& info, const ChunkContents* contents,
             ProblemLog& log) override {
    const std::lock_guard lock(mutex_);
    if (throws_at != 0 && ++seen_ == throws_at) throw std::runtime_error("handler");
    chunks.insert(std::to_string(file) + ':' + std::to_string(info.number) +
                  (contents == nullptr ? " null" : ""));
    if (notes_each) log.note(ErrorCode::left_out, info.offset + notes_each--, "note");
  }
  void collapsed(std::size_t file, Input& input, ProblemLog&) override {
    chunks.insert(std::to_string(file) + " collapsed " + std::string(input.name()));
  }

  std::string opened_files;
  std::set<std::string> chunks;
  std::size_t throws_at = 0;
  std::uint64_t notes_each = 0;

 private:
  std::mutex mutex_;
  std::size_t seen_ = 0;
};

Bytes three_chunks() {
  const Bytes one = three_samples().bytes();
  return joined({one, one, one});
}

struct Sources {
  explicit Sources(std::vector<Bytes> recordings) : bytes(std::move(recordings)) {
    for (const Bytes& recording : bytes) {
      const std::string name = "s" + std::to_string(sources.size());
      sources.push_back({name, memory_input(recording, name)});
    }
  }
  std::vector<Bytes> bytes;
  std::vector<Source> sources;
};

}  // namespace

TEST_CASE("ChunkPipeline hands over every chunk of every source once, with any number of threads") {
  for (const unsigned threads : {0U, 1U, 2U, 7U}) {
    Sources inputs({three_chunks(), three_samples().bytes(), to_bytes("a;b 1\n")});
    Recorder recorder;
    ReadOptions options;
    options.threads = threads;
    ThreadTeam team(options.threads);
    ChunkPipeline pipeline(inputs.sources, options, {}, recorder, team);
    pipeline.run();
    CHECK(recorder.chunks == std::set<std::string>{"0:1", "0:2", "0:3", "1:1", "2 collapsed s2"});
    CHECK(recorder.opened_files == "0 s0; 1 s1; 2 s2; ");
  }
}

TEST_CASE("ChunkPipeline knows the lowest start and the highest end of all chunks") {
  auto early = three_samples().start_nanos(1'000).duration_nanos(50);
  auto late = three_samples().start_nanos(1'020).duration_nanos(100);
  auto inside = three_samples().start_nanos(1'010).duration_nanos(5);
  Sources inputs({joined({late.bytes(), inside.bytes()}), early.bytes()});
  Recorder recorder;
  const ReadOptions options;
  ThreadTeam team(options.threads);
  ChunkPipeline pipeline(inputs.sources, options, {}, recorder, team);
  CHECK_FALSE(pipeline.start_ns());
  CHECK_FALSE(pipeline.end_ns());
  pipeline.run();
  CHECK(pipeline.start_ns() == 1'000);
  CHECK(pipeline.end_ns() == 1'120);
}

TEST_CASE("ChunkPipeline goes on after a source that cannot be opened or is no recording") {
  Sources inputs({Bytes(100), three_samples().bytes()});
  inputs.sources.insert(inputs.sources.begin(), Source{"/no/such/file.jfr", nullptr});
  Recorder recorder;
  const ReadOptions options;
  ThreadTeam team(options.threads);
  ChunkPipeline pipeline(inputs.sources, options, {}, recorder, team);
  pipeline.run();
  CHECK(recorder.chunks == std::set<std::string>{"2:1"});
  const auto problems = pipeline.problems();
  REQUIRE(problems.size() == 2);
  CHECK(problems[0].code == ErrorCode::io_error);
  CHECK(problems[0].file == "/no/such/file.jfr");
  CHECK(problems[1].code == ErrorCode::not_a_recording);
  CHECK(problems[1].file == "s0");
}

TEST_CASE("ChunkPipeline throws when no source can be read, the reason being the first one's") {
  const ReadOptions options;
  ThreadTeam team(options.threads);
  Recorder recorder;
  Sources only({Bytes(100)});
  CHECK_THROWS_AS(ChunkPipeline(only.sources, options, {}, recorder, team).run(), FormatError);
  Sources none({Bytes(100)});
  none.sources.push_back({"/no/such/file.jfr", nullptr});
  CHECK_THROWS_AS(ChunkPipeline(none.sources, options, {}, recorder, team).run(), IoError);
  Sources missing({});
  missing.sources.push_back({"/no/such/file.jfr", nullptr});
  CHECK_THROWS_AS(ChunkPipeline(missing.sources, options, {}, recorder, team).run(), IoError);
}

TEST_CASE("ChunkPipeline hands over an empty chunk without contents") {
  HeaderFields header;
  header.chunk_size = 68;
  header.checkpoint_offset = 0;
  header.metadata_offset = 0;
  header.file_state = 1;
  Sources inputs({header.bytes()});
  Recorder recorder;
  const ReadOptions options;
  ThreadTeam team(options.threads);
  ChunkPipeline pipeline(inputs.sources, options, {}, recorder, team);
  pipeline.run();
  CHECK(recorder.chunks == std::set<std::string>{"0:1 null"});
  CHECK(findings(pipeline.problems()) == "[empty_chunk chunk 1 at 0]");
}

TEST_CASE("ChunkPipeline sorts problems by source, chunk and position") {
  Sources inputs({three_chunks(), three_chunks()});
  Recorder recorder;
  recorder.notes_each = 1'000'000;
  ReadOptions options;
  options.threads = 3;
  ThreadTeam team(options.threads);
  ChunkPipeline pipeline(inputs.sources, options, {}, recorder, team);
  pipeline.run();
  const auto problems = pipeline.problems();
  REQUIRE(problems.size() == 6);
  for (std::size_t i = 0; i < problems.size(); ++i) {
    CHECK(problems[i].file == (i < 3 ? "s0" : "s1"));
    CHECK(problems[i].chunk == i % 3 + 1);
  }
}

TEST_CASE("ChunkPipeline names an input that has no path by its own name") {
  const Bytes recording = three_samples().bytes();
  std::vector<Source> sources{{"", memory_input(recording, "mine")}};
  Recorder recorder;
  recorder.notes_each = 1;
  const ReadOptions options;
  ThreadTeam team(options.threads);
  ChunkPipeline pipeline(sources, options, {}, recorder, team);
  pipeline.run();
  REQUIRE(pipeline.problems().size() == 1);
  CHECK(pipeline.problems()[0].file == "mine");
}

TEST_CASE("ChunkPipeline passes on what a handler throws, also on other threads") {
  for (const std::size_t at : {1U, 2U, 3U}) {
    Sources inputs({three_chunks()});
    Recorder recorder;
    recorder.throws_at = at;
    ReadOptions options;
    options.threads = 3;
    ThreadTeam team(options.threads);
    ChunkPipeline pipeline(inputs.sources, options, {}, recorder, team);
    CHECK_THROWS_WITH_AS(pipeline.run(), "handler", std::runtime_error);
  }
}

TEST_CASE("ChunkPipeline stops when it is told to") {
  Sources inputs({three_chunks()});
  Recorder recorder;
  const std::atomic<bool> stop{true};
  ReadOptions options;
  options.stop = &stop;
  ThreadTeam team(options.threads);
  ChunkPipeline pipeline(inputs.sources, options, {}, recorder, team);
  CHECK_THROWS_AS(pipeline.run(), Interrupted);
  CHECK(recorder.chunks.empty());
}

TEST_CASE("ChunkPipeline reports progress up to all bytes") {
  Sources inputs({three_chunks(), three_chunks()});
  const std::uint64_t all = 2 * inputs.bytes[0].size();
  std::vector<std::uint64_t> done;
  std::uint64_t total = 0;
  ReadOptions options;
  options.threads = 2;
  options.progress = [&](std::uint64_t bytes, std::uint64_t of) {
    done.push_back(bytes);
    total = of;
  };
  Recorder recorder;
  ThreadTeam team(options.threads);
  ChunkPipeline pipeline(inputs.sources, options, {}, recorder, team);
  pipeline.run();
  CHECK(done.size() == 6);
  CHECK(std::is_sorted(done.begin(), done.end()));
  CHECK(done.back() == all);
  CHECK(total == all);
}

TEST_CASE("throw_first_problem passes over notes") {
  Problem note;
  note.severity = Severity::note;
  Problem problem;
  problem.code = ErrorCode::bad_event;
  CHECK_NOTHROW(throw_first_problem(std::vector<Problem>{note}));
  CHECK_THROWS_AS(throw_first_problem(std::vector<Problem>{note, problem}), FormatError);
  problem.code = ErrorCode::limit_exceeded;
  CHECK_THROWS_AS(throw_first_problem(std::vector<Problem>{problem}), LimitError);
}
