#include "io/hash.hpp"

#include <doctest/doctest.h>

#include <jfrtree/ids.hpp>

#include <bit>
#include <cstdint>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace jfrtree::internal {
namespace {

// Bits that differ on average when one bit of the input is changed: 32 for a random function.
template <typename Hash>
void check_avalanche(const Hash& hash) {
  for (int bit = 0; bit < 64; ++bit) {
    int changed = 0;
    constexpr int rounds = 200;
    for (std::uint64_t round = 0; round < rounds; ++round) {
      const std::uint64_t value = round * 0x1234'5678'9ABC'DEF1U;
      changed += std::popcount(hash(value) ^ hash(value ^ (std::uint64_t{1} << bit)));
    }
    CAPTURE(bit);
    CHECK(changed > 26 * rounds);
    CHECK(changed < 38 * rounds);
  }
}

// Different values of the lowest 16 bits of the hashes of 65,536 keys. A random function has
// 65,536 × (1 − 1/e) = 41,427 of them, give or take 120.
template <typename Key>
std::size_t distinct_low_bits(const Key& key) {
  std::set<std::uint64_t> low;
  for (std::uint64_t index = 0; index < 65536; ++index) {
    low.insert(mix64(key(index)) & 0xFFFFU);
  }
  return low.size();
}

}  // namespace

TEST_CASE("process_seed is the same in all threads") {
  std::vector<std::uint64_t> seeds(4);
  std::vector<std::thread> threads;
  threads.reserve(seeds.size());
  for (std::uint64_t& seed : seeds) {
    threads.emplace_back([&seed] { seed = process_seed(); });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  for (const std::uint64_t seed : seeds) {
    CHECK(seed == process_seed());
  }
}

TEST_CASE("mix64: one changed bit changes half of the result") {
  check_avalanche([](std::uint64_t value) { return mix64(value, 0); });
  check_avalanche([](std::uint64_t value) { return mix64(value, 0xA5A5'1234'0000'FFFFU); });
  check_avalanche([](std::uint64_t value) { return mix64(0, value); });
  check_avalanche([](std::uint64_t value) { return mix64(~std::uint64_t{0}, value); });
}

TEST_CASE("mix64 spreads keys that differ in high bits only") {
  for (const int shift : {0, 3, 16, 32, 48}) {
    CAPTURE(shift);
    const std::size_t count =
        distinct_low_bits([shift](std::uint64_t index) { return index << shift; });
    CHECK(count > 40'700);
    CHECK(count < 42'200);
  }
  const std::size_t pairs =
      distinct_low_bits([](std::uint64_t index) { return (index / 256) << 32 | (index % 256); });
  CHECK(pairs > 40'700);
}

TEST_CASE("hash_bytes depends on every byte, on the length and on the seed") {
  std::set<std::uint64_t> hashes;
  std::size_t texts = 0;
  for (std::size_t size = 0; size <= 80; ++size) {
    const std::string zeros(size, '\0');
    hashes.insert(hash_bytes(zeros, 1));
    hashes.insert(hash_bytes(zeros, 2));
    texts += 2;
    for (std::size_t position = 0; position < size; ++position) {
      for (const char byte : {'\1', '\x80'}) {
        std::string changed = zeros;
        changed[position] = byte;
        hashes.insert(hash_bytes(changed, 1));
        ++texts;
      }
    }
  }
  CHECK(hashes.size() == texts);
}

TEST_CASE("hash_bytes: one changed bit changes half of the result, at any place") {
  for (const std::size_t place : std::initializer_list<std::size_t>{0, 5, 8, 16, 23, 40}) {
    check_avalanche([place](std::uint64_t value) {
      std::string text(place + 8, 'x');
      for (std::size_t index = 0; index < 8; ++index) {
        text[place + index] = static_cast<char>((value >> (8 * index)) & 0xFFU);
      }
      return hash_bytes(text, 42);
    });
  }
}

TEST_CASE("hash_bytes does not depend on where the bytes lie") {
  const std::string text = "a name of a method that is longer than sixteen bytes";
  for (std::size_t shift = 0; shift < 16; ++shift) {
    const std::string moved = std::string(shift, ' ') + text;
    CHECK(hash_bytes(std::string_view(moved).substr(shift), 9) == hash_bytes(text, 9));
  }
}

TEST_CASE("SeededHash takes integers, ids, strings and pairs") {
  const SeededHash hash{7};
  CHECK(hash(5) == mix64(5, 7));
  CHECK(hash(ConstantKey{5}) == hash(5));
  CHECK(hash(std::string("name")) == hash_bytes("name", 7));
  CHECK(hash(std::pair(1, 2)) != hash(std::pair(2, 1)));
  CHECK(hash(std::pair(1, std::string_view("a"))) != hash(std::pair(1, std::string_view("b"))));
  CHECK(SeededHash{}(5) == mix64(5));
  CHECK(SeededHash{8}(5) != hash(5));
}

}  // namespace jfrtree::internal
