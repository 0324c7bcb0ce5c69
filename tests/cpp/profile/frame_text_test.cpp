/// What the options about frames make of a frame, one by one and together.

#include <doctest/doctest.h>

#include <string>

#include <jfrtree/error.hpp>

#include "profile/frame_kinds.hpp"
#include "profile/frame_namer.hpp"
#include "profile/reading.hpp"
#include "support/standard_chunk.hpp"

using namespace jfrtree;
using namespace jfrtree::internal;
using namespace jfrtree::test;

namespace {

constexpr std::uint64_t no_index = 0xFFFF'FFFF;  // -1 as it comes out of a frame

/// A frame as constants of a chunk give it.
struct Place {
  std::uint64_t method = 0;
  std::uint64_t type = 1;
  std::uint64_t line = 12;
  std::uint64_t index = 34;
};

struct Texts {
  Texts(const StandardChunk& chunk, const FrameOptions& wanted)
      : opened(chunk.bytes()),
        options(wanted),
        names(opened.contents(), options, texts),
        namer(names) {}
  OpenChunk opened;
  FrameOptions options;
  TextTable texts;
  FrameNames names;
  FrameNamer namer;

  std::string operator()(const Place& place) {
    const std::uint32_t text = options.bci
                                   ? namer.frame(place.method, place.line, place.type, place.index)
                                   : namer.frame(place.method, place.line, place.type);
    return std::string(texts[text]);
  }
  std::string leaf(std::uint64_t key) { return std::string(texts[namer.class_leaf(key)]); }
  std::string found() const {
    ProblemLog log("test");
    names.report(log);
    return findings(log.entries());
  }
};

std::string text_of(const StandardChunk& chunk, const Place& place, const FrameOptions& options) {
  return Texts(chunk, options)(place);
}

/// A class of a named module.
std::uint64_t class_in_module(StandardChunk& chunk, std::string_view name,
                              std::string_view module) {
  const auto module_key = chunk.constant("Module", {{"name", chunk.symbol(module)}});
  const auto package =
      chunk.constant("Package", {{"name", chunk.symbol("p")}, {"module", module_key}});
  return chunk.constant("Class", {{"name", chunk.symbol(name)}, {"package", package}});
}

std::uint64_t method_of(StandardChunk& chunk, std::uint64_t type, std::string_view name) {
  return chunk.constant("Method", {{"type", type},
                                   {"name", chunk.symbol(name)},
                                   {"descriptor", chunk.symbol("(I[Ljava/lang/String;)V")}});
}

}  // namespace

