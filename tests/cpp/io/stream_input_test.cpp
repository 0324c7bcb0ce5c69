#include "io/stream_input.hpp"

#include <doctest/doctest.h>

#include <jfrtree/error.hpp>

#include <array>
#include <stdexcept>
#include <string>
#include <vector>

#include "io/compressed.hpp"

namespace jfrtree::test {

TEST_CASE("stream_input: bytes that were looked at are read again") {
  for (const std::size_t size : std::initializer_list<std::size_t>{1, 2, 3, 4, 5, 1000}) {
    for (const std::size_t piece : std::initializer_list<std::size_t>{1, 3, 4, 7, 4096}) {
      const std::string text = noise(size);
      const auto input = stream_input(pieces_of(text, piece), "name");
      CHECK(input->name() == "name");
      CHECK_FALSE(input->size().has_value());
      CHECK(read_contents(*input, piece == 7 ? 1 : 100).text == text);
    }
  }
}

TEST_CASE("stream_input: peek does not consume") {
  internal::StreamInput input(pieces_of("0123456789", 3), "name");
  CHECK(internal::as_text(input.peek()) == "0123");
  CHECK(internal::as_text(input.peek()) == "0123");
  std::array<std::byte, 3> buffer{};
  CHECK(input.read(buffer) == 3);
  CHECK(internal::as_text(input.peek()) == "3");
  CHECK(read_contents(input).text == "3456789");
}

TEST_CASE("stream_input: the end is final") {
  int calls = 0;
  const auto input = stream_input([&calls](std::span<std::byte> buffer) {
    buffer[0] = std::byte{'x'};
    return ++calls % 2 == 1 ? std::size_t{1} : std::size_t{0};
  });
  CHECK(read_contents(*input).text == "x");
  std::array<std::byte, 3> buffer{};
  CHECK(input->read(buffer) == 0);
  CHECK(calls == 2);
}

TEST_CASE("stream_input: empty input, failing functions, functions that lie") {
  CHECK_THROWS_AS(static_cast<void>(stream_input(pieces_of("", 1))), FormatError);
  CHECK_THROWS_AS(static_cast<void>(stream_input(pieces_of("text", 1, 1))), std::runtime_error);
  CHECK_THROWS_AS(static_cast<void>(stream_input(pieces_of("text", 1, 2))), std::runtime_error);

  const auto input = stream_input(pieces_of("0123456789", 6, 2));
  std::array<std::byte, 10> buffer{};
  CHECK(input->read(buffer) == 4);
  CHECK_THROWS_AS(input->read(buffer), std::runtime_error);

  CHECK_THROWS_AS(
      static_cast<void>(stream_input([](std::span<std::byte> room) { return room.size() + 1; })),
      IoError);
}

TEST_CASE("stream_input finds compressed streams") {
  const auto input = stream_input(pieces_of(gzip("contents"), 1));
  CHECK(input->container() == "gzip");
  CHECK(read_contents(*input).text == "contents");
}

}  // namespace jfrtree::test
