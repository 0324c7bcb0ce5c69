// Arrow tables. An item is an event, a stack, or a node of the tree.

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <jfrtree/arrow.hpp>
#include <jfrtree/event_writers.hpp>

#include "bench_data.hpp"

namespace jfrtree::bench {
namespace {

constexpr std::size_t bytes_type = 1;
constexpr unsigned repetitions = 400;
constexpr const char* sample_name = "jdk.ExecutionSample";

const std::vector<std::byte>& recording() {
  static const std::vector<std::byte> made =
      with_repeated_events(read_testdata("jdk17-mixed.jfr"), repetitions);
  return made;
}

std::vector<Source> sources() { return {{"mixed.jfr", memory_input(recording(), "mixed.jfr")}}; }

EventRequest samples(bool stacks) {
  EventRequest request;
  request.types = {sample_name};
  request.stacks = stacks;
  return request;
}

/// Rows of events in batches, as a consumer of the C stream takes them.
void event_batches(benchmark::State& state) {
  std::size_t rows = 0;
  for (auto _ : state) {
    EventStream events(sources(), samples(state.range(0) != 0));
    ArrowArray batch{};
    rows = 0;
    while (events.next(&batch)) {
      rows += static_cast<std::size_t>(batch.length);
      batch.release(&batch);
    }
  }
  count_work(state, rows, recording().size());
}

/// The same as a file, or as CSV for comparison. The columns are known.
template <bool is_arrow>
void event_file(benchmark::State& state) {
  const EventRequest request = samples(state.range(0) != 0);
  const std::vector<EventColumn> columns =
      unite_columns(read_event_schemas(sources(), request.types, request.stacks));
  std::size_t rows = 0;
  std::size_t bytes = 0;
  for (auto _ : state) {
    NullOutput output;
    const auto writer = is_arrow ? arrow_event_writer(output, columns, false)
                                 : csv_event_writer(output, columns, false);
    rows = read_events(sources(), request, *writer).rows;
    writer->finish();
    bytes = output.bytes();
  }
  count_work(state, rows, bytes);
}

const Profile& profile() {
  static const Profile made = random_profile(20'000, 40, 400);
  return made;
}

/// A table, and the bytes of its file.
template <typename Make>
void table(benchmark::State& state, std::size_t items, Make make) {
  for (auto _ : state) benchmark::DoNotOptimize(make().rows());
  NullOutput output;
  write_arrow(output, make());
  count_work(state, items, output.bytes());
}

void samples_of_profile(benchmark::State& state) {
  table(state, profile().stacks.size(), [] { return samples_table(profile()); });
}

void stacks_of_profile(benchmark::State& state) {
  table(state, profile().stacks.size(), [] { return stacks_table(profile()); });
}

void profiles(benchmark::State& state) {
  table(state, profile().stacks.size(), [] { return profiles_table(std::span(&profile(), 1)); });
}

void tree(benchmark::State& state) {
  static const CallTree made = build_call_tree(profile());
  table(state, made.size(), [] { return tree_table(made, bytes_type); });
}

void profile_file(benchmark::State& state) {
  const ArrowTable made = profiles_table(std::span(&profile(), 1));
  std::size_t bytes = 0;
  for (auto _ : state) {
    NullOutput output;
    write_arrow(output, made);
    bytes = output.bytes();
  }
  count_work(state, profile().stacks.size(), bytes);
}

BENCHMARK(event_batches)->ArgName("stacks")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);
BENCHMARK_TEMPLATE(event_file, true)
    ->Name("event_file_arrow")
    ->ArgName("stacks")
    ->Arg(0)
    ->Arg(1)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_TEMPLATE(event_file, false)
    ->Name("event_file_csv")
    ->ArgName("stacks")
    ->Arg(0)
    ->Arg(1)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(samples_of_profile)->Unit(benchmark::kMicrosecond);
BENCHMARK(stacks_of_profile)->Unit(benchmark::kMicrosecond);
BENCHMARK(profiles)->Unit(benchmark::kMicrosecond);
BENCHMARK(tree)->Unit(benchmark::kMicrosecond);
BENCHMARK(profile_file)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace jfrtree::bench
