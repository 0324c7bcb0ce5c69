// Whole recordings of testdata/ that lie in memory, with one thread. An item is an event.

#include <benchmark/benchmark.h>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <jfrtree/profile.hpp>
#include <jfrtree/summary.hpp>

#include "bench_data.hpp"

namespace jfrtree::bench {
namespace {

std::vector<Source> sources_of(const std::vector<std::byte>& bytes) {
  std::vector<Source> sources;
  sources.push_back({"benchmark.jfr", memory_input(bytes, "benchmark.jfr")});
  return sources;
}

void read_recording(benchmark::State& state, const std::string& name) {
  const std::vector<std::byte> bytes = read_testdata(name);
  std::size_t events = 0;
  for (auto _ : state) {
    const ProfileSet set = read_profiles(sources_of(bytes), {});
    events = set.statistics.events;
  }
  count_work(state, events, bytes.size());
}

void summarize_recording(benchmark::State& state, bool quick) {
  const std::vector<std::byte> bytes = read_testdata("jdk17-mixed.jfr");
  std::size_t events = 0;
  for (auto _ : state) {
    const RecordingSummary summary = summarize(sources_of(bytes), quick);
    events = summary.statistics.events;
  }
  count_work(state, events, bytes.size());
}

BENCHMARK_CAPTURE(read_recording, few_stacks, "jdk17-few-stacks.jfr");
BENCHMARK_CAPTURE(read_recording, many_stacks, "jdk17-many-stacks.jfr");
BENCHMARK_CAPTURE(read_recording, mixed, "jdk17-mixed.jfr");
BENCHMARK_CAPTURE(read_recording, four_chunks, "jdk17-chunks.jfr");
BENCHMARK_CAPTURE(summarize_recording, mixed, false);
BENCHMARK_CAPTURE(summarize_recording, mixed_quick, true);

}  // namespace
}  // namespace jfrtree::bench