TEST_CASE("bci adds the index of the bytecode behind the line") {
  auto chunk = jdk17_chunk();
  const auto run = chunk.method("a.Main.run");
  CHECK(text_of(chunk, {run}, {.bci = true}) == "a.Main.run@34");
  CHECK(text_of(chunk, {run}, {.lines = true, .bci = true}) == "a.Main.run:12@34");
  CHECK(text_of(chunk, {.method = run, .index = 0}, {.bci = true}) == "a.Main.run@0");
  CHECK(text_of(chunk, {.method = run, .index = 65'535}, {.bci = true}) == "a.Main.run@65535");
  CHECK(text_of(chunk, {.method = run, .index = no_index}, {.bci = true}) == "a.Main.run");
}

TEST_CASE("frames that differ in their bytecode index only are one frame without bci") {
  auto chunk = jdk17_chunk();
  const auto run = chunk.method("Main.run");
  Texts texts(chunk, {.bci = true});
  CHECK(texts({.method = run, .index = 1}) != texts({.method = run, .index = 2}));
  CHECK(texts({.method = run, .index = 1}) == "Main.run@1");
  CHECK_FALSE(Texts(chunk, {}).namer.wants_bytecode_index());
}

TEST_CASE("native methods have no bytecode index") {
  auto jdk = jdk17_chunk();
  const auto park = jdk.method("Unsafe.park");
  CHECK(text_of(jdk, {park, jdk.frame_type("Native"), 0, 0}, {.bci = true}) == "Unsafe.park");
  auto profiler = async_profiler_4_chunk();
  const auto read = profiler.method(FrameSpec::native("read"));
  CHECK(text_of(profiler, {read, profiler.frame_type("Native"), 0, 0}, {.bci = true}) == "read");
  CHECK(text_of(profiler, {read, profiler.frame_type("Kernel"), 0, 0}, {.bci = true}) == "read");
}

TEST_CASE("signatures read as Java writes parameters, or with slashes as the JVM does") {
  auto chunk = jdk17_chunk();
  const auto run = chunk.method(
      FrameSpec::of("a/Main", "run").signature("(I[Ljava/lang/String;Ljava/util/Map$Entry;)J"));
  CHECK(text_of(chunk, {run}, {.signatures = true}) == "a.Main.run(int, String[], Map$Entry)");
  CHECK(text_of(chunk, {run}, {.signatures = true, .slashes = true}) ==
        "a/Main.run(I[Ljava/lang/String;Ljava/util/Map$Entry;)J");
  CHECK(text_of(chunk, {run}, {.lines = true, .bci = true, .signatures = true, .simple = true}) ==
        "Main.run(int, String[], Map$Entry):12@34");
}

TEST_CASE("overloaded methods are different frames with signatures and one without") {
  auto chunk = jdk17_chunk();
  const auto first = chunk.method(FrameSpec("Main.run").signature("()V"));
  const auto second = chunk.method(FrameSpec("Main.run").signature("(J)V"));
  Texts texts(chunk, {.signatures = true});
  CHECK(texts({first}) == "Main.run()");
  CHECK(texts({second}) == "Main.run(long)");
  Texts plain(chunk, {});
  CHECK(plain({first}) == plain({second}));
}

TEST_CASE("a method without a descriptor reads ? in parentheses and is noted") {
  auto chunk = jdk17_chunk();
  const auto run = chunk.constant(
      "Method", {{"type", chunk.class_constant("Main")}, {"name", chunk.symbol("run")}});
  Texts texts(chunk, {.signatures = true});
  CHECK(texts({run}) == "Main.run(?)");
  CHECK(texts.found() == "[missing_constant at 0]");
}

TEST_CASE("native frames have no signature") {
  auto chunk = async_profiler_4_chunk();
  const auto read = chunk.method(FrameSpec::native("read"));
  CHECK(text_of(chunk, {read, chunk.frame_type("Native")}, {.signatures = true}) == "read");
}

TEST_CASE("a method with an empty name is its class alone") {
  auto chunk = async_profiler_4_chunk();
  const auto stub = chunk.method(FrameSpec::of("a/List", ""));
  CHECK(text_of(chunk, {stub}, {}) == "a.List");
  CHECK(text_of(chunk, {stub}, {.signatures = true, .slashes = true}) == "a/List");
}

TEST_CASE("slashes write packages as the JVM does, arrays as Java does") {
  auto chunk = jdk17_chunk();
  const auto run = chunk.method(FrameSpec::of("a/b/Outer$Inner", "run"));
  const auto strings = chunk.class_constant("[[Ljava/lang/String;");
  const auto bytes = chunk.class_constant("[B");
  Texts texts(chunk, {.slashes = true});
  CHECK(texts({run}) == "a/b/Outer$Inner.run");
  CHECK(texts.leaf(strings) == "java/lang/String[][]");
  CHECK(texts.leaf(bytes) == "byte[]");
}

TEST_CASE("slashes keep the suffix of a hidden class, whose package has dots in the recording") {
  auto chunk = jdk25_chunk();
  const auto run =
      chunk.method(FrameSpec::of("java.lang.invoke.LambdaForm$MH/0x000000002c085800", "invoke"));
  CHECK(text_of(chunk, {run}, {.slashes = true}) ==
        "java/lang/invoke/LambdaForm$MH/0x000000002c085800.invoke");
  CHECK(text_of(chunk, {run}, {}) == "java.lang.invoke.LambdaForm$MH.0x000000002c085800.invoke");
}

TEST_CASE("modules stand before classes of named modules") {
  auto chunk = jdk17_chunk();
  const auto thread = class_in_module(chunk, "java/lang/Thread", "java.base");
  const auto run = method_of(chunk, thread, "run");
  const auto main = chunk.method("a.Main.main");
  Texts texts(chunk, {.modules = true});
  CHECK(texts({run}) == "java.base/java.lang.Thread.run");
  CHECK(texts({main}) == "a.Main.main");
  CHECK(texts.leaf(thread) == "java.base/java.lang.Thread");
  CHECK(texts.found().empty());
  CHECK(text_of(chunk, {run}, {.simple = true, .modules = true}) == "java.base/Thread.run");
  CHECK(text_of(chunk, {run}, {.slashes = true, .modules = true}) ==
        "java.base/java/lang/Thread.run");
}

TEST_CASE("modules of proxies lose their number with normalize only") {
  auto chunk = jdk17_chunk();
  const auto proxy = class_in_module(chunk, "jdk/proxy2/$Proxy26", "jdk.proxy2");
  const auto run = method_of(chunk, proxy, "run");
  CHECK(text_of(chunk, {run}, {.modules = true}) == "jdk.proxy2/jdk.proxy2.$Proxy26.run");
  CHECK(text_of(chunk, {run}, {.modules = true, .normalize = true}) ==
        "jdk.proxy/jdk.proxy.$Proxy.run");
}

TEST_CASE("frame types of every recorder have a suffix") {
  const FrameOptions types{.frame_types = true};
  auto chunk = async_profiler_4_chunk();
  const auto run = chunk.method("Main.run");
  const auto read = chunk.method(FrameSpec::native("read", "libc.so.6"));
  CHECK(text_of(chunk, {run, chunk.frame_type("Interpreted")}, types) == "Main.run_[0]");
  CHECK(text_of(chunk, {run, chunk.frame_type("JIT compiled")}, types) == "Main.run_[j]");
  CHECK(text_of(chunk, {run, chunk.frame_type("Inlined")}, types) == "Main.run_[i]");
  CHECK(text_of(chunk, {run, chunk.frame_type("C1 compiled")}, types) == "Main.run_[1]");
  CHECK(text_of(chunk, {read, chunk.frame_type("Native")}, types) == "read_[n]");
  CHECK(text_of(chunk, {read, chunk.frame_type("C++")}, types) == "read_[c]");
  CHECK(text_of(chunk, {read, chunk.frame_type("Kernel")}, types) == "read_[k]");
  CHECK(text_of(chunk, {run, 4711}, types) == "Main.run");
  auto jdk = jdk17_chunk();
  const auto park = jdk.method("Unsafe.park");
  CHECK(text_of(jdk, {park, jdk.frame_type("Native")}, types) == "Unsafe.park_[n]");
}

TEST_CASE("one method executed in two ways is one frame without frame types") {
  auto chunk = jdk17_chunk();
  const auto run = chunk.method("Main.run");
  Texts plain(chunk, {});
  CHECK(plain.namer.frame(run, 1, chunk.frame_type("Inlined")) ==
        plain.namer.frame(run, 1, chunk.frame_type("Interpreted")));
  Texts types(chunk, {.frame_types = true});
  CHECK(types.namer.frame(run, 1, chunk.frame_type("Inlined")) !=
        types.namer.frame(run, 1, chunk.frame_type("Interpreted")));
}

TEST_CASE("all parts of a frame have their place") {
  auto chunk = jdk17_chunk();
  const auto type = class_in_module(chunk, "a/b/Main", "app.core");
  const auto run = method_of(chunk, type, "run");
  const FrameOptions all{.lines = true,
                         .bci = true,
                         .signatures = true,
                         .modules = true,
                         .frame_types = true,
                         .libraries = true,
                         .normalize = true,
                         .hide_hidden = true};
  CHECK(text_of(chunk, {run, chunk.frame_type("JIT compiled")}, all) ==
        "app.core/a.b.Main.run(int, String[]):12@34_[j]");
  auto profiler = async_profiler_4_chunk();
  const auto read = profiler.method(FrameSpec::native("read", "libc.so.6"));
  CHECK(text_of(profiler, {read, profiler.frame_type("Kernel"), 0, 0}, all) ==
        "libc.so.6!read_[k]");
}

TEST_CASE("a method that the chunk does not define stays ? whatever is asked for") {
  auto chunk = jdk17_chunk();
  const FrameOptions all{.lines = true, .bci = true, .signatures = true, .frame_types = true};
  CHECK(text_of(chunk, {0}, all) == "?");
  const auto no_class = chunk.constant(
      "Method", {{"name", chunk.symbol("run")}, {"descriptor", chunk.symbol("()V")}});
  CHECK(text_of(chunk, {no_class, chunk.frame_type("Inlined")}, all) == "?.run():12@34_[i]");
}

TEST_CASE("simple and slashes contradict each other") {
  CHECK_THROWS_WITH_AS(check_frame_options({.simple = true, .slashes = true}),
                       doctest::Contains("simple and slashes"), UsageError);
  CHECK_NOTHROW(check_frame_options({.simple = true}));
  CHECK_NOTHROW(check_frame_options({.slashes = true, .modules = true}));
  ProfileRequest request;
  request.frames = {.simple = true, .slashes = true};
  CHECK_THROWS_AS(read({jdk17_chunk().bytes()}, request), UsageError);
}

TEST_CASE("whole stacks read alike by the usual way and with bytecode indexes") {
  auto chunk = jdk17_chunk();
  FrameSpec main("Main.main");
  main.line_number = 3;
  main.bytecode_index = 7;
  FrameSpec run("Main.run");
  run.line_number = 5;
  run.bytecode_index = 130;
  chunk.execution_sample({.stack = chunk.stack({main, run})});
  ProfileRequest request;
  CHECK(lines_of(read({chunk.bytes()}, request), "cpu") == "Main.main > Main.run 1 -\n");
  request.frames = {.lines = true, .bci = true};
  CHECK(lines_of(read({chunk.bytes()}, request), "cpu") == "Main.main:3@7 > Main.run:5@130 1 -\n");
}
