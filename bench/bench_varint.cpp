// Decoding and skipping of compressed integers, the innermost loop of reading.

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bench_data.hpp"
#include "format/varint.hpp"
#include "format/varint_skip.hpp"

namespace jfrtree::bench {
namespace {

constexpr std::size_t number_count = 1 << 16;

/// Encodes numbers of up to `max_bits` bits, every bit length equally often.
std::vector<std::uint8_t> encoded_numbers(benchmark::State& state) {
  const auto max_bits = static_cast<unsigned>(state.range(0));
  std::mt19937_64 random = fixed_random();
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = 0; i < number_count; ++i) {
    const auto bits = static_cast<unsigned>(random() % max_bits) + 1;
    append_varint(bytes, random() >> (64 - bits));
  }
  return bytes;
}

void read_varints(benchmark::State& state) {
  const std::vector<std::uint8_t> bytes = encoded_numbers(state);
  const std::uint8_t* const end = bytes.data() + bytes.size();
  for (auto _ : state) {
    std::uint64_t sum = 0;
    std::uint64_t value = 0;
    for (const std::uint8_t* position = bytes.data();
         position < end && internal::read_varint(position, end, value);) {
      sum += value;
    }
    benchmark::DoNotOptimize(sum);
  }
  count_work(state, number_count, bytes.size());
}

template <auto skip>
void skip_varints(benchmark::State& state) {
  const std::vector<std::uint8_t> bytes = encoded_numbers(state);
  const std::uint8_t* const end = bytes.data() + bytes.size();
  for (auto _ : state) {
    const std::uint8_t* position = bytes.data();
    if (!skip(position, end, number_count)) {
      state.SkipWithError("the numbers ended early");
    }
    benchmark::DoNotOptimize(position);
  }
  count_work(state, number_count, bytes.size());
}

// Line numbers and small ids; ids of a long recording; ticks and addresses.
void usual_widths(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgName("bits")->Arg(7)->Arg(21)->Arg(64);
}

BENCHMARK(read_varints)->Apply(usual_widths);
BENCHMARK(skip_varints<internal::skip_varints>)->Name("skip_varints_plain")->Apply(usual_widths);
BENCHMARK(skip_varints<internal::skip_many_varints>)
    ->Name("skip_varints_fast")
    ->Apply(usual_widths);

}  // namespace
}  // namespace jfrtree::bench
