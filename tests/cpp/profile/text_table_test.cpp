#include "profile/text_table.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

using namespace jfrtree::internal;

TEST_CASE("TextTable stores each text once, numbered in the order of the first addition") {
  TextTable table;
  CHECK(table.add("b") == 0);
  CHECK(table.add("a") == 1);
  CHECK(table.add("") == 2);
  CHECK(table.add("b") == 0);
  CHECK(table.add("") == 2);
  CHECK(table.size() == 3);
  CHECK(table[0] == "b");
  CHECK(table[1] == "a");
  CHECK(table[2].empty());
}

TEST_CASE("TextTable tells texts apart by all of their bytes") {
  using namespace std::string_view_literals;
  TextTable table;
  std::uint32_t number = 0;
  for (const std::string_view text : {"a\0b"sv, "a\0c"sv, "a"sv, "a\0"sv, "\0"sv, ""sv}) {
    CHECK(table.add(text) == number++);
  }
  CHECK(table[1] == "a\0c"sv);
  CHECK(table[3].size() == 2);
}

TEST_CASE("TextTable copies: the text that was added may go") {
  TextTable table;
  {
    std::string text(100, 'x');
    table.add(text);
    text.assign(100, 'y');
  }
  CHECK(table[0] == std::string(100, 'x'));
}

TEST_CASE("TextTable keeps views valid while it grows, also for texts larger than a block") {
  TextTable table;
  const std::string large(std::size_t{3} << 20, 'l');
  table.add("first");
  table.add(large);
  const std::string_view first = table[0];
  const char* data = first.data();
  for (int i = 0; i < 50'000; ++i) table.add("text number " + std::to_string(i));
  CHECK(table[0].data() == data);
  CHECK(first == "first");
  CHECK(table[1] == large);
  CHECK(table[2] == "text number 0");
  CHECK(table[50'001] == "text number 49999");
  CHECK(table.size() == 50'002);
  CHECK(table.add("text number 777") == 779);
}

TEST_CASE("TextTable's memory outlives it for who holds it") {
  auto table = std::make_unique<TextTable>();
  table->add("kept");
  const auto arena = table->arena();
  const std::string_view text = (*table)[0];
  table.reset();
  CHECK(text == "kept");
}
