#include <doctest/doctest.h>
#include <jfrtree/error.hpp>
#include <jfrtree/input.hpp>

#include <array>
#include <string>

#include "io/bytes.hpp"
#include "io/compressed.hpp"

namespace jfrtree::test {

TEST_CASE("memory_input gives its bytes without copying them") {
  const std::string text = noise(1000);
  const auto input = memory_input(internal::as_bytes(text));
  CHECK(input->name() == "memory");
  CHECK(input->container() == "plain");
  CHECK(input->size() == 1000);
  CHECK(static_cast<const void*>(input->bytes().data()) == text.data());
  CHECK(input->bytes().size() == 1000);
  CHECK(input->map(0, 10) == nullptr);
  CHECK(read_contents(*input, 33).text == text);
}

TEST_CASE("memory_input reads at any position without moving that of read") {
  const std::string text = "0123456789";
  const auto input = memory_input(internal::as_bytes(text), "digits");
  CHECK(input->name() == "digits");
  std::array<std::byte, 4> buffer{};
  CHECK(input->read(buffer) == 4);
  CHECK(input->read_at(8, buffer) == 2);
  CHECK(internal::as_text({buffer.data(), 2}) == "89");
  CHECK(input->read_at(10, buffer) == 0);
  CHECK(input->read_at(~std::uint64_t{0}, buffer) == 0);
  CHECK(input->read(buffer) == 4);
  CHECK(internal::as_text(buffer) == "4567");
}

TEST_CASE("memory_input refuses an empty input") {
  CHECK(read_bytes("").error == ErrorCode::empty_input);
  CHECK(read_bytes("").message == "test: the input is empty");
  CHECK(read_bytes("F").text == "F");
}

}  // namespace jfrtree::test
