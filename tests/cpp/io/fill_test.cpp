#include "io/fill.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

#include "io/compressed.hpp"

namespace jfrtree::internal {

using test::noise;
using test::pieces_of;

TEST_CASE("fill gathers short reads and stops at the end") {
  const std::string text = noise(10'000);
  const auto input = stream_input(pieces_of(text, 7));
  PaddedBuffer buffer;
  CHECK(fill(*input, buffer, 0) == 0);
  CHECK(fill(*input, buffer, 5) == 5);
  CHECK(fill(*input, buffer, 4'000) == 4'000);
  CHECK(fill(*input, buffer, 100'000) == 5'995);
  CHECK(fill(*input, buffer, 1) == 0);
  CHECK(as_text(buffer.bytes()) == text);
}

TEST_CASE("fill takes no memory for a size that was only claimed") {
  const auto input = stream_input(pieces_of(noise(1000), 1000));
  PaddedBuffer buffer;
  CHECK(fill(*input, buffer, std::uint64_t{1} << 60) == 1000);
  CHECK(buffer.capacity() <= std::size_t{1} << 20);
}

TEST_CASE("fill keeps what came before a failure") {
  const std::string text = noise(1000);
  const auto input = stream_input(pieces_of(text, 100, 5));
  PaddedBuffer buffer;
  CHECK_THROWS_AS(fill(*input, buffer, 1000), std::runtime_error);
  CHECK(buffer.size() > 200);
  CHECK(text.starts_with(as_text(buffer.bytes())));
}

TEST_CASE("fill_at reads at a position, at most to the end") {
  const std::string text = noise(600'000);
  const auto input = memory_input(as_bytes(text));
  PaddedBuffer buffer;
  CHECK(fill_at(*input, 100, buffer, 500'000) == 500'000);
  CHECK(as_text(buffer.bytes()) == text.substr(100, 500'000));
  buffer.clear();
  CHECK(fill_at(*input, 599'990, buffer, ~std::uint64_t{0}) == 10);
  CHECK(fill_at(*input, 600'000, buffer, 5) == 0);
  CHECK(fill_at(*input, ~std::uint64_t{0}, buffer, 5) == 0);
  CHECK(as_text(buffer.bytes()) == text.substr(599'990));

  const auto stream = stream_input(pieces_of(text, 1000));
  CHECK(fill_at(*stream, 0, buffer, 5) == 0);
}

}  // namespace jfrtree::internal
