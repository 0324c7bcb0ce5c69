#include "clickhouse/query/stack_blocks.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include <jfrtree/clickhouse_database.hpp>

#include "clickhouse/rows/binary_bytes.hpp"
#include "clickhouse/rows/row_block.hpp"

namespace jfrtree::internal {
namespace {

using clickhouse::DatabaseError;

/// Blocks of two stacks and of one, and one without rows, as servers end with.
std::string made_blocks() {
  RowBlock block({{"stack_hash", CellType::uint64}, {"frames", CellType::low_cardinality_array}});
  const auto add = [&block](std::uint64_t hash, std::initializer_list<std::string_view> frames) {
    block[0].add_number(hash);
    for (const std::string_view frame : frames) block[1].add_text(frame);
    block[1].end_list();
    block.end_row();
  };
  std::string bytes;
  add(1, {"main", "run", "main"});
  add(2, {});
  append_native(block, bytes);
  block.clear();
  add(3, {"run"});
  append_native(block, bytes);
  append_leb128(bytes, 2);
  append_leb128(bytes, 0);
  for (const char* const text :
       {"stack_hash", "UInt64", "frames", "Array(LowCardinality(String))"}) {
    append_text(bytes, text);
  }
  return bytes;
}

std::string text_of(const Profile& profile, std::size_t stack) {
  std::string text;
  for (const FrameId frame : profile.frames(profile.stacks[stack])) {
    text += std::string(profile.frame_table->text(frame)) + ";";
  }
  return text;
}

TEST_CASE("stacks of several blocks share the texts of their frames") {
  QueryStacks stacks({}, false);
  stacks.begin_kind(false);
  for (const std::uint64_t hash : {1U, 2U, 3U}) stacks.add_sum({.hash = hash, .samples = hash}, "");
  add_stack_blocks(stacks, made_blocks(), "made");
  CHECK(stacks.has(2));
  CHECK_FALSE(stacks.has(4));
  const auto profiles = stacks.take_profiles();
  REQUIRE(profiles.front().stacks.size() == 3);
  CHECK(text_of(profiles.front(), 0) == "[no stack];");
  CHECK(text_of(profiles.front(), 1) == "main;run;main;");
  CHECK(text_of(profiles.front(), 2) == "run;");
}

TEST_CASE("an answer that ends anywhere but behind a block is an error") {
  const std::string bytes = made_blocks();
  std::size_t whole = 0;
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    QueryStacks stacks({}, false);
    const std::string cut = bytes.substr(0, length);  // its end is the end of its memory
    try {
      add_stack_blocks(stacks, cut, "made");
      ++whole;
    } catch (const DatabaseError&) {
      CHECK_FALSE(stacks.has(4));
    }
  }
  CHECK(whole == 3);  // nothing, the first block, the first two
}

TEST_CASE("numbers that lead out of the block are an error, and other columns too") {
  const std::string bytes = made_blocks();
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (const int value : {0x00, 0x7F, 0xFF}) {
      std::string changed = bytes;
      changed[i] = static_cast<char>(value);
      QueryStacks stacks({}, false);
      try {
        add_stack_blocks(stacks, changed, "made");
      } catch (const DatabaseError& error) {
        CHECK(std::string_view(error.what()).find("made: its answer") == 0);
      }
    }
  }
  RowBlock other({{"stack_hash", CellType::uint64}, {"other", CellType::uint64}});
  other[0].add_number(1);
  other[1].add_number(1);
  other.end_row();
  std::string blocks;
  append_native(other, blocks);
  QueryStacks stacks({}, false);
  CHECK_THROWS_WITH_AS(add_stack_blocks(stacks, blocks, "made"),
                       "made: its answer has other columns than were asked for", DatabaseError);
}

}  // namespace
}  // namespace jfrtree::internal
