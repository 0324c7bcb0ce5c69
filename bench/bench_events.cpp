// From the bytes of events to sums per stack trace id.

#include <benchmark/benchmark.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "bench_data.hpp"
#include "format/event_batch.hpp"
#include "format/record_walk.hpp"
#include "profile/chunk_scan.hpp"

namespace jfrtree::bench {
namespace {

using Code = internal::DecodeStep::Code;
using Kind = internal::EventAction::Kind;

constexpr std::size_t event_count = 1 << 16;
constexpr std::uint64_t sample_type = 81;
constexpr std::uint64_t other_type = 200;

/// A number below 2^`bits`, of any length up to that.
std::uint64_t any_length(std::mt19937_64& random, unsigned bits) {
  return random() >> (64 - 1 - random() % bits);
}

/// Allocations as JDK 17 writes them: time, thread, stack, class, two sizes. Ids and sizes have one
/// to three bytes, in no order that could be guessed. Every eighth event or so is of a type that is
/// only counted.
std::vector<std::uint8_t> encoded_events() {
  std::mt19937_64 random = fixed_random();
  std::vector<std::uint8_t> bytes;
  std::uint64_t ticks = std::uint64_t{1} << 33;
  for (std::size_t i = 0; i < event_count; ++i) {
    std::vector<std::uint8_t> body;
    append_varint(body, random() % 8 == 0 ? other_type : sample_type);
    append_varint(body, ticks += random() % 5000);
    append_varint(body, 200 + random() % 8);
    append_varint(body, any_length(random, 16));
    append_varint(body, any_length(random, 14));
    append_varint(body, any_length(random, 12));
    append_varint(body, 2048 + random() % 30'000);
    bytes.push_back(static_cast<std::uint8_t>(body.size() + 1));
    bytes.insert(bytes.end(), body.begin(), body.end());
  }
  return bytes;
}

internal::EventActions known_events() {
  internal::DecodeProgram program;
  program.push_back({Code::skip_integers, 8, false, 0, 2});
  for (std::uint16_t slot = 0; slot < 3; ++slot) {
    program.push_back({Code::take_integer, 8, slot == 2, slot, 0});
  }
  internal::EventActions actions;
  internal::IntegerLayout layout;
  if (internal::to_integer_layout(program, true, layout)) {
    actions.set(sample_type, {Kind::take, 1, 0, 0}, layout);
  }
  actions.set(other_type, {Kind::count, 0, 0, 0});
  return actions;
}

template <auto decode>
void decode_events(benchmark::State& state) {
  std::vector<std::uint8_t> bytes = encoded_events();
  const std::size_t size = bytes.size();
  bytes.resize(size + internal::event_batch_margin);
  const internal::EventActions actions = known_events();
  std::array<internal::EventRow, 256> rows{};
  for (auto _ : state) {
    std::array<std::uint64_t, 2> counters{};
    std::uint64_t position = 0;
    while (decode(std::as_bytes(std::span(bytes)), position, actions, rows, counters.data()) > 0) {
      benchmark::DoNotOptimize(rows);
    }
    if (counters[0] + counters[1] != event_count) state.SkipWithError("events are missing");
  }
  count_work(state, event_count, size);
}

/// 240,000 allocations on 300 stacks, 4 MB.
const OpenChunk& many_events() {
  static const OpenChunk chunk(with_repeated_events(read_testdata("jdk17-few-stacks.jfr"), 20));
  return chunk;
}

void walk_sizes(benchmark::State& state) {
  const internal::ChunkContents& contents = many_events().contents();
  std::size_t records = 0;
  for (auto _ : state) {
    records = 0;
    internal::walk_records(contents.bytes, true, [&](const internal::Record&) { ++records; });
    benchmark::DoNotOptimize(records);
  }
  count_work(state, records, contents.bytes.size());
}

void scan_events(benchmark::State& state) {
  const internal::ChunkContents& contents = many_events().contents();
  const ProfileRequest request;
  internal::ScanPlanCache plans;
  std::uint64_t events = 0;
  for (auto _ : state) {
    internal::ProblemLog log;
    internal::ChunkScan scan(contents, request, internal::ScanDepth::stacks, plans, log);
    scan.run();
    events = scan.event_count();
  }
  count_work(state, events, contents.bytes.size());
}

BENCHMARK(walk_sizes);
BENCHMARK(decode_events<internal::decode_events_plain>)->Name("decode_events_plain");
BENCHMARK(decode_events<internal::decode_events>)->Name("decode_events_fast");
BENCHMARK(scan_events);

}  // namespace
}  // namespace jfrtree::bench
