#include <jfrtree/spool.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <string>
#include <string_view>

namespace jfrtree {

namespace {

/// Hands out `text` five bytes at a time, then fails if asked to.
std::unique_ptr<Input> slow_input(std::string_view text, bool fails = false) {
  return stream_input(
      [text, fails](std::span<std::byte> buffer) mutable -> std::size_t {
        if (text.empty() && fails) {
          Problem problem;
          problem.code = ErrorCode::bad_compression;
          problem.message = "broken";
          throw FormatError(problem);
        }
        const std::size_t count = std::min({text.size(), buffer.size(), std::size_t{5}});
        std::memcpy(buffer.data(), text.data(), count);
        text.remove_prefix(count);
        return count;
      },
      "slow");
}

std::string all_of(Input& input) {
  std::string text;
  std::array<std::byte, 7> buffer{};
  while (const std::size_t count = input.read(buffer)) {
    text.append(reinterpret_cast<const char*>(buffer.data()), count);
  }
  return text;
}

}  // namespace

TEST_CASE("a spooled stream is read from its start by each of its inputs") {
  const auto input = slow_input("what came from a pipe");
  const Spool spool(*input);
  CHECK_FALSE(spool.problem());
  for (int i = 0; i < 2; ++i) {
    const auto opened = spool.open();
    CHECK(opened->name() == "slow");
    CHECK(opened->size() == 21);
    CHECK(all_of(*opened) == "what came from a pipe");
  }
}

TEST_CASE("a spooled stream is read at any position, also behind its end") {
  const auto input = slow_input("0123456789");
  const auto opened = Spool(*input).open();
  std::array<std::byte, 4> buffer{};
  CHECK(opened->read_at(8, buffer) == 2);
  CHECK(buffer[1] == std::byte{'9'});
  CHECK(opened->read_at(10, buffer) == 0);
}

TEST_CASE("what came before a stream failed is kept, and why it failed") {
  const auto input = slow_input("good", true);
  const Spool spool(*input);
  REQUIRE(spool.problem());
  CHECK(spool.problem()->code == ErrorCode::bad_compression);
  CHECK(all_of(*spool.open()) == "good");
}

TEST_CASE("spooling ends when it is asked to") {
  const std::atomic<bool> stop{true};
  const auto input = slow_input("text");
  CHECK_THROWS_AS(Spool(*input, &stop), Interrupted);
}

}  // namespace jfrtree
