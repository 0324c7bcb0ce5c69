#include "profile/stack_decoder.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "profile/reading.hpp"
#include "support/standard_chunk.hpp"

using namespace jfrtree;
using namespace jfrtree::internal;
using namespace jfrtree::test;

namespace {

/// Decodes the stack of a key; `chunk` may be changed as a whole before.
struct Decoded {
  Decoded(const Bytes& recording, std::uint64_t key, FrameOptions wanted = {})
      : opened(recording),
        options(wanted),
        names(opened.contents(), options, texts),
        namer(names),
        decoder(opened.contents(), namer) {
    const Type* type = opened.metadata().find("jdk.types.StackTrace");
    REQUIRE(type != nullptr);
    const PoolIndex& index = opened.contents().pools.index(type->id);
    const std::uint32_t ordinal = index.find(key);
    REQUIRE(ordinal != PoolIndex::none);
    for (const std::uint32_t text : decoder.decode(index.offset(ordinal), is_truncated)) {
      frames += (frames.empty() ? "" : " > ") + std::string(texts[text]);
      ++depth;
    }
    ProblemLog log("test");
    decoder.report(log);
    found = findings(log.entries());
  }
  OpenChunk opened;
  FrameOptions options;
  TextTable texts;
  FrameNames names;
  FrameNamer namer;
  StackDecoder decoder;
  bool is_truncated = false;
  std::string frames;
  std::size_t depth = 0;
  std::string found;
};

/// Declares the fields of stack traces and stack frames in another way.
void redeclare(StandardChunk& chunk, std::vector<Element> stack, std::vector<Element> frame) {
  Element root = chunk.types().metadata();
  Element& classes = root.children.at(0);
  classes.find("class", "jdk.types.StackTrace").children = std::move(stack);
  classes.find("class", "jdk.types.StackFrame").children = std::move(frame);
  chunk.replace_metadata(root);
}

}  // namespace

TEST_CASE("StackDecoder turns leaf first into root first") {
  auto chunk = jdk17_chunk();
  const auto key = chunk.stack({"Main.main", "Main.run", "Main.work"});
  const Decoded decoded(chunk.bytes(), key);
  CHECK(decoded.frames == "Main.main > Main.run > Main.work");
  CHECK_FALSE(decoded.is_truncated);
  CHECK(decoded.found.empty());
}

