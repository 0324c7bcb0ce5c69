#include <doctest/doctest.h>

#include <string>

#include "clickhouse/tree_pipe.hpp"

using namespace jfrtree;
using jfrtree::test::filter;
using jfrtree::test::filter_tsv;
using jfrtree::test::message_of;
using jfrtree::test::RowWriter;

TEST_CASE("blocks with a line before each are one input") {
  TreeFilterOptions options;
  options.protocol = RowProtocol::chunks;
  CHECK(filter_tsv("2\n['a']\t1\n['b']\t2\n0\n1\n['a']\t4\n", options) ==
        filter_tsv("['a']\t5\n['b']\t2\n"));
  CHECK(filter_tsv("", options) == filter_tsv(""));
  const std::string rows = "2\n" + RowWriter().row({"a"}, 1).row({"b"}, 2).bytes() + "1\n" +
                           RowWriter().row({"a"}, 4).bytes();
  options.output_format = RowFormat::tab_separated;
  for (std::size_t piece = 0; piece < rows.size(); ++piece) {
    CHECK(filter(rows, options, piece) == filter_tsv("['a']\t5\n['b']\t2\n"));
  }
}

TEST_CASE("dictionaries come in blocks as well") {
  TreeFilterOptions options;
  options.protocol = RowProtocol::chunks;
  options.frames = FrameColumn::ids64;
  CHECK(filter_tsv("1\n[1]\t5\n1\n[2]\t2\n", options, "1\n2\tb\n0\n1\n1\ta\n") ==
        filter_tsv("['a']\t5\n['b']\t2\n"));
}

TEST_CASE("a pool answers every block, each behind the number of rows") {
  TreeFilterOptions options;
  options.protocol = RowProtocol::pool;
  CHECK(filter_tsv("2\n['a']\t1\n['b']\t2\n1\n['a']\t4\n0\n", options) ==
        "3\n0\t0\t3\t0\ttotal\n1\t1\t1\t1\ta\n2\t1\t2\t2\tb\n"
        "2\n0\t0\t4\t0\ttotal\n1\t1\t4\t4\ta\n"
        "1\n0\t0\t0\t0\ttotal\n");
  options.shape = TreeShape::collapsed;
  CHECK(filter_tsv("2\n['a']\t1\n['b']\t2\n0\n", options) == "2\na 1\nb 2\n0\n");
}

TEST_CASE("a function answers each row with one") {
  TreeFilterOptions options;
  options.protocol = RowProtocol::function;
  CHECK(filter_tsv("[['a','b'],['a']]\t[1,2]\n[]\t[]\n[[]]\t[3]\n[['it\\'s']]\t[4]\n", options) ==
        "[(0,3,0,'total'),(1,3,2,'a'),(2,1,1,'b')]\n"
        "[(0,0,0,'total')]\n"
        "[(0,3,3,'total')]\n"
        "[(0,4,0,'total'),(1,4,4,'it\\'s')]\n");
  options.values = 2;
  CHECK(filter_tsv("[['a']]\t[1]\t[2]\n", options) == "[(0,1,0,'total',2,0),(1,1,1,'a',2,2)]\n");
}

TEST_CASE("a function's rows in RowBinary may be cut anywhere") {
  TreeFilterOptions options;
  options.protocol = RowProtocol::function;
  RowWriter rows;
  rows.length(2).stack({"a", "b"}).stack({"a"}).length(2).u64(1).u64(2);
  rows.length(0).length(0);
  RowWriter expected;
  expected.length(3).u32(0).u64(3).u64(0).text("total");
  expected.u32(1).u64(3).u64(2).text("a").u32(2).u64(1).u64(1).text("b");
  expected.length(1).u32(0).u64(0).u64(0).text("total");
  for (std::size_t piece = 0; piece < rows.bytes().size(); ++piece) {
    CHECK(filter(rows.bytes(), options, piece) == expected.bytes());
  }
  options.protocol = RowProtocol::function_chunks;
  CHECK(filter("2\n" + rows.bytes(), options) == expected.bytes());
}

TEST_CASE("a function gives texts in one column") {
  TreeFilterOptions options;
  options.protocol = RowProtocol::function;
  options.shape = TreeShape::collapsed;
  CHECK(filter_tsv("[['a','b'],['c']]\t[1,2]\n[]\t[]\n", options) == "a;b 1\\nc 2\n\n");
}

TEST_CASE("texts that are kept from row to row do not show in later rows") {
  TreeFilterOptions options;
  options.protocol = RowProtocol::function;
  std::string rows;
  std::string expected;
  for (int i = 0; i < 300; ++i) {
    const std::string name = "z" + std::to_string(i % 7) + std::string(40'000, 'x');
    rows += "[['" + name + "','m']]\t[1]\n";
    expected += "[(0,1,0,'total'),(1,1,0,'" + name + "'),(2,1,1,'m')]\n";
  }
  CHECK(filter_tsv(rows, options) == expected);
}

TEST_CASE("options that contradict each other are refused before anything is read") {
  TreeFilterOptions options;
  options.frames = FrameColumn::ids64;
  const auto call = [&] { return filter_stack_rows(-1, -1, -1, options); };
  CHECK(message_of(call).find("file descriptor 3") != std::string::npos);
  options.protocol = RowProtocol::pool;
  CHECK(message_of(call).find("pools and functions") != std::string::npos);
  options = {};
  options.values = 3;
  CHECK(message_of(call).find("one value, or two") != std::string::npos);
}
