#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "clickhouse/tree_pipe.hpp"

using namespace jfrtree;
using jfrtree::test::filter;
using jfrtree::test::filter_tsv;
using jfrtree::test::RowWriter;

namespace {

constexpr const char* three_rows = "['main','run','a']\t3\n['main','run']\t2\n['main','b']\t4\n";

}  // namespace

TEST_CASE("rows of stacks become rows of a call tree in depth-first order") {
  CHECK(filter_tsv(three_rows) ==
        "0\t0\t9\t0\ttotal\n"
        "1\t1\t9\t0\tmain\n"
        "2\t2\t4\t4\tb\n"
        "3\t2\t5\t2\trun\n"
        "4\t3\t3\t3\ta\n");
}

TEST_CASE("RowBinary holds the same, whatever pieces it comes in") {
  RowWriter rows;
  rows.row({"main", "run", "a"}, 3).row({"main", "run"}, 2).row({"main", "b"}, 4);
  RowWriter expected;
  expected.u64(0).u32(0).u64(9).u64(0).text("total");
  expected.u64(1).u32(1).u64(9).u64(0).text("main");
  expected.u64(2).u32(2).u64(4).u64(4).text("b");
  expected.u64(3).u32(2).u64(5).u64(2).text("run");
  expected.u64(4).u32(3).u64(3).u64(3).text("a");
  for (std::size_t piece = 0; piece <= rows.bytes().size(); ++piece) {
    CHECK(filter(rows.bytes(), {}, piece) == expected.bytes());
  }
}

TEST_CASE("frames of every length are told apart") {
  // Texts that differ in one byte, at each place of each length.
  std::string rows;
  std::uint64_t count = 0;
  for (std::size_t length = 0; length < 70; ++length) {
    for (std::size_t place = 0; place <= length; ++place) {
      std::string text(length, 'a');
      if (place < length) text[place] = 'b';
      rows += RowWriter().row({text}, 1).row({text}, 2).bytes();
      ++count;
    }
  }
  TreeFilterOptions options;
  options.output_format = RowFormat::tab_separated;
  const std::string answer = filter(rows, options);
  CHECK(std::count(answer.begin(), answer.end(), '\n') == static_cast<std::ptrdiff_t>(count + 1));
  std::size_t threes = 0;
  for (std::size_t at = answer.find("\t3\t3\t"); at != std::string::npos;
       at = answer.find("\t3\t3\t", at + 1)) {
    ++threes;
  }
  CHECK(threes == count);
}

TEST_CASE("equal stacks are summed, an empty stack belongs to the root") {
  CHECK(filter_tsv("['a']\t1\n[]\t5\n['a']\t2\n") == "0\t0\t8\t5\ttotal\n1\t1\t3\t3\ta\n");
  TreeFilterOptions options;
  options.shape = TreeShape::collapsed;
  CHECK(filter_tsv("['a']\t1\n[]\t5\n['a']\t2\n", options) == "a 3\ntotal 5\n");
}

TEST_CASE("no rows make the root alone, in every shape") {
  CHECK(filter_tsv("") == "0\t0\t0\t0\ttotal\n");
  CHECK(filter("", {}) == RowWriter().u64(0).u32(0).u64(0).u64(0).text("total").bytes());
  TreeFilterOptions options;
  options.shape = TreeShape::collapsed;
  CHECK(filter_tsv("", options).empty());
  options.shape = TreeShape::flamebearer;
  CHECK(filter_tsv("", options).find("\"numTicks\":0") != std::string::npos);
}

TEST_CASE("stacks may be leaf first, trees may begin at the leaves") {
  TreeFilterOptions options;
  options.leaf_first = true;
  CHECK(filter_tsv("['a','run','main']\t3\n['run','main']\t2\n['b','main']\t4\n", options) ==
        filter_tsv(three_rows));
  options = {};
  options.reverse = true;
  CHECK(filter_tsv("['m','a']\t3\n['n','a']\t2\n", options) ==
        "0\t0\t5\t0\ttotal\n1\t1\t5\t0\ta\n2\t2\t3\t3\tm\n3\t2\t2\t2\tn\n");
}

TEST_CASE("two values are compared side by side") {
  TreeFilterOptions options;
  options.values = 2;
  CHECK(filter_tsv("['a','b']\t3\t1\n['a','c']\t0\t4\n['d']\t0\t0\n", options) ==
        "0\t0\t3\t0\ttotal\t5\t0\n"
        "1\t1\t3\t0\ta\t5\t0\n"
        "2\t2\t3\t3\tb\t1\t1\n"
        "3\t2\t0\t0\tc\t4\t4\n");
  options.shape = TreeShape::flamebearer;
  const std::string text = filter_tsv("['a','b']\t3\t1\n", options);
  CHECK(text.find("\"format\":\"double\"") != std::string::npos);
  options.shape = TreeShape::collapsed;
  CHECK(filter_tsv("['a','b']\t3\t1\n", options) == "a;b 3 1\n");
}