TEST_CASE("StackDecoder reads compressed and fixed-width frames alike") {
  StandardChunk chunk(Producer::jdk17, IntegerEncoding::fixed_width);
  const auto key =
      chunk.stack({FrameSpec("Main.main").line(70'000), FrameSpec("Main.run").line(3)});
  FrameOptions lines;
  lines.lines = true;
  CHECK(Decoded(chunk.bytes(), key, lines).frames == "Main.main:70000 > Main.run:3");
}

TEST_CASE("StackDecoder says that frames are missing at the root") {
  auto chunk = jdk17_chunk();
  const auto key = chunk.stack({"Main.run"}, {.truncated = true});
  CHECK(Decoded(chunk.bytes(), key).is_truncated);
}

TEST_CASE("StackDecoder takes an empty stack") {
  auto chunk = jdk17_chunk();
  const auto key = chunk.stack({});
  const Decoded decoded(chunk.bytes(), key);
  CHECK(decoded.depth == 0);
  CHECK(decoded.found.empty());
}

TEST_CASE("StackDecoder keeps frames with a line of -1, and without a method") {
  auto chunk = jdk17_chunk();
  chunk.raw_constant("StackTrace", 9,
                     chunk.payload()
                         .boolean_value(false)
                         .count(2)
                         .key(0)
                         .int_value(-1)
                         .int_value(-1)
                         .key(1)
                         .key(chunk.method("Main.main"))
                         .int_value(-1)
                         .int_value(-1)
                         .key(1));
  FrameOptions lines;
  lines.lines = true;
  CHECK(Decoded(chunk.bytes(), 9, lines).frames == "Main.main > ?");
}

TEST_CASE("StackDecoder leaves hidden frames out") {
  auto chunk = jdk17_chunk();
  const auto key = chunk.stack({"Main.main", FrameSpec("Main.bridge").hidden(), "Main.run"});
  FrameOptions options;
  CHECK(Decoded(chunk.bytes(), key, options).frames == "Main.main > Main.bridge > Main.run");
  options.hide_hidden = true;
  CHECK(Decoded(chunk.bytes(), key, options).frames == "Main.main > Main.run");
}

TEST_CASE("StackDecoder follows the metadata where fields are more, fewer, or in another order") {
  auto chunk = jdk17_chunk();
  const auto id = [&](const char* type) { return chunk.type_id(type); };
  redeclare(chunk,
            {field("note", id("String")), field("marks", id("int"), {.array = true}),
             field("truncated", id("boolean")), field("frames", id("StackFrame"), {.array = true}),
             field("more", id("long"))},
            {field("type", id("FrameType"), {.constant_pool = true}), field("extra", id("double")),
             field("text", id("String")), field("lineNumber", id("int")),
             field("method", id("Method"), {.constant_pool = true}), field("end", id("long"))});
  const auto main = chunk.method("Main.main");
  const auto run = chunk.method("Main.run");
  auto stack = chunk.payload().string("a note").count(2).int_value(1).int_value(2);
  stack.boolean_value(true).count(2);
  for (const auto method : {run, main}) {
    stack.key(1).double_value(2.5).string("x").int_value(42).key(method).long_value(7);
  }
  chunk.raw_constant("StackTrace", 9, stack.long_value(3));
  FrameOptions lines;
  lines.lines = true;
  const Decoded decoded(chunk.bytes(), 9, lines);
  CHECK(decoded.frames == "Main.main:42 > Main.run:42");
  CHECK(decoded.found.empty());
  CHECK(decoded.is_truncated);
}

TEST_CASE("StackDecoder reads frames without line and type") {
  auto chunk = jdk17_chunk();
  redeclare(chunk,
            {field("truncated", chunk.type_id("boolean")),
             field("frames", chunk.type_id("StackFrame"), {.array = true})},
            {field("method", chunk.type_id("Method"), {.constant_pool = true})});
  chunk.raw_constant("StackTrace", 9,
                     chunk.payload().boolean_value(false).count(1).key(chunk.method("Main.main")));
  CHECK(Decoded(chunk.bytes(), 9).frames == "Main.main");
}

TEST_CASE("StackDecoder keeps the frames nearest to the leaf of a stack above the limit") {
  auto chunk = jdk17_chunk();
  std::vector<FrameSpec> frames;
  for (int i = 0; i < 10; ++i) frames.emplace_back("Main.at" + std::to_string(i));
  const auto key = chunk.stack(frames);
  const Bytes recording = chunk.bytes();
  const auto input = memory_input(recording);
  Limits limits;
  limits.stack_frames = 3;
  ChunkReader reader(*input, limits);
  const auto opened = reader.next();
  REQUIRE(opened);
  const FrameOptions options;
  TextTable texts;
  FrameNames names(opened->contents(), options, texts);
  FrameNamer namer(names);
  StackDecoder decoder(opened->contents(), namer);
  const PoolIndex& index =
      opened->contents().pools.index(opened->metadata().find("jdk.types.StackTrace")->id);
  bool is_truncated = false;
  std::string text;
  for (const auto frame : decoder.decode(index.offset(index.find(key)), is_truncated)) {
    text += std::string(texts[frame]) + ' ';
  }
  CHECK(text == "Main.at7 Main.at8 Main.at9 ");
  CHECK(is_truncated);
  ProblemLog log("test");
  decoder.report(log);
  CHECK(findings(log.entries()) == "limit_exceeded at 0");
}
