#include "io/bytes.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <new>
#include <string>
#include <utility>

namespace jfrtree::internal {
namespace {

void check_padding(const PaddedBuffer& buffer) {
  const std::byte* end = buffer.data() + buffer.size();
  CHECK(std::all_of(end, end + PaddedBuffer::padding,
                    [](std::byte byte) { return byte == std::byte{0}; }));
}

}  // namespace

TEST_CASE("PaddedBuffer: a new one is empty and padded") {
  const PaddedBuffer buffer;
  CHECK(buffer.empty());
  CHECK(buffer.bytes().empty());
  check_padding(buffer);
}

TEST_CASE("PaddedBuffer keeps its contents and its padding through every change") {
  PaddedBuffer buffer;
  std::string expected;
  for (int count = 0; count < 300; ++count) {
    const std::string piece(static_cast<std::size_t>(count), static_cast<char>('a' + count % 26));
    buffer.append(as_bytes(piece));
    expected += piece;
    REQUIRE(as_text(buffer.bytes()) == expected);
    check_padding(buffer);
  }
  buffer.truncate(1000);
  CHECK(as_text(buffer.bytes()) == expected.substr(0, 1000));
  check_padding(buffer);
  const std::size_t capacity = buffer.capacity();
  buffer.clear();
  CHECK(buffer.empty());
  CHECK(buffer.capacity() == capacity);
  check_padding(buffer);
}

TEST_CASE("PaddedBuffer: what was prepared counts once it is committed") {
  PaddedBuffer buffer;
  const std::span<std::byte> room = buffer.prepare(8);
  CHECK(room.size() == 8);
  std::fill(room.begin(), room.end(), std::byte{0xFF});
  CHECK(buffer.empty());
  buffer.commit(3);
  CHECK(buffer.size() == 3);
  check_padding(buffer);
}

TEST_CASE("PaddedBuffer grows by a share of what is there") {
  PaddedBuffer buffer;
  int moves = 0;
  for (int count = 0; count < 100'000; ++count) {
    const std::size_t before = buffer.capacity();
    buffer.append(as_bytes("x"));
    moves += buffer.capacity() != before ? 1 : 0;
  }
  CHECK(moves < 40);
  CHECK(buffer.capacity() < 150'002);

  PaddedBuffer exact;
  exact.reserve(12'345);
  CHECK(exact.capacity() == 12'345);
  exact.reserve(10);
  CHECK(exact.capacity() == 12'345);
}

TEST_CASE("PaddedBuffer refuses sizes that no memory has") {
  PaddedBuffer buffer;
  buffer.append(as_bytes("kept"));
  CHECK_THROWS_AS(buffer.reserve(std::numeric_limits<std::size_t>::max()), std::bad_alloc);
  CHECK_THROWS_AS(static_cast<void>(buffer.prepare(std::numeric_limits<std::size_t>::max() - 2)),
                  std::bad_alloc);
  CHECK(as_text(buffer.bytes()) == "kept");
  check_padding(buffer);
}

TEST_CASE("PaddedBuffer can be moved") {
  PaddedBuffer buffer;
  buffer.append(as_bytes("contents"));
  const PaddedBuffer moved = std::move(buffer);
  CHECK(as_text(moved.bytes()) == "contents");
  check_padding(moved);
}

}  // namespace jfrtree::internal
