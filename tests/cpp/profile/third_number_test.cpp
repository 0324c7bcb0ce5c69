/// The kind `io` has a third number beside count and value: bytes.

#include <doctest/doctest.h>

#include <jfrtree/call_tree.hpp>
#include <jfrtree/export.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "export/written.hpp"
#include "profile/reading.hpp"
#include "profile/tree_text.hpp"
#include "support/scenarios.hpp"

using namespace jfrtree;
using namespace jfrtree::test;

namespace {

/// Two reads of 40 and 2 bytes, a force, a read from a socket of 1,000 bytes.
StandardChunk io_chunk() {
  auto chunk = jdk17_chunk().ticks_per_second(1'000'000'000);
  const auto load = chunk.stack({"Main.main", "Main.load"});
  const auto receive = chunk.stack({"Main.main", "Main.receive"});
  const auto read = [&](std::string_view event, std::uint64_t stack, std::int64_t duration,
                        std::int64_t bytes) {
    chunk.event(event, {{"stackTrace", stack}, {"duration", duration}, {"bytesRead", bytes}});
  };
  read("jdk.FileRead", load, 5, 40);
  read("jdk.SocketRead", receive, 300, 1'000);
  read("jdk.FileRead", load, 6, 2);
  return chunk;
}

ReadOptions with_threads(unsigned threads) {
  ReadOptions options;
  options.threads = threads;
  return options;
}

const Profile& io_of(const ProfileSet& set) {
  const Profile* profile = set.find("io");
  REQUIRE(profile != nullptr);
  return *profile;
}

}  // namespace

TEST_CASE("io: operations, their time, and the bytes read or written") {
  const ProfileSet set = read({io_chunk().bytes()});
  const Profile& io = io_of(set);
  CHECK(totals_of(set, "io") == "io: 3, 311 (3) io/nanoseconds");
  REQUIRE(io.sample_types.size() == 3);
  CHECK(io.sample_types[2].full_name() == "io_bytes/bytes");
  REQUIRE(io.stacks.size() == 2);
  CHECK(io.number(io.stacks[0], 0) == 2);
  CHECK(io.number(io.stacks[0], 1) == 11);
  CHECK(io.number(io.stacks[0], 2) == 42);
  CHECK(io.number(io.stacks[1], 2) == 1'000);
}

TEST_CASE("stacks of io have a field bytes, in every chunk, file and thread") {
  const std::string expected =
      R"({"kind":"io","stack":["Main.main","Main.load"],"count":4,"value":22,"bytes":84})"
      "\n"
      R"({"kind":"io","stack":["Main.main","Main.receive"],"count":2,"value":600,"bytes":2000})"
      "\n";
  const Bytes one = io_chunk().bytes();
  for (const auto& inputs :
       {std::vector<Bytes>{joined({one, one})}, std::vector<Bytes>{one, one}}) {
    const ProfileSet set = read(inputs, {}, with_threads(2));
    CHECK(written([&](Output& output) { write_stacks(output, set.profiles); }) == expected);
  }
  ProfileRequest request;
  request.frames.by_thread = true;
  const ProfileSet set = read({one}, request);
  CHECK(written([&](Output& output) { write_stacks(output, set.profiles); }) ==
        R"({"kind":"io","stack":["Main.main","Main.load"],"thread":"unknown thread","count":2,)"
        R"("value":11,"bytes":42})"
        "\n"
        R"({"kind":"io","stack":["Main.main","Main.receive"],"thread":"unknown thread","count":1,)"
        R"("value":300,"bytes":1000})"
        "\n");
}

TEST_CASE("the bytes are found as bytes, io_bytes or io_bytes/bytes") {
  const ProfileSet set = read({io_chunk().bytes()});
  const Profile& io = io_of(set);
  CHECK(io.find_sample_type("bytes") == 2);
  CHECK(io.find_sample_type("io_bytes") == 2);
  CHECK(io.find_sample_type("io_bytes/bytes") == 2);
  CHECK(io.find_sample_type("value") == 1);
  CHECK(io.find_sample_type("count") == 0);
  CHECK_THROWS_WITH_AS((void)io.find_sample_type("octets"), doctest::Contains("io_bytes/bytes"),
                       UsageError);
}

TEST_CASE("trees, tables and collapsed stacks hold the bytes as well") {
  const ProfileSet set = read({io_chunk().bytes()});
  const Profile& io = io_of(set);
  for (const bool reverse : {false, true}) {
    const CallTree tree = build_call_tree(io, reverse);
    tree.check();
    REQUIRE(tree.total.size() == 3);
    CHECK(tree.total[2][0] == 1'042);
  }
  const auto methods = method_sums(io, 2);
  REQUIRE(methods.size() == 3);
  CHECK(io.frame_table->text(methods[0].frame) == "Main.receive");
  CHECK(methods[0].self == std::vector<std::uint64_t>{1, 300, 1'000});
  CHECK(io.frame_table->text(methods[1].frame) == "Main.load");
  CHECK(methods[1].self == std::vector<std::uint64_t>{2, 11, 42});
  CHECK(methods[2].total == std::vector<std::uint64_t>{3, 311, 1'042});
  CHECK(written([&](Output& output) { write_collapsed(output, io, 2); }) ==
        "Main.main;Main.load 42\nMain.main;Main.receive 1000\n");
}

TEST_CASE("a cut tree keeps the sum of the bytes") {
  const ProfileSet set = read({io_chunk().bytes()});
  const CallTree tree = prune(build_call_tree(io_of(set)), {.sample_type = 2, .max_nodes = 2});
  tree.check();
  CHECK(tree.total[2][0] == 1'042);
}

TEST_CASE("bytes that are negative are a problem and count as 0, those not available as 0") {
  auto chunk = jdk17_chunk().ticks_per_second(1'000'000'000);
  const auto stack = chunk.stack({"Main.main"});
  const auto read_bytes = [&](std::int64_t bytes) {
    chunk.event("jdk.FileRead", {{"stackTrace", stack}, {"duration", 1}, {"bytesRead", bytes}});
  };
  read_bytes(std::numeric_limits<std::int64_t>::min());
  CHECK(findings(read({chunk.bytes()}).problems).empty());
  read_bytes(-1);
  read_bytes(9);
  const ProfileSet set = read({chunk.bytes()});
  CHECK(io_of(set).number(io_of(set).stacks[0], 2) == 9);
  CHECK(io_of(set).value == 3);
  CHECK(findings(set.problems).starts_with("value_out_of_range chunk 1"));
}

TEST_CASE("so many bytes that a sum cannot hold them are a problem") {
  auto chunk = jdk17_chunk();
  const auto stack = chunk.stack({"Main.main"});
  for (int i = 0; i < 5; ++i) {
    chunk.event("jdk.FileRead", {{"stackTrace", stack}, {"bytesRead", std::int64_t{1} << 62}});
  }
  const ProfileSet set = read({chunk.bytes()});
  CHECK(findings(set.problems).find("value_out_of_range") != std::string::npos);
  CHECK(io_of(set).number(io_of(set).stacks[0], 2) == ~std::uint64_t{0});
}

TEST_CASE("the summary has the sum of the bytes") {
  const RecordingSummary summary = summary_of({io_chunk().bytes()});
  REQUIRE(summary.profiles.size() == 1);
  CHECK(summary.profiles[0].total == 311);
  CHECK(summary.profiles[0].further_totals == std::vector<std::uint64_t>{1'042});
}

TEST_CASE("a stack is no larger for the third number of some kinds") {
  CHECK(sizeof(StackSum) == 32);
}
