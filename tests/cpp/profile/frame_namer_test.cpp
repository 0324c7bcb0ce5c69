#include "profile/frame_namer.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "profile/reading.hpp"
#include "support/standard_chunk.hpp"

using namespace jfrtree;
using namespace jfrtree::internal;
using namespace jfrtree::test;

namespace {

/// The names that a chunk's constants get.
struct Named {
  explicit Named(const StandardChunk& chunk, FrameOptions wanted = {})
      : opened(chunk.bytes()),
        options(wanted),
        names(opened.contents(), options, texts),
        namer(names) {}
  OpenChunk opened;
  FrameOptions options;
  TextTable texts;
  FrameNames names;
  FrameNamer namer;

  std::string frame(std::uint64_t method, std::uint64_t type = 1, std::uint64_t line = 0) {
    const std::uint32_t text = namer.frame(method, line, type);
    return text == FrameNamer::hidden ? "(hidden)" : std::string(texts[text]);
  }
  std::string leaf(std::uint64_t key) { return std::string(texts[namer.class_leaf(key)]); }
  std::string thread(std::uint64_t key) { return std::string(texts[namer.thread(key)]); }
  std::string found() const {
    ProblemLog log("test");
    names.report(log);
    return findings(log.entries());
  }
};

FrameOptions with(bool FrameOptions::*option) {
  FrameOptions options;
  options.*option = true;
  return options;
}

}  // namespace

TEST_CASE("a Java frame reads package, class and method with dots") {
  auto chunk = jdk17_chunk();
  const auto run = chunk.method("a.b.Outer$Inner.run");
  const auto init = chunk.method(FrameSpec::of("Main", "<init>"));
  Named named(chunk);
  CHECK(named.frame(run) == "a.b.Outer$Inner.run");
  CHECK(named.frame(init) == "Main.<init>");
  CHECK(named.found().empty());
}

TEST_CASE("what the chunk does not define reads ? and is noted") {
  auto chunk = jdk17_chunk();
  const auto name = chunk.symbol("run");
  const auto no_class = chunk.constant("Method", {{"name", name}});
  const auto lost_class = chunk.constant("Method", {{"type", 777}, {"name", name}});
  const auto nameless = chunk.constant("Class", {{"name", 778}});
  const auto lost_class_name = chunk.constant("Method", {{"type", nameless}, {"name", name}});
  const auto main = chunk.class_constant("Main");
  const auto no_name = chunk.constant("Method", {{"type", main}});
  Named named(chunk);
  CHECK(named.frame(0) == "?");
  CHECK(named.frame(4711) == "?");
  CHECK(named.frame(no_class) == "?.run");
  CHECK(named.frame(lost_class) == "?.run");
  CHECK(named.frame(lost_class_name) == "?.run");
  CHECK(named.frame(no_name) == "Main.?");
  CHECK(named.found() == "[missing_constant x2 at 0]; [missing_constant x4 at 0]");
}

