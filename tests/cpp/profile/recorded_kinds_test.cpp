/// The kinds of real recordings, with the numbers of the JDK's own reader (`jfr summary`,
/// `jfr print --json`).

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "profile/reading.hpp"
#include "support/test_paths.hpp"

using namespace jfrtree;
using namespace jfrtree::test;

namespace {

std::uint64_t bytes_of_io(const ProfileSet& set) {
  const Profile* io = set.find("io");
  REQUIRE(io != nullptr);
  std::uint64_t bytes = 0;
  for (const StackSum& stack : io->stacks) bytes += io->number(stack, 2);
  return bytes;
}

}  // namespace

TEST_CASE("io of the JDK: 5 kinds of operations, 9,800 bytes") {
  const std::vector<std::string> events{"jdk.FileForce", "jdk.FileRead", "jdk.FileWrite",
                                        "jdk.SocketRead", "jdk.SocketWrite"};
  const ProfileSet jdk17 = read_file(testdata("jdk17-kinds.jfr"));
  CHECK(totals_of(jdk17, "io") == "io: 12, 11814066 (12) io/nanoseconds");
  CHECK(jdk17.find("io")->events == events);
  CHECK(bytes_of_io(jdk17) == 9'800);
  const ProfileSet jdk25 = read_file(testdata("jdk25-kinds.jfr"));
  CHECK(totals_of(jdk25, "io") == "io: 12, 443141 (12) io/nanoseconds");
  CHECK(jdk25.find("io")->events == events);
  CHECK(bytes_of_io(jdk25) == 9'800);
}

TEST_CASE("exceptions of the JDK: 7 of one class, and 5 errors that it wrote three times") {
  for (const char* name : {"jdk17-kinds.jfr", "jdk25-kinds.jfr"}) {
    CAPTURE(name);
    const ProfileSet set = read_file(testdata(name));
    CHECK(lines_of(set, "exceptions") ==
          "Kinds.main > Kinds.run > Kinds.throwErrors > Kinds$Broken.<init> > "
          "java.lang.Error.<init> > Kinds$Broken 5 5\n"
          "Kinds.main > Kinds.run > Kinds.throwExceptions > Kinds$Refused.<init> > "
          "java.lang.RuntimeException.<init> > java.lang.Exception.<init> > "
          "java.lang.Throwable.<init> > Kinds$Refused 7 7\n");
    CHECK(left_out_of(set.left_out) == "exceptions jdk.JavaExceptionThrow x10");
  }
}

TEST_CASE("live of the JDK: sizes from JDK 18 on, classes always") {
  const ProfileSet jdk17 = read_file(testdata("jdk17-kinds.jfr"));
  CHECK(totals_of(jdk17, "live") == "live: 58, - (58) inuse_objects/count");
  const ProfileSet jdk25 = read_file(testdata("jdk25-kinds.jfr"));
  CHECK(totals_of(jdk25, "live") == "live: 124, 2481984 (124) inuse_space/bytes");
  CHECK(lines_of(jdk25, "live") ==
        "Kinds.main > Kinds.run > Kinds.keepObjects > byte[] 124 2481984\n");
}

TEST_CASE("waits and sleeps of the JDK") {
  const ProfileSet jdk17 = read_file(testdata("jdk17-kinds.jfr"));
  CHECK(lines_of(jdk17, "wait") ==
        "Kinds.main > Kinds.run > Kinds.waitForNothing > java.lang.Object.wait > Kinds$Monitor 3 "
        "113176122\n"
        "Kinds.main > Kinds.run > java.lang.Thread.sleep 4 44089817\n");
  CHECK(totals_of(read_file(testdata("jdk25-kinds.jfr")), "wait") ==
        "wait: 7, 122772036 (7) delay/nanoseconds");
}

TEST_CASE("native samples of the JDK: 2 with a period of 10 ms") {
  CHECK(totals_of(read_file(testdata("jdk17-kinds.jfr")), "native") ==
        "native: 2, 20000000 (2) samples/count");
}

TEST_CASE("JDK 25 writes the callers of a traced method, which is added as the leaf") {
  const ProfileSet set = read_file(testdata("jdk25-kinds.jfr"));
  CHECK(lines_of(set, "method-trace") ==
        "Kinds.main > Kinds.run > Kinds.callTraced > Kinds.traced 6 126137\n");
}

TEST_CASE("pinned virtual threads of JDK 25: 4, 60 ms") {
  CHECK(totals_of(read_file(testdata("jdk25-virtual.jfr")), "pinned") ==
        "pinned: 4, 60409948 (4) delay/nanoseconds");
}

TEST_CASE("Datadog's profiler: live objects, and what the JVM wrote beside them (tck-test)") {
  const auto path = recording("btraceio_jafar__tck-test.jfr");
  if (!path) return;
  const ProfileSet set = read_file(*path);
  CHECK(set.find("live")->count == 14);
  CHECK(set.find("live")->events == std::vector<std::string>{"datadog.HeapLiveObject"});
  // Durations of the JDK's reader: 16,665,337 + 373,867,306 + 1,701,903,204 + 24,513,549 ns, each
  // event by up to 1 ns more.
  CHECK(totals_of(set, "io") == "io: 21, 2116949396 (21) io/nanoseconds");
}

TEST_CASE("waits of a JVM whose clock is not in ns: by less than 1 ns an event") {
  const auto path = recording("grafana_jfr-parser__object-allocation-sample.jfr.gz");
  if (!path) return;
  const ProfileSet set = read_file(*path);
  CHECK(totals_of(set, "wait") == "wait: 129, 345350551809 (129) delay/nanoseconds");
  CHECK(345'350'551'868 - *set.find("wait")->value < 129);
}

TEST_CASE("native samples and sleeping threads of JDK 21 (jdk21)") {
  const auto path = recording("openjdk_jmc__jdk21.jfr");
  if (!path) return;
  const ProfileSet set = read_file(*path);
  CHECK(kinds_of(set) == "cpu, alloc, lock, native, park, wait, exceptions");
  CHECK(totals_of(set, "native") == "native: 2903, 58060000000 (2903) samples/count");
  CHECK(set.find("exceptions")->count == 87);
}
