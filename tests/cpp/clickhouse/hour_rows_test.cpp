/// Sums by the hour of rows made by hand.

#include <doctest/doctest.h>

#include <cstdint>
#include <string>

#include "clickhouse/rows/row_block.hpp"
#include "clickhouse/rows/sample_tables.hpp"

namespace jfrtree::internal {
namespace {

constexpr std::int64_t second = 1'000'000'000;
// 2023-11-14 22:00:00 UTC: 1,700,000,000 is 22:13:20.
constexpr std::int64_t ten_in_the_evening = 1'699'999'200;

SampleRow row_at(std::int64_t seconds, std::uint32_t kind, std::uint32_t stack,
                 std::uint32_t thread, std::uint64_t count, std::uint64_t value) {
  SampleRow row;
  row.bucket_start_ns = seconds * second;
  row.kind = kind;
  row.stack = stack;
  row.thread = thread;
  row.count = count;
  row.value = value;
  return row;
}

struct Chunk {
  Chunk() {
    source.labels = {{"service", "cart"}, {"zone", "b"}};
    chunk.place.source = &source;
    chunk.kinds.resize(2);
    chunk.kinds[0].name = "cpu";
    chunk.kinds[1].name = "live";
    chunk.kinds[1].is_snapshot = true;
    chunk.stacks.resize(2);
    chunk.stacks[0].hash = 11;
    chunk.stacks[1].hash = 22;
    chunk.threads = {"main", "worker"};
  }

  Source source;
  SampleChunk chunk;
};

std::string hours_of(const SampleChunk& chunk) {
  RowBlock block(table_columns(clickhouse::Model::hashed, clickhouse::Table::samples));
  std::string text;
  add_hour_rows(chunk, 5, block, [&](const RowBlock& full) { append_tsv(full, text); });
  append_tsv(block, text);
  return text;
}

TEST_CASE("rows of an hour are summed over buckets and threads, not over hours and kinds") {
  Chunk made;
  made.chunk.rows = {row_at(ten_in_the_evening, 0, 1, 0, 1, 10),
                     row_at(ten_in_the_evening, 0, 1, 1, 2, 20),
                     row_at(ten_in_the_evening + 3'599, 0, 0, 0, 4, 0),
                     row_at(ten_in_the_evening + 3'599, 0, 1, 0, 8, 80),
                     row_at(ten_in_the_evening + 3'600, 0, 1, 0, 16, 160),
                     row_at(ten_in_the_evening, 1, 0, 0, 32, 320)};
  CHECK(hours_of(made.chunk) ==
        "cart\tcpu\t1699999200\t11\t0\t\t{'zone':'b'}\t5\t4\t0\n"
        "cart\tcpu\t1699999200\t22\t0\t\t{'zone':'b'}\t5\t11\t110\n"
        "cart\tcpu\t1700002800\t22\t0\t\t{'zone':'b'}\t5\t16\t160\n");
}

TEST_CASE("times that a DateTime cannot hold are in its first and last hour") {
  Chunk made;
  made.chunk.rows = {row_at(-7'200, 0, 0, 0, 1, 1), row_at(-1, 0, 0, 0, 1, 1),
                     row_at(3'599, 0, 0, 0, 1, 1), row_at(4'294'967'295, 0, 0, 0, 1, 1),
                     row_at(5'000'000'000, 0, 0, 0, 1, 1)};
  // 4,294,967,295 = 2^32 - 1 is 06:28:15: its hour begins 1,695 seconds earlier.
  CHECK(hours_of(made.chunk) ==
        "cart\tcpu\t0\t11\t0\t\t{'zone':'b'}\t5\t3\t3\n"
        "cart\tcpu\t4294965600\t11\t0\t\t{'zone':'b'}\t5\t2\t2\n");
}

TEST_CASE("sums by the hour do not wrap") {
  Chunk made;
  made.chunk.rows = {row_at(0, 0, 0, 0, 1, ~std::uint64_t{0}), row_at(1, 0, 0, 0, 1, 1)};
  CHECK(hours_of(made.chunk) ==
        "cart\tcpu\t0\t11\t0\t\t{'zone':'b'}\t5\t2\t18446744073709551615\n");
}

}  // namespace
}  // namespace jfrtree::internal
