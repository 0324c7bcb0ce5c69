/// What threads are called: renamed, unnamed, virtual and unknown ones, folded and in groups.

#include <doctest/doctest.h>

#include <functional>
#include <string>
#include <vector>

#include "profile/reading.hpp"
#include "profile/thread_name.hpp"
#include "support/standard_chunk.hpp"

using namespace jfrtree;
using namespace jfrtree::test;
using jfrtree::internal::fold_digits;

namespace {

/// Thread frames of samples by these threads, in byte order, with the number of samples.
std::string threads_of(StandardChunk chunk, const std::vector<ThreadSpec>& threads,
                       const std::function<void(FrameOptions&)>& set) {
  const auto stack = chunk.stack({"Main.run"});
  for (const ThreadSpec& thread : threads) {
    chunk.execution_sample({.stack = stack, .thread = chunk.thread(thread)});
  }
  chunk.execution_sample({.stack = stack, .thread = 77});
  chunk.execution_sample({.stack = stack});
  ProfileRequest request = kinds({"cpu"});
  set(request.frames);
  const ProfileSet set_of = read({chunk.bytes()}, request);
  CHECK(set_of.find("cpu")->has_thread_frame);
  return lines_of(set_of, "cpu");
}

const std::vector<ThreadSpec> some_threads = {
    {.java_name = "pool-3-thread-17", .os_name = "os", .java_id = 5, .os_id = 101, .key = 101},
    {.java_name = "pool-3-thread-18", .java_id = 6, .os_id = 102, .key = 102},
    {.java_name = "main", .java_id = 1, .os_id = 103, .key = 103},
    {.os_name = "GC Thread#0", .os_id = 104, .key = 104},
    {.os_id = 105, .key = 105},
};

std::string error_of(const std::vector<std::string>& groups) {
  ProfileRequest request;
  request.frames.thread_groups = groups;
  try {
    (void)read({jdk17_chunk().bytes()}, request);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("a thread is called by its Java name, else the system's, else by its id alone") {
  CHECK(threads_of(jdk17_chunk(), some_threads,
                   [](FrameOptions& options) { options.by_thread = true; }) ==
        "[GC Thread#0 tid=104] > Main.run 1 -\n"
        "[main tid=103] > Main.run 1 -\n"
        "[pool-3-thread-17 tid=101] > Main.run 1 -\n"
        "[pool-3-thread-18 tid=102] > Main.run 1 -\n"
        "[tid=105] > Main.run 1 -\n"
        "[unknown thread] > Main.run 2 -\n");
}

TEST_CASE("folding turns runs of digits into a star, drops ids and implies thread frames") {
  CHECK(threads_of(jdk17_chunk(), some_threads,
                   [](FrameOptions& options) { options.fold_thread_names = true; }) ==
        "[GC Thread#*] > Main.run 1 -\n"
        "[main] > Main.run 1 -\n"
        "[pool-*-thread-*] > Main.run 2 -\n"
        "[tid=*] > Main.run 1 -\n"
        "[unknown thread] > Main.run 2 -\n");
  CHECK(fold_digits("") == "");
  CHECK(fold_digits("12a3") == "*a*");
  // Digits of other scripts are part of a name.
  CHECK(fold_digits("t\xd9\xa1") == "t\xd9\xa1");
}

TEST_CASE("a group is what the part in parentheses took, and other names stay without their id") {
  CHECK(threads_of(jdk17_chunk(), some_threads,
                   [](FrameOptions& options) {
                     options.thread_groups = {"^(pool)-\\d+", "(GC|JIT) Thread"};
                   }) ==
        "[GC] > Main.run 1 -\n"
        "[main] > Main.run 1 -\n"
        "[pool] > Main.run 2 -\n"
        "[tid=105] > Main.run 1 -\n"
        "[unknown thread] > Main.run 2 -\n");
}

TEST_CASE("groups are made first, then names are folded, and an empty group is none") {
  CHECK(threads_of(jdk17_chunk(), some_threads,
                   [](FrameOptions& options) {
                     options.fold_thread_names = true;
                     options.thread_groups = {"(pool-\\d+)", "main(x?)"};
                   }) ==
        "[GC Thread#*] > Main.run 1 -\n"
        "[main] > Main.run 1 -\n"
        "[pool-*] > Main.run 2 -\n"
        "[tid=*] > Main.run 1 -\n"
        "[unknown thread] > Main.run 2 -\n");
}

TEST_CASE("a virtual thread without a name is called virtual-thread") {
  CHECK(threads_of(jdk25_chunk(),
                   {{.os_name = "ForkJoinPool-1-worker-1", .java_id = 31, .is_virtual = true},
                    {.java_name = "order-1", .java_id = 32, .is_virtual = true}},
                   [](FrameOptions& options) { options.by_thread = true; }) ==
        "[order-1 tid=32] > Main.run 1 -\n"
        "[unknown thread] > Main.run 2 -\n"
        "[virtual-thread tid=31] > Main.run 1 -\n");
}

TEST_CASE("a thread that is renamed has the name of each chunk") {
  const auto chunk_with = [](const char* name) {
    auto chunk = jdk17_chunk();
    const auto thread = chunk.thread({.java_name = name, .os_id = 7});
    chunk.execution_sample({.stack = chunk.stack({"Main.run"}), .thread = thread});
    return chunk.bytes();
  };
  ProfileRequest request = kinds({"cpu"});
  request.frames.by_thread = true;
  const std::vector<Bytes> recording{joined({chunk_with("idle"), chunk_with("GET /cart")})};
  CHECK(lines_of(read(recording, request), "cpu") ==
        "[GET /cart tid=7] > Main.run 1 -\n[idle tid=7] > Main.run 1 -\n");
}

TEST_CASE("a group needs a part in parentheses") {
  CHECK(error_of({"pool-\\d+"}) ==
        "--thread-group: 'pool-\\d+' has no part in parentheses, which would name the group");
  CHECK(error_of({"(pool"}) ==
        "--thread-group: '(pool' is no regular expression: missing ): (pool");
}
