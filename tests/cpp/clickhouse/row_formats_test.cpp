/// Bytes of blocks, written out by hand after ClickHouse's description of its formats. That the
/// engine reads the same from all of them is tested in tests/clickhouse.

#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "clickhouse/rows/row_block.hpp"
#include "clickhouse/rows/sql_text.hpp"

using namespace jfrtree::internal;

namespace {

/// Bytes of a text literal, NULs included.
template <std::size_t size>
std::string bytes(const char (&literal)[size]) {
  return std::string(literal, size - 1);
}

RowBlock small_block() {
  RowBlock block({{"s", CellType::low_cardinality},
                  {"n", CellType::uint64},
                  {"f", CellType::low_cardinality_array},
                  {"d", CellType::date}});
  block[0].add_text("a");
  block[1].add_number(258);
  block[2].add_text("x");
  block[2].add_text("y");
  block[2].add_text("x");
  block[2].end_list();
  block[3].add_number(1);
  block.end_row();
  block[0].add_text("");
  block[1].add_number(7);
  block[2].end_list();
  block[3].add_number(19'738);
  block.end_row();
  return block;
}

}  // namespace

TEST_CASE("a block of Native has a dictionary for each LowCardinality column") {
  std::string native;
  append_native(small_block(), native);
  CHECK(native == bytes("\x04\x02"
                        "\x01s\x16LowCardinality(String)"
                        "\x01\0\0\0\0\0\0\0"    // version of the dictionary
                        "\x00\x06\0\0\0\0\0\0"  // indexes of one byte, own keys, a new dictionary
                        "\x02\0\0\0\0\0\0\0\0\x01"  // two keys: the default and
                        "a"
                        "\x02\0\0\0\0\0\0\0\x01\x00"  // two cells
                        "\x01n\x06UInt64"
                        "\x02\x01\0\0\0\0\0\0\x07\0\0\0\0\0\0\0"
                        "\x01"
                        "f\x1d"
                        "Array(LowCardinality(String))"
                        "\x01\0\0\0\0\0\0\0"
                        "\x03\0\0\0\0\0\0\0\x03\0\0\0\0\0\0\0"  // ends of the lists
                        "\x00\x06\0\0\0\0\0\0"
                        "\x03\0\0\0\0\0\0\0\0\x01x\x01y"
                        "\x03\0\0\0\0\0\0\0\x01\x02\x01"
                        "\x01"
                        "d\x04"
                        "Date\x01\0\x1a\x4d"));
}

TEST_CASE("a map of labels has a dictionary for its keys and one for its values in Native") {
  RowBlock block({{"m", CellType::label_map}});
  block[0].add_entry("k", "v");
  block[0].add_entry("l", "v");
  block[0].end_list();
  block.end_row();
  std::string native;
  append_native(block, native);
  CHECK(native == bytes("\x01\x01"
                        "\x01m\x33Map(LowCardinality(String), LowCardinality(String))"
                        "\x01\0\0\0\0\0\0\0"
                        "\x01\0\0\0\0\0\0\0"
                        "\x02\0\0\0\0\0\0\0"
                        "\x00\x06\0\0\0\0\0\0"
                        "\x03\0\0\0\0\0\0\0\0\x01k\x01l"
                        "\x02\0\0\0\0\0\0\0\x01\x02"
                        "\x00\x06\0\0\0\0\0\0"
                        "\x02\0\0\0\0\0\0\0\0\x01v"
                        "\x02\0\0\0\0\0\0\0\x01\x01"));
}

TEST_CASE("a map of attributes has its keys in a dictionary and its values as they are") {
  RowBlock block({{"m", CellType::attribute_map}});
  block[0].add_entry("k", "v");
  block[0].end_list();
  block.end_row();
  std::string native;
  append_native(block, native);
  CHECK(native == bytes("\x01\x01"
                        "\x01m\x23Map(LowCardinality(String), String)"
                        "\x01\0\0\0\0\0\0\0"
                        "\x01\0\0\0\0\0\0\0"
                        "\x00\x06\0\0\0\0\0\0"
                        "\x02\0\0\0\0\0\0\0\0\x01k"
                        "\x01\0\0\0\0\0\0\0\x01"
                        "\x01v"));
}

TEST_CASE("lists without any element have no dictionary in Native") {
  RowBlock block({{"f", CellType::low_cardinality_array}});
  block[0].end_list();
  block.end_row();
  std::string native;
  append_native(block, native);
  CHECK(native == bytes("\x01\x01\x01"
                        "f\x1d"
                        "Array(LowCardinality(String))"
                        "\x01\0\0\0\0\0\0\0"
                        "\0\0\0\0\0\0\0\0"));
}

TEST_CASE("indexes of Native grow with the dictionary") {
  RowBlock block({{"s", CellType::low_cardinality}});
  for (int i = 0; i < 256; ++i) {
    block[0].add_text("t" + std::to_string(i));
    block.end_row();
  }
  std::string native;
  append_native(block, native);
  // 257 keys, one of them the default: two bytes each, 0x601.
  const std::size_t header = bytes("\x01\x80\x02\x01s\x16LowCardinality(String)").size();
  CHECK(native.substr(header + 8, 16) == bytes("\x01\x06\0\0\0\0\0\0\x01\x01\0\0\0\0\0\0"));
  CHECK(native.substr(native.size() - 4) == bytes("\xff\x00\x00\x01"));
}

TEST_CASE("RowBinary is row by row") {
  std::string binary;
  append_row_binary(small_block(), binary);
  CHECK(binary == bytes("\x01"
                        "a\x02\x01\0\0\0\0\0\0\x03\x01x\x01y\x01x\x01\0"
                        "\x00\x07\0\0\0\0\0\0\0\x00\x1a\x4d"));
}

TEST_CASE("TSV and JSON escape what they must") {
  RowBlock block({{"s", CellType::text},
                  {"f", CellType::low_cardinality_array},
                  {"m", CellType::label_map},
                  {"t", CellType::date_time64}});
  block[0].add_text("tab\t'quoted' \\ \"double\"\n");
  block[1].add_text("it's\t");
  block[1].end_list();
  block[2].add_entry("k\"", "v'\n");
  block[2].end_list();
  block[3].add_number(1'700'000'000'000'000'001);
  block.end_row();
  std::string tsv;
  append_tsv(block, tsv);
  CHECK(tsv ==
        "tab\\t\\'quoted\\' \\\\ \"double\"\\n\t['it\\'s\\t']\t{'k\"':'v\\'\\n'}\t"
        "1700000000.000000001\n");
  std::string json;
  append_json_each_row(block, json);
  CHECK(json == R"({"s":"tab\t'quoted' \\ \"double\"\n","f":["it's\t"],"m":{"k\"":"v'\n"},)"
                R"("t":"1700000000.000000001"})"
                "\n");
}

TEST_CASE("dates are written as calendars count") {
  const auto text_of = [](std::uint64_t day) {
    RowBlock block({{"d", CellType::date}});
    block[0].add_number(day);
    block.end_row();
    std::string tsv;
    append_tsv(block, tsv);
    return tsv;
  };
  CHECK(text_of(0) == "1970-01-01\n");
  CHECK(text_of(11'016) == "2000-02-29\n");
  CHECK(text_of(11'017) == "2000-03-01\n");
  CHECK(text_of(19'738) == "2024-01-16\n");
  CHECK(text_of(47'846) == "2100-12-31\n");
}

TEST_CASE("texts of SQL read back as they were") {
  using namespace std::string_literals;
  const std::string odd = "a'b\\c\td\ne\0f\"g`"s;
  const std::string literal = sql_text(odd);
  CHECK(literal == "'a\\'b\\\\c\\td\\ne\\0f\"g`'");
  CHECK(unescaped(std::string_view(literal).substr(1, literal.size() - 2)) == odd);
  CHECK(sql_name("we`ird") == "`we\\`ird`");
}