TEST_CASE("lines are opt-in and never below 1") {
  auto chunk = jdk17_chunk();
  const auto run = chunk.method("Main.run");
  Named plain(chunk);
  CHECK(plain.frame(run, 1, 42) == "Main.run");
  CHECK(plain.namer.frame(run, 42, 1) == plain.namer.frame(run, 43, 1));
  Named lines(chunk, with(&FrameOptions::lines));
  CHECK(lines.frame(run, 1, 42) == "Main.run:42");
  CHECK(lines.frame(run, 1, 65'536) == "Main.run:65536");
  CHECK(lines.frame(run, 1, 0) == "Main.run");
  CHECK(lines.frame(run, 1, 0xFFFF'FFFF) == "Main.run");  // -1 as it comes out of a frame
}

TEST_CASE("simple drops the package of classes, not of native frames") {
  auto chunk = async_profiler_4_chunk();
  const auto run = chunk.method("a.b.Main.run");
  const auto leaf = chunk.class_constant("[Ljava/lang/String;");
  Named named(chunk, with(&FrameOptions::simple));
  CHECK(named.frame(run) == "Main.run");
  CHECK(named.leaf(leaf) == "String[]");
}

TEST_CASE(
    "native, C++ and kernel frames of async-profiler are the symbol, with library on demand") {
  auto chunk = async_profiler_4_chunk();
  const auto read = chunk.method(FrameSpec::native("read", "libc.so.6"));
  const auto bare = chunk.method(FrameSpec::native("std::vector<int>::push_back"));
  Named plain(chunk);
  Named libraries(chunk, with(&FrameOptions::libraries));
  for (const char* type : {"Native", "C++", "Kernel"}) {
    CHECK(plain.frame(read, chunk.frame_type(type)) == "read");
    CHECK(libraries.frame(read, chunk.frame_type(type)) == "libc.so.6!read");
    CHECK(libraries.frame(bare, chunk.frame_type(type)) == "std::vector<int>::push_back");
  }
  CHECK(plain.found().empty());
}

TEST_CASE("a native function that is called by its library loses what is temporary, normalized") {
  auto chunk = async_profiler_4_chunk();
  const std::string library =
      "/tmp/snappy-1.1.8-d1f9bd24-4cc8-4571-b71c-1698b83f1af1-libsnappyjava.so";
  const auto bare = chunk.method(FrameSpec::native(library));
  const auto function = chunk.method(FrameSpec::native("sort_123456789012345"));
  Named normal(chunk, with(&FrameOptions::normalize));
  Named plain(chunk);
  const auto type = chunk.frame_type("Native");
  CHECK(plain.frame(bare, type) == library);
  CHECK(normal.frame(bare, type) == "/tmp/snappy-1.1.8-libsnappyjava.so");
  CHECK(normal.frame(function, type) == "sort_123456789012345");
}

TEST_CASE("Native means a Java method of native code in chunks of the JDK") {
  auto chunk = jdk17_chunk();
  const auto park = chunk.method("jdk.internal.misc.Unsafe.park");
  Named named(chunk, with(&FrameOptions::libraries));
  CHECK_FALSE(named.names.kinds().has_native_frames());
  CHECK(named.frame(park, chunk.frame_type("Native")) == "jdk.internal.misc.Unsafe.park");
}

TEST_CASE("one method is named by its frame type where both occur") {
  auto chunk = async_profiler_4_chunk();
  const auto method = chunk.method(FrameSpec::of("java/lang/Thread", "start"));
  Named named(chunk);
  CHECK(named.frame(method, chunk.frame_type("Inlined")) == "java.lang.Thread.start");
  CHECK(named.frame(method, chunk.frame_type("Native")) == "start");
  CHECK(named.frame(method, chunk.frame_type("Interpreted")) == "java.lang.Thread.start");
}

TEST_CASE("hidden methods are left out when that is asked for") {
  auto chunk = jdk17_chunk();
  const auto lambda = chunk.method(FrameSpec("Main.lambda").hidden());
  CHECK(Named(chunk).frame(lambda) == "Main.lambda");
  CHECK(Named(chunk, with(&FrameOptions::hide_hidden)).frame(lambda) == "(hidden)");
}

TEST_CASE("generated class names are normalized only when that is asked for") {
  auto chunk = jdk17_chunk();
  const auto run =
      chunk.method(FrameSpec::of("Work$$Lambda$88+0x00007f8bf4007a08/1790421142", "run"));
  CHECK(Named(chunk).frame(run) == "Work$$Lambda$88+0x00007f8bf4007a08.1790421142.run");
  CHECK(Named(chunk, with(&FrameOptions::normalize)).frame(run) == "Work$$Lambda.run");
}

TEST_CASE("the class leaf reads as Java writes the class") {
  auto chunk = jdk17_chunk();
  const auto bytes = chunk.class_constant("[B");
  const auto texts = chunk.class_constant("[[Ljava/lang/String;");
  const auto list = chunk.class_constant("java/util/ArrayList");
  Named named(chunk);
  CHECK(named.leaf(bytes) == "byte[]");
  CHECK(named.leaf(texts) == "java.lang.String[][]");
  CHECK(named.leaf(list) == "java.util.ArrayList");
  CHECK(named.found().empty());
}

TEST_CASE("a null class reads ? without a note, one that is not there with a note") {
  auto chunk = jdk17_chunk();
  chunk.class_constant("[B");
  Named null(chunk);
  CHECK(null.leaf(0) == "?");
  CHECK(null.found().empty());
  Named lost(chunk);
  CHECK(lost.leaf(4711) == "?");
  CHECK(lost.found() == "[missing_constant at 0]");
}

TEST_CASE("a thread is named by its Java name, else by the system's, with the system's id") {
  auto chunk = jdk17_chunk();
  const auto both =
      chunk.thread({.java_name = "main", .os_name = "java", .java_id = 1, .os_id = 12'289});
  const auto os = chunk.thread({.os_name = "GC Thread#0", .os_id = 12'290, .key = 50});
  const auto empty =
      chunk.thread({.java_name = "", .os_name = "VM Thread", .os_id = 12'291, .key = 51});
  const auto none = chunk.thread({.os_id = 12'292, .key = 52});
  const auto no_os_id = chunk.thread({.java_name = "pool; 1", .java_id = 77});
  Named named(chunk);
  CHECK(named.thread(both) == "[main tid=12289]");
  CHECK(named.thread(os) == "[GC Thread#0 tid=12290]");
  CHECK(named.thread(empty) == "[VM Thread tid=12291]");
  CHECK(named.thread(none) == "[tid=12292]");
  CHECK(named.thread(no_os_id) == "[pool; 1 tid=77]");
  CHECK(named.found().empty());
}

TEST_CASE("a virtual thread without a name is virtual-thread") {
  auto chunk = jdk25_chunk();
  const auto unnamed = chunk.thread({.java_name = "", .java_id = 40, .is_virtual = true});
  const auto named_thread = chunk.thread({.java_name = "v-1", .java_id = 41, .is_virtual = true});
  Named named(chunk);
  CHECK(named.thread(unnamed) == "[virtual-thread tid=40]");
  CHECK(named.thread(named_thread) == "[v-1 tid=41]");
}

TEST_CASE("a null thread is unknown, one that is not there is noted too") {
  auto chunk = jdk17_chunk();
  chunk.thread({.java_name = "main", .java_id = 1});
  Named null(chunk);
  CHECK(null.thread(0) == "[unknown thread]");
  CHECK(null.found().empty());
  Named lost(chunk);
  CHECK(lost.thread(4711) == "[unknown thread]");
  CHECK(lost.found() == "[missing_constant at 0]");
}

TEST_CASE("equal texts of different constants are one text") {
  auto chunk = jdk17_chunk();
  const auto first = chunk.method(FrameSpec("Main.run").signature("()V"));
  const auto second = chunk.method(FrameSpec("Main.run").signature("(I)V"));
  REQUIRE(first != second);
  Named named(chunk);
  CHECK(named.namer.frame(first, 0, 1) == named.namer.frame(second, 0, 1));
  CHECK(named.texts.size() == 1);
}

TEST_CASE("pool_texts gives the entries of a pool of simple types") {
  const OpenChunk opened(async_profiler_2_chunk().bytes());
  auto states = pool_texts(opened.contents(), "jdk.types.ThreadState");
  std::sort(states.begin(), states.end());
  CHECK(states == std::vector<std::string>{"STATE_RUNNABLE", "STATE_SLEEPING"});
  CHECK(pool_texts(opened.contents(), "jdk.types.Missing").empty());
}
