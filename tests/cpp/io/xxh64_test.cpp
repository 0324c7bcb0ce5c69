#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/xxh64.hpp"

using namespace jfrtree::internal;

namespace {

std::uint64_t hash_of(std::string_view text) {
  Xxh64 hash;
  hash.add(text);
  return hash.finish();
}

}  // namespace

// The reference values are those of the program xxh64sum.
TEST_CASE("XXH64 of known texts, short and long") {
  const std::vector<std::pair<std::string, std::uint64_t>> known = {
      {"", 0xef46db3751d8e999U},
      {"a", 0xd24ec4f1a98c6e5bU},
      {"abc", 0x44bc2cf5ad770999U},
      {"message digest", 0x066ed728fceeb3beU},
      {"abcdefghijklmnopqrstuvwxyz", 0xcfe1f278fa89835cU},
      {"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", 0xaaa46907d3047814U},
      {"12345678901234567890123456789012345678901234567890123456789012345678901234567890",
       0xe04a477f19ee145dU},
  };
  for (const auto& [text, hash] : known) CHECK(hash_of(text) == hash);
}

TEST_CASE("XXH64 does not depend on the pieces that bytes come in") {
  std::string text;
  for (int i = 0; i < 200; ++i) text += static_cast<char>(i * 7 % 256);
  const std::uint64_t whole = hash_of(text);
  for (std::size_t piece = 1; piece < 70; ++piece) {
    Xxh64 hash;
    for (std::size_t i = 0; i < text.size(); i += piece) {
      hash.add(std::string_view(text).substr(i, piece));
    }
    CHECK(hash.finish() == whole);
  }
}
