#include <doctest/doctest.h>

#include <random>
#include <string>

#include <jfrtree/error.hpp>

#include "clickhouse/tree_pipe.hpp"

using namespace jfrtree;
using jfrtree::test::filter;
using jfrtree::test::filter_tsv;
using jfrtree::test::message_of;
using jfrtree::test::RowWriter;

namespace {

/// `filter` checks that the input was read to its end all the same.
std::string error_of(const std::string& rows, const TreeFilterOptions& options = {},
                     std::string_view dictionary = {}) {
  return message_of([&] { return filter(rows, options, 0, dictionary); });
}

std::string tsv_error_of(const std::string& rows, const TreeFilterOptions& options = {},
                         std::string_view dictionary = {}) {
  return message_of([&] { return filter_tsv(rows, options, dictionary); });
}

bool holds(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

/// Behind the error, so that something is left to read.
const std::string& much_more() {
  static const std::string bytes(3'000'000, '\1');
  return bytes;
}

}  // namespace

TEST_CASE("a row that is cut anywhere is an error") {
  RowWriter first;
  first.row({"main", "run"}, 3);
  const std::string rows = first.bytes() + RowWriter().row({"main", "a"}, 4).bytes();
  for (std::size_t size = first.bytes().size() + 1; size < rows.size(); ++size) {
    CHECK(holds(error_of(rows.substr(0, size)), "row 2: the input ends inside the row"));
  }
  CHECK(holds(tsv_error_of("['a']\t1\n['b']\t"), "row 2: the input ends inside"));
}

TEST_CASE("lengths beyond the limits are errors, and nothing is allocated for them") {
  const std::uint64_t huge = std::uint64_t{1} << 62;
  CHECK(holds(error_of(RowWriter().length(huge).bytes() + much_more()), "limit stack_frames"));
  CHECK(holds(error_of(RowWriter().length(1).length(huge).bytes() + much_more()),
              "row 1: a frame of 4611686018427387904 bytes, more than the limit string_bytes"));
  // More than ten bytes of a length.
  CHECK(holds(error_of(std::string(12, '\xFF') + much_more()), "limit stack_frames"));
  CHECK(holds(error_of("\1" + std::string(12, '\xFF') + much_more()), "limit string_bytes"));
  TreeFilterOptions options;
  options.limits.string_bytes = 3;
  options.limits.stack_frames = 2;
  CHECK(error_of(RowWriter().row({"abc", "d"}, 1).bytes(), options).empty());
  CHECK(holds(error_of(RowWriter().row({"abcd"}, 1).bytes(), options), "limit string_bytes of 3"));
  CHECK(holds(error_of(RowWriter().row({"a", "b", "c"}, 1).bytes(), options), "stack_frames of 2"));
  CHECK(holds(tsv_error_of("['abcd']\t1\n", options), "limit string_bytes of 3"));
  CHECK(holds(tsv_error_of("['a','b','c']\t1\n", options), "limit stack_frames of 2"));
}

TEST_CASE("memory is bounded by limits on all texts, all frames and one row") {
  TreeFilterOptions options;
  options.limits.frame_bytes = 100;
  std::string rows;
  for (int i = 0; i < 100; ++i) rows += RowWriter().row({"frame" + std::to_string(i)}, 1).bytes();
  CHECK(holds(error_of(rows, options), "limit frame_bytes"));
  options = {};
  options.limits.profile_frames = 50;
  CHECK(holds(error_of(rows, options), "limit profile_frames"));
  options = {};
  options.limits.frame_bytes = 1'000'000;
  CHECK(holds(tsv_error_of("['" + std::string(4'000'000, 'x') + "']\t1\n", options),
              "longer than the limit frame_bytes"));
  options = {};
  options.limits.tree_nodes = 10;
  CHECK(holds(error_of(rows, options), "tree_nodes"));
}

TEST_CASE("values below 0 and sums beyond 64 bits are errors") {
  CHECK(holds(error_of(RowWriter().row({"a"}, 1).row({"b"}, ~std::uint64_t{0} - 4).bytes()),
              "row 2: the value -5 is negative"));
  CHECK(holds(tsv_error_of("['a']\t-5\n"), "row 1: the value -5 is negative"));
  constexpr std::uint64_t highest = ~std::uint64_t{0} >> 1;
  const std::string row = RowWriter().row({"a"}, highest).bytes();
  CHECK(error_of(row + row).empty());
  CHECK(holds(error_of(row + row + row), "more than 2^64-1"));
}

TEST_CASE("lines that are no rows are errors that say what is expected") {
  CHECK(holds(tsv_error_of("a;b 5\n"), "row 1: a stack is expected as in TSV"));
  CHECK(holds(tsv_error_of("['a'\t5\n"), "row 1: a stack is expected"));
  CHECK(holds(tsv_error_of("['a\t5\n"), "its quote is missing"));
  CHECK(holds(tsv_error_of("['a\\xZZ']\t5\n"), "two hexadecimal digits"));
  CHECK(holds(tsv_error_of("['a']\n"), "a column with a value is missing"));
  CHECK(holds(tsv_error_of("['a']\t5\t6\n"), "more columns"));
  CHECK(holds(tsv_error_of("['a']\t5.5\n"), "more columns"));
  CHECK(holds(tsv_error_of("['a']\tx\n"), "a whole number"));
  CHECK(holds(tsv_error_of("['a']\t99999999999999999999\n"), "a whole number"));
}

TEST_CASE("wrong ids and dictionaries are errors") {
  TreeFilterOptions options;
  options.frames = FrameColumn::ids64;
  CHECK(holds(tsv_error_of("[1,2]\t1\n", options, "1\ta\n"), "the frame id 2 is not in"));
  CHECK(
      holds(tsv_error_of("[1]\t1\n", options, "1\ta\n1\tb\n"), "fd 3: row 2: the frame id 1 has"));
  CHECK(holds(tsv_error_of("[1]\t1\n", options, "x\ta\n"), "fd 3: row 1: a whole number"));
  CHECK(holds(error_of(RowWriter().length(0).u64(1).bytes(), options, "\1\2\3"),
              "fd 3: row 1: the input ends inside"));
  // A wrong row while the other input is still large.
  const std::string dictionary(3'000'000, '\0');
  CHECK(holds(error_of(RowWriter().length(std::uint64_t{1} << 40).bytes() + much_more(), options,
                       dictionary),
              "stack_frames"));
}

TEST_CASE("blocks that are not what their line says are errors") {
  TreeFilterOptions options;
  options.protocol = RowProtocol::chunks;
  CHECK(holds(tsv_error_of("['a']\t1\n", options), "send_chunk_header"));
  CHECK(holds(tsv_error_of("-1\n", options), "send_chunk_header"));
  CHECK(holds(tsv_error_of(std::string(30, '1'), options), "send_chunk_header"));
  CHECK(holds(tsv_error_of("3\n['a']\t1\n", options), "2 more rows"));
  CHECK(holds(tsv_error_of("12", options), "the input ends inside"));
}

TEST_CASE("arrays of a function that do not fit are errors") {
  TreeFilterOptions options;
  options.protocol = RowProtocol::function;
  options.input_format = options.output_format = RowFormat::tab_separated;
  const auto tsv = [&](const char* rows) { return error_of(rows, options); };
  CHECK(holds(tsv("[['a']]\t[1,2]\n"), "1 stacks, but 2 values"));
  CHECK(holds(tsv("[['a'],['b']]\t[1]\n"), "2 stacks, but 1 values"));
  CHECK(holds(tsv("[['a']\t[1]\n"), "does not end"));
  options = {};
  options.protocol = RowProtocol::function;
  RowWriter rows;
  rows.length(1).stack({"a"}).length(2).u64(1).u64(2);
  CHECK(holds(error_of(rows.bytes(), options), "1 stacks, but 2 values"));
  CHECK(holds(error_of(RowWriter().length(1).stack({"a"}).length(1).bytes(), options),
              "ends inside the row"));
}

TEST_CASE("rows of random bytes are read or refused") {
  std::mt19937 random(49);
  for (int round = 0; round < 400; ++round) {
    std::string bytes;
    const std::size_t size = random() % 200;
    // Mostly small bytes: lengths that are possible.
    while (bytes.size() < size) {
      bytes += static_cast<char>(random() % 4 == 0 ? random() % 256 : random() % 6);
    }
    for (const auto protocol : {RowProtocol::stream, RowProtocol::chunks}) {
      TreeFilterOptions options;
      options.protocol = protocol;
      static_cast<void>(error_of(bytes, options));
      options.input_format = RowFormat::tab_separated;
      static_cast<void>(error_of(bytes, options));
    }
  }
}
