#include "format/event_batch.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <random>
#include <vector>

#include "format/byte_reader.hpp"

namespace jfrtree::internal {

namespace {

using Code = DecodeStep::Code;
using Kind = EventAction::Kind;

/// Records as bytes.
class Records {
 public:
  /// A varint of at least `length` bytes: padded forms are normal.
  Records& varint(std::uint64_t value, std::size_t length = 1) {
    for (std::size_t i = 0; i < 8 && (value >= 0x80 || i + 1 < length); ++i) {
      put(static_cast<std::uint8_t>(value | 0x80));
      value >>= 7;
    }
    put(static_cast<std::uint8_t>(value));
    return *this;
  }
  Records& put(std::uint8_t byte) {
    bytes_.push_back(std::byte{byte});
    return *this;
  }
  /// One record of a type with integers; its size is what it takes.
  Records& record(std::uint64_t type, const std::vector<std::uint64_t>& integers) {
    Records body;
    body.varint(type);
    for (const std::uint64_t integer : integers) body.varint(integer);
    varint(body.bytes_.size() + 2, 2);
    bytes_.insert(bytes_.end(), body.bytes_.begin(), body.bytes_.end());
    return *this;
  }
  /// Bytes that make what comes before decodable: a batch leaves the end of its input alone.
  Records& margin() {
    bytes_.resize(bytes_.size() + event_batch_margin);
    return *this;
  }
  [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

/// Takes integers 2, 3 and 4 of: time, thread, stack, class, size (4 bytes, signed).
DecodeProgram sample_program() {
  DecodeProgram program;
  program.push_back({Code::skip_integers, 8, false, 0, 2});
  program.push_back({Code::take_integer, 8, false, 0, 0});
  program.push_back({Code::take_integer, 8, false, 1, 0});
  program.push_back({Code::take_integer, 4, true, 4, 0});
  return program;
}

/// Type 100 is taken as plan 7 and counted as 1, type 200 is counted as 0; all others stop.
EventActions actions() {
  EventActions result;
  IntegerLayout layout;
  REQUIRE(to_integer_layout(sample_program(), true, layout));
  result.set(200, {Kind::count, 0, 0, 0});
  result.set(100, {Kind::take, 1, 7, 0}, layout);
  return result;
}

struct Result {
  std::vector<EventRow> rows;
  std::vector<std::uint64_t> counters = {0, 0};
  std::uint64_t position = 0;
};

using Decode = decltype(&decode_events);

Result run(Decode decode, std::span<const std::byte> bytes, std::size_t most_rows = 16) {
  Result result;
  result.rows.resize(most_rows);
  const EventActions known = actions();
  const std::size_t count =
      decode(bytes, result.position, known, result.rows, result.counters.data());
  result.rows.resize(count);
  return result;
}

void check_equal(const Result& one, const Result& other) {
  REQUIRE(one.position == other.position);
  REQUIRE(one.counters == other.counters);
  REQUIRE(one.rows.size() == other.rows.size());
  for (std::size_t i = 0; i < one.rows.size(); ++i) {
    REQUIRE(one.rows[i].offset == other.rows[i].offset);
    REQUIRE(one.rows[i].plan == other.rows[i].plan);
    for (const std::size_t slot : {0U, 1U, 4U}) {
      REQUIRE(one.rows[i].slots[slot] == other.rows[i].slots[slot]);
    }
  }
}

}  // namespace

TEST_CASE("to_integer_layout keeps which integers go to which slot") {
  IntegerLayout layout;
  REQUIRE(to_integer_layout(sample_program(), true, layout));
  CHECK(layout.integer_count == 5);
  REQUIRE(layout.taken_count == 3);
  CHECK(layout.taken[0].index == 2);
  CHECK(layout.taken[0].slot == 0);
  CHECK(layout.taken[2].index == 4);
  CHECK(layout.taken[2].slot == 4);
  CHECK(layout.taken[2].unused_bits == 32);
  CHECK(layout.taken[2].is_signed);
}

TEST_CASE("to_integer_layout refuses what is not a few compressed integers") {
  IntegerLayout layout;
  CHECK_FALSE(to_integer_layout(sample_program(), false, layout));
  CHECK_FALSE(to_integer_layout({{Code::skip_string, 0, false, 0, 0}}, true, layout));
  CHECK_FALSE(to_integer_layout({{Code::take_byte, 1, false, 0, 0}}, true, layout));
  CHECK(to_integer_layout({{Code::skip_integers, 8, false, 0, 12}}, true, layout));
  CHECK_FALSE(to_integer_layout({{Code::skip_integers, 8, false, 0, 13}}, true, layout));
  CHECK_FALSE(to_integer_layout({{Code::take_integer, 8, false, 7, 0}}, true, layout));
}

TEST_CASE("decode_events takes, counts, and stops at what is the caller's") {
  for (const Decode decode : {&decode_events_plain, &decode_events}) {
    Records records;
    records.record(100, {1'000'000, 5, 77, 300, 4096}).record(200, {1, 2, 3});
    const std::size_t second = records.bytes().size();
    records.record(100, {9, 9, 0xFFFF'FFFF'FFFF, 0, 0xFFFF'FFFF});
    const std::size_t third = records.bytes().size();
    records.record(999, {1}).margin();
    const Result result = run(decode, records.bytes());
    CHECK(result.position == third);
    CHECK(result.counters == std::vector<std::uint64_t>{1, 2});
    REQUIRE(result.rows.size() == 2);
    CHECK(result.rows[0].offset == 0);
    CHECK(result.rows[0].plan == 7);
    CHECK(result.rows[0].slots[0] == 77);
    CHECK(result.rows[0].slots[1] == 300);
    CHECK(result.rows[0].slots[4] == 4096);
    CHECK(result.rows[1].offset == second);
    CHECK(result.rows[1].slots[0] == 0xFFFF'FFFF'FFFF);
    CHECK(static_cast<std::int64_t>(result.rows[1].slots[4]) == -1);
  }
}

TEST_CASE("decode_events stops when the rows are full and goes on from there") {
  Records records;
  for (std::uint64_t i = 0; i < 5; ++i) records.record(100, {1, 2, i, 4, 5});
  records.margin();
  const Result two = run(&decode_events, records.bytes(), 2);
  CHECK(two.rows.size() == 2);
  CHECK(two.position == 2 * records.bytes().size() / 5 - 2 * event_batch_margin / 5);
  CHECK(run(&decode_events, records.bytes(), 5).rows[4].slots[0] == 4);
}

TEST_CASE("decode_events leaves records alone whose size cannot be right, and the end") {
  for (const Decode decode : {&decode_events_plain, &decode_events}) {
    // 100 bytes more than there are.
    Records large;
    large.varint(event_batch_margin + 100, 2).varint(200).margin();
    CHECK(run(decode, large.bytes()).position == 0);
    // Less than its own size and type.
    Records small;
    small.varint(2, 1).varint(200).margin();
    CHECK(run(decode, small.bytes()).position == 0);
    // Fields beyond the record's end.
    Records overrun;
    overrun.varint(6, 1).varint(100).varint(1).varint(2).varint(3).varint(4).varint(5).margin();
    CHECK(run(decode, overrun.bytes()).position == 0);
    Records last;
    last.record(200, {1});
    CHECK(run(decode, last.bytes()).position == 0);
  }
}

TEST_CASE("decode_events reads varints of 9 bytes and padded ones") {
  for (const Decode decode : {&decode_events_plain, &decode_events}) {
    Records body;
    body.varint(100, 3).varint(~std::uint64_t{0}).varint(5, 4).varint(77, 8).varint(300).varint(1);
    Records records;
    records.varint(body.bytes().size() + 4, 4);
    for (const std::byte byte : body.bytes()) records.put(std::to_integer<std::uint8_t>(byte));
    records.margin();
    const Result result = run(decode, records.bytes());
    REQUIRE(result.rows.size() == 1);
    CHECK(result.rows[0].slots[0] == 77);
    CHECK(result.rows[0].slots[1] == 300);
    CHECK(result.rows[0].slots[4] == 1);
  }
}

TEST_CASE("decode_events does the same with and without special instructions") {
  std::mt19937_64 random(1);
  for (int round = 0; round < 3000; ++round) {
    CAPTURE(round);
    Records records;
    for (int i = 0; i < 8; ++i) {
      std::vector<std::uint64_t> integers;
      for (int field = 0; field < 6; ++field) integers.push_back(random() >> random() % 64);
      records.record(random() % 4 == 0 ? 200 : 100, integers);
    }
    records.margin();
    std::vector<std::byte> bytes(records.bytes().begin(), records.bytes().end());
    check_equal(run(&decode_events, bytes), run(&decode_events_plain, bytes));
    // Damaged, and from somewhere in the middle.
    for (int i = 0; i < 4; ++i) {
      bytes[random() % bytes.size()] = static_cast<std::byte>(random() & 0xFF);
    }
    const auto rest = std::span(bytes).subspan(random() % 20);
    check_equal(run(&decode_events, rest), run(&decode_events_plain, rest));
  }
}

}  // namespace jfrtree::internal
