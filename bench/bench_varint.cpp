// Decoding and skipping of compressed integers, the innermost loop of reading.

#include "format/varint.hpp"

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace {

constexpr std::size_t number_count = 1 << 16;

/// Encodes numbers of up to `max_bits` bits, every bit length equally often.
std::vector<std::uint8_t> encoded_numbers(unsigned max_bits) {
  std::mt19937_64 random(20240229);
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = 0; i < number_count; ++i) {
    const auto bits = static_cast<unsigned>(random() % max_bits) + 1;
    std::uint64_t value = random() >> (64 - bits);
    std::size_t length = 1;
    for (; value >= 0x80 && length < jfrtree::internal::max_varint_bytes; ++length) {
      bytes.push_back(static_cast<std::uint8_t>(value | 0x80));
      value >>= 7;
    }
    bytes.push_back(static_cast<std::uint8_t>(value));
  }
  return bytes;
}

void count_work(benchmark::State& state, std::size_t bytes) {
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(number_count));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes));
}

void read_varints(benchmark::State& state) {
  const std::vector<std::uint8_t> bytes = encoded_numbers(static_cast<unsigned>(state.range(0)));
  const std::uint8_t* const end = bytes.data() + bytes.size();
  for (auto _ : state) {
    std::uint64_t sum = 0;
    std::uint64_t value = 0;
    for (const std::uint8_t* position = bytes.data();
         position < end && jfrtree::internal::read_varint(position, end, value);) {
      sum += value;
    }
    benchmark::DoNotOptimize(sum);
  }
  count_work(state, bytes.size());
}

void skip_varints(benchmark::State& state) {
  const std::vector<std::uint8_t> bytes = encoded_numbers(static_cast<unsigned>(state.range(0)));
  const std::uint8_t* const end = bytes.data() + bytes.size();
  for (auto _ : state) {
    const std::uint8_t* position = bytes.data();
    if (!jfrtree::internal::skip_varints(position, end, number_count)) {
      state.SkipWithError("the numbers ended early");
    }
    benchmark::DoNotOptimize(position);
  }
  count_work(state, bytes.size());
}

// Line numbers and small ids; ids of a long recording; ticks and addresses.
BENCHMARK(read_varints)->Arg(7)->Arg(21)->Arg(64);
BENCHMARK(skip_varints)->Arg(7)->Arg(21)->Arg(64);

}  // namespace