TEST_CASE("what is cut is summed") {
  TreeFilterOptions options;
  options.max_nodes = 2;
  const std::string rows = "['a','b']\t5\n['a','c']\t1\n['d']\t1\n";
  CHECK(filter_tsv(rows, options) ==
        "0\t0\t7\t0\ttotal\n1\t1\t6\t0\ta\n2\t2\t5\t5\tb\n3\t2\t1\t1\t(other)\n"
        "4\t1\t1\t1\t(other)\n");
  options = {};
  options.min_width = 80;
  CHECK(filter_tsv(rows, options) ==
        "0\t0\t7\t0\ttotal\n1\t1\t6\t0\ta\n2\t2\t6\t6\t(other)\n3\t1\t1\t1\t(other)\n");
  options = {};
  options.largest_stacks = 1;
  CHECK(filter_tsv(rows, options) ==
        "0\t0\t7\t0\ttotal\n1\t1\t2\t2\t(other)\n2\t1\t5\t0\ta\n3\t2\t5\t5\tb\n");
  // Of equal stacks the first in order stays, whatever the order of the rows.
  options.largest_stacks = 2;
  CHECK(filter_tsv(rows, options) == filter_tsv("['d']\t1\n['a','c']\t1\n['a','b']\t5\n", options));
  options.largest_stacks = 3;
  CHECK(filter_tsv(rows, options) == filter_tsv(rows));
}

TEST_CASE("TSV texts are escaped as ClickHouse does, both ways") {
  const std::string rows = R"(['it\'s','back\\slash','a\tb\nc\rd\0e\bf\fg','x\x41,]'])"
                           "\t1\n";
  CHECK(filter_tsv(rows) ==
        "0\t0\t1\t0\ttotal\n"
        "1\t1\t1\t0\tit\\'s\n"
        "2\t2\t1\t0\tback\\\\slash\n"
        "3\t3\t1\t0\ta\\tb\\nc\\rd\\0e\\bf\\fg\n"
        "4\t4\t1\t1\txA,]\n");
}

TEST_CASE("texts that are no UTF-8 are repaired, equal ones become one") {
  TreeFilterOptions options;
  options.output_format = RowFormat::tab_separated;
  RowWriter rows;
  rows.row({"a\xFF"}, 1).row({"a\xFE"}, 2).row({"\xC3\xA9"}, 4);
  CHECK(filter(rows.bytes(), options) ==
        "0\t0\t7\t0\ttotal\n1\t1\t3\t3\ta\xEF\xBF\xBD\n2\t1\t4\t4\t\xC3\xA9\n");
}

TEST_CASE("ids have their texts in a dictionary") {
  TreeFilterOptions options;
  options.frames = FrameColumn::ids64;
  const std::string expected = filter_tsv("['a','b']\t3\n['a']\t2\n");
  CHECK(filter_tsv("[7,18446744073709551615]\t3\n[7]\t2\n", options,
                   "18446744073709551615\tb\n9\tunused\n7\ta\n7\ta\n") == expected);
  RowWriter rows;
  rows.length(2).u64(7).u64(~std::uint64_t{0}).u64(3).length(1).u64(7).u64(2);
  RowWriter dictionary;
  dictionary.u64(7).text("a").u64(~std::uint64_t{0}).text("b");
  options.output_format = RowFormat::tab_separated;
  for (const std::size_t piece : {0U, 1U, 3U, 8U}) {
    CHECK(filter(rows.bytes(), options, piece, dictionary.bytes()) == expected);
  }
  options.frames = FrameColumn::ids32;
  RowWriter narrow;
  narrow.length(2).u32(7).u32(8).u64(3).length(1).u32(7).u64(2);
  CHECK(filter(narrow.bytes(), options, 0, RowWriter().u32(7).text("a").u32(8).text("b").bytes()) ==
        expected);
}

TEST_CASE("different ids may have one text") {
  TreeFilterOptions options;
  options.frames = FrameColumn::ids64;
  CHECK(filter_tsv("[1,3]\t3\n[2,3]\t2\n", options, "1\ta\n2\ta\n3\tb\n") ==
        filter_tsv("['a','b']\t5\n"));
}
