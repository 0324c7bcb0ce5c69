/// What must not matter: order of inputs, number of threads, kind of input, way of splitting.

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include <jfrtree/export.hpp>
#include <jfrtree/output.hpp>

#include "io/compressed.hpp"
#include "io/temporary_folder.hpp"
#include "profile/reading.hpp"
#include "support/scenarios.hpp"
#include "support/test_paths.hpp"

using namespace jfrtree;
using namespace jfrtree::test;

namespace {

std::string text_of(const Bytes& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// A chunk of async-profiler. Only the first of a process says what its samples are.
Bytes chunk_of(std::int64_t start_ns, std::int64_t pid, bool has_settings, const char* leaf) {
  auto chunk = async_profiler_2_chunk().start_nanos(start_ns);
  chunk.jvm_information({.pid = pid});
  if (has_settings) {
    chunk.active_setting({.name = "event", .value = pid == 1 ? "cpu" : "wall"});
    chunk.active_setting({.name = "interval", .value = std::to_string(pid * 1'000)});
  }
  const auto stack = chunk.stack({"Main.main", leaf});
  chunk.execution_sample({.stack = stack}).execution_sample({.stack = chunk.stack({"Main.main"})});
  const auto bytes = chunk.class_constant("[B");
  chunk.allocation_outside_tlab({.stack = stack, .object_class = bytes, .allocation_size = 24});
  return chunk.bytes();
}

std::vector<Bytes> two_processes() {
  return {chunk_of(100, 1, true, "Main.a"), chunk_of(200, 1, false, "Main.b"),
          chunk_of(110, 2, true, "Main.a"), chunk_of(210, 2, false, "Main.c")};
}

/// Collapsed stacks of a profile by count.
std::string collapsed(const Profile& profile) {
  std::string text;
  const auto output = string_output(text);
  write_collapsed(*output, profile, 0);
  output->commit();
  return text;
}

std::string collapsed_stacks_of(const std::vector<Bytes>& recordings,
                                const ProfileRequest& request) {
  return collapsed(read(recordings, request).profiles.at(0));
}

ProfileSet read_stream(const std::string& text, std::size_t piece) {
  std::vector<Source> sources{{"s", stream_input(pieces_of(text, piece), "s")}};
  return read_profiles(std::move(sources), {});
}

}  // namespace

TEST_CASE(
    "settings of a process's first chunk hold for its later chunks, not for another process") {
  const ProfileSet set = read({joined(two_processes())});
  CHECK(lines_of(set, "cpu") ==
        "Main.main 2 2000\nMain.main > Main.a 1 1000\nMain.main > Main.b 1 1000\n");
  CHECK(lines_of(set, "wall") ==
        "Main.main 2 4000\nMain.main > Main.a 1 2000\nMain.main > Main.c 1 2000\n");
}

TEST_CASE("the order of the inputs does not matter, to the byte") {
  const std::vector<Bytes> inputs = two_processes();
  const std::string expected = documents_of(read(inputs));
  CHECK(expected.find("\"kind\":\"wall\"") != std::string::npos);
  std::vector<std::size_t> order{0, 1, 2, 3};
  do {
    std::vector<Bytes> permuted;
    for (const std::size_t input : order) permuted.push_back(inputs[input]);
    CHECK(documents_of(read(permuted)) == expected);
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST_CASE("many inputs in one call are the sum of each of them, real ones too") {
  std::vector<Bytes> inputs;
  std::uint64_t samples = 0;
  for (const char* name :
       {"jdk17-mixed.jfr", "jdk25-mixed.jfr", "jdk17-chunks.jfr", "jdk25-virtual.jfr"}) {
    inputs.push_back(bytes_of(testdata(name)));
    samples += read({inputs.back()}).find("cpu")->count;
  }
  const ProfileSet forward = read(inputs);
  std::reverse(inputs.begin(), inputs.end());
  CHECK(documents_of(read(inputs)) == documents_of(forward));
  CHECK(forward.find("cpu")->count == samples);
  // The JDK's counts: 755 + 517 + 368 + 400, and monitors 85 + 72 + 6.
  CHECK(samples == 2'040);
  CHECK(totals_of(forward, "lock") == "lock: 163, 793794566 (163) delay/nanoseconds");
}

TEST_CASE("the number of threads does not matter, to the byte") {
  const std::vector<Bytes> inputs{joined(two_processes()), bytes_of(testdata("jdk17-chunks.jfr"))};
  ReadOptions options;
  const ProfileSet one = read(inputs, {}, options);
  for (const unsigned threads : {2U, 3U, 16U}) {
    options.threads = threads;
    const ProfileSet many = read(inputs, {}, options);
    CHECK(documents_of(many) == documents_of(one));
    CHECK(findings(many.problems) == findings(one.problems));
    CHECK(many.statistics.stack_insertions == one.statistics.stack_insertions);
    CHECK(many.start_ns == one.start_ns);
    CHECK(many.end_ns == one.end_ns);
  }
}

TEST_CASE("the number of threads does not matter for a real file of six chunks") {
  const auto path = recording("grafana_jfr-parser__goland-multichunk.jfr.gz");
  if (!path) return;
  const Bytes plain = bytes_of(*path);
  ReadOptions options;
  const std::string one = documents_of(read({plain}, {}, options));
  options.threads = 4;
  CHECK(documents_of(read({plain}, {}, options)) == one);
  CHECK(documents_of(read_file(*path, {}, options)) == one);
}

TEST_CASE("file, memory and streams of any piece size give the same") {
  const Bytes bytes = joined(two_processes());
  const std::string expected = documents_of(read({bytes}));
  const TemporaryFolder folder;
  CHECK(documents_of(read_file(folder.file("r.jfr", text_of(bytes)))) == expected);
  for (const std::size_t piece : {1U, 7U, 4'096U, 1U << 20}) {
    CHECK(documents_of(read_stream(text_of(bytes), piece)) == expected);
  }
}

TEST_CASE("gzip, zstd, LZ4 and zip give the same as the plain file") {
  const std::string plain = text_of(joined(two_processes()));
  const std::string expected = documents_of(read_stream(plain, 4'096));
  const std::vector<std::string> packed{gzip(plain), zstd(plain), lz4(plain),
                                        zip({{.name = "r.jfr", .contents = plain}})};
  for (const std::string& bytes : packed) {
    CHECK(documents_of(read({to_bytes(bytes)})) == expected);
    CHECK(documents_of(read_stream(bytes, 5)) == expected);
  }
}

TEST_CASE("a file is the sum of its chunks") {
  std::vector<Bytes> chunks = two_processes();
  CHECK(documents_of(read({joined(chunks)})) == documents_of(read(chunks)));
  const auto path = recording("grafana_jfr-parser__goland-multichunk.jfr.gz");
  if (!path) return;
  const Bytes whole = bytes_of(*path);
  const std::size_t starts[] = {0,         3'478'261,  5'185'660,   6'675'997,
                                9'173'414, 11'530'201, whole.size()};
  chunks.clear();
  for (std::size_t i = 0; i + 1 < std::size(starts); ++i) {
    chunks.emplace_back(whole.begin() + static_cast<std::ptrdiff_t>(starts[i]),
                        whole.begin() + static_cast<std::ptrdiff_t>(starts[i + 1]));
  }
  CHECK(documents_of(read(chunks)) == documents_of(read({whole})));
}

TEST_CASE("merging collapsed stacks gives the same as merging recordings") {
  const std::vector<Bytes> recordings{bytes_of(testdata("jdk17-mixed.jfr")),
                                      bytes_of(testdata("jdk17-chunks.jfr"))};
  const std::string together = collapsed_stacks_of(recordings, kinds({"cpu"}));
  std::vector<Bytes> converted;
  for (const Bytes& recording : recordings) {
    converted.push_back(to_bytes(collapsed_stacks_of({recording}, kinds({"cpu"}))));
  }
  CHECK(collapsed_stacks_of(converted, {}) == together);
}

TEST_CASE("the same chunk in two inputs is counted twice, with a note") {
  const Bytes recording = three_samples().bytes();
  const ProfileSet set = read({recording, recording});
  CHECK(set.find("cpu")->count == 2 * three_samples_count);
  REQUIRE(set.problems.size() == 1);
  CHECK(set.problems[0].code == ErrorCode::repeated_chunk);
  CHECK(set.problems[0].message.find("1.jfr") != std::string::npos);
  CHECK(set.problems[0].file == "2.jfr");
}
