// Constant pools: opening a chunk, finding constants, decoding stack traces.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "bench_data.hpp"
#include "format/frame_batch.hpp"
#include "format/pool_index.hpp"
#include "io/problem_log.hpp"
#include "profile/frame_namer.hpp"
#include "profile/stack_decoder.hpp"

namespace jfrtree::bench {
namespace {

constexpr std::size_t key_count = 100'000;
constexpr std::size_t frame_count = 1 << 16;

/// Keys that ascend in steps of 1 to 2 × `step`; as those of stack traces when `step` is small, of
/// methods when it is large.
std::vector<std::uint64_t> ascending_keys(std::uint64_t step) {
  std::mt19937_64 random = fixed_random();
  std::vector<std::uint64_t> keys;
  std::uint64_t key = 140'000;
  for (std::size_t i = 0; i < key_count; ++i) keys.push_back(key += 1 + random() % (2 * step));
  return keys;
}

internal::PoolIndex index_of(const std::vector<std::uint64_t>& keys) {
  internal::PoolIndex index;
  for (const std::uint64_t key : keys) index.add(key, key);
  index.build();
  return index;
}

void build_index(benchmark::State& state) {
  const auto keys = ascending_keys(static_cast<std::uint64_t>(state.range(0)));
  for (auto _ : state) {
    const internal::PoolIndex index = index_of(keys);
    benchmark::DoNotOptimize(index.size());
  }
  count_work(state, key_count, key_count * sizeof(std::uint64_t));
}

void find_constants(benchmark::State& state) {
  auto keys = ascending_keys(static_cast<std::uint64_t>(state.range(0)));
  const internal::PoolIndex index = index_of(keys);
  std::mt19937_64 random = fixed_random();
  std::shuffle(keys.begin(), keys.end(), random);
  for (auto _ : state) {
    std::uint64_t sum = 0;
    for (const std::uint64_t key : keys) sum += index.find(key);
    benchmark::DoNotOptimize(sum);
  }
  count_work(state, key_count, key_count * sizeof(std::uint64_t));
}

/// Frames with methods of two or three bytes, as most are.
std::vector<std::uint8_t> encoded_frames() {
  std::mt19937_64 random = fixed_random();
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = 0; i < frame_count; ++i) {
    append_varint(bytes, 4000 + random() % 60'000);
    append_varint(bytes, random() % 900);
    append_varint(bytes, random() % 200);
    append_varint(bytes, random() % 3);
  }
  return bytes;
}

template <auto decode>
void decode_frames(benchmark::State& state) {
  const std::vector<std::uint8_t> bytes = encoded_frames();
  std::array<internal::FrameRow, 64> rows;
  for (auto _ : state) {
    const std::uint8_t* position = bytes.data();
    std::size_t frames = 0;
    while (const std::size_t done =
               decode(position, bytes.data() + bytes.size(), rows, internal::FrameParts::all)) {
      frames += done;
      benchmark::DoNotOptimize(rows);
    }
    if (frames != frame_count) state.SkipWithError("frames are missing");
  }
  count_work(state, frame_count, bytes.size());
}

/// A chunk that is nearly all metadata and constant pools.
void open_chunk(benchmark::State& state) {
  const std::vector<std::byte> bytes = read_testdata("jdk17-many-stacks.jfr");
  for (auto _ : state) {
    const std::unique_ptr<Input> input = memory_input(bytes);
    ChunkReader reader(*input);
    benchmark::DoNotOptimize(reader.next());
  }
  count_work(state, 1, bytes.size());
}

void decode_stacks(benchmark::State& state) {
  const OpenChunk chunk(read_testdata("jdk17-many-stacks.jfr"));
  const internal::ChunkContents& contents = chunk.contents();
  const internal::PoolIndex& index =
      contents.pools.index(contents.metadata().find("jdk.types.StackTrace")->id);
  const FrameOptions options;
  std::size_t frames = 0;
  for (auto _ : state) {
    internal::TextTable texts;
    internal::FrameNames names(contents, options, texts);
    internal::FrameNamer namer(names);
    internal::StackDecoder decoder(contents, namer);
    frames = 0;
    for (std::uint32_t ordinal = 0; ordinal < index.size(); ++ordinal) {
      bool is_truncated = false;
      frames += decoder.decode(index.offset(ordinal), is_truncated).size();
    }
  }
  count_work(state, frames,
             index.offset(static_cast<std::uint32_t>(index.size() - 1)) - index.offset(0));
}

BENCHMARK(open_chunk);
BENCHMARK(build_index)->ArgName("step")->Arg(2)->Arg(1000);
BENCHMARK(find_constants)->ArgName("step")->Arg(2)->Arg(1000);
BENCHMARK(decode_frames<internal::decode_frame_rows_plain>)->Name("decode_frames_plain");
BENCHMARK(decode_frames<internal::decode_frame_rows>)->Name("decode_frames_fast");
BENCHMARK(decode_stacks);

}  // namespace
}  // namespace jfrtree::bench
