#include "format/frame_batch.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <random>
#include <vector>

namespace jfrtree::internal {

namespace {

using Decode = decltype(&decode_frame_rows);

struct Result {
  std::vector<FrameRow> rows;
  std::size_t position = 0;
};

Result run(Decode decode, const std::vector<std::uint8_t>& bytes, std::size_t count,
           FrameParts parts = FrameParts::all) {
  Result result;
  result.rows.resize(count);
  const std::uint8_t* position = bytes.data();
  result.rows.resize(decode(position, bytes.data() + bytes.size(), result.rows, parts));
  result.position = static_cast<std::size_t>(position - bytes.data());
  return result;
}

}  // namespace

TEST_CASE("decode_frame_rows takes method, line and type, and passes over the bytecode index") {
  for (const Decode decode : {&decode_frame_rows_plain, &decode_frame_rows}) {
    // 300, 17, 9, 2; then 1, 0, 0, 128; then a frame that is cut.
    const Result result =
        run(decode, {0xAC, 0x02, 17, 9, 2, 1, 0, 0, 0x80, 0x01, 5, 6, 7, 0x80}, 5);
    REQUIRE(result.rows.size() == 2);
    CHECK(result.position == 10);
    CHECK(result.rows[0].method == 300);
    CHECK(result.rows[0].line == 17);
    CHECK(result.rows[0].type == 2);
    CHECK(result.rows[1].method == 1);
    CHECK(result.rows[1].type == 128);
    CHECK(run(decode, {1, 2, 3, 4, 5, 6, 7, 8}, 1).position == 4);
    CHECK(run(decode, {}, 1).rows.empty());
  }
}

TEST_CASE("decode_frame_rows does the same with and without special instructions") {
  std::mt19937_64 random(3);
  for (int round = 0; round < 3000; ++round) {
    CAPTURE(round);
    std::vector<std::uint8_t> bytes(random() % 400);
    const std::uint64_t share = random() % 101;
    for (std::uint8_t& byte : bytes) {
      byte = static_cast<std::uint8_t>((random() & 0x7F) | (random() % 100 < share ? 0x80 : 0));
    }
    const std::size_t count = random() % 120;
    const Result fast = run(&decode_frame_rows, bytes, count);
    const Result plain = run(&decode_frame_rows_plain, bytes, count);
    REQUIRE(fast.position == plain.position);
    REQUIRE(fast.rows.size() == plain.rows.size());
    for (std::size_t i = 0; i < fast.rows.size(); ++i) {
      REQUIRE(fast.rows[i].method == plain.rows[i].method);
      REQUIRE(fast.rows[i].line == plain.rows[i].line);
      REQUIRE(fast.rows[i].type == plain.rows[i].type);
    }
    const Result methods = run(&decode_frame_rows, bytes, count, FrameParts::methods);
    REQUIRE(methods.position == plain.position);
    REQUIRE(methods.rows.size() == plain.rows.size());
    for (std::size_t i = 0; i < methods.rows.size(); ++i) {
      REQUIRE(methods.rows[i].method == plain.rows[i].method);
    }
  }
}

}  // namespace jfrtree::internal
