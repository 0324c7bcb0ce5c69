// Unique stacks and call trees. An item is a frame.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <jfrtree/call_tree.hpp>

#include "bench_data.hpp"
#include "profile/pruned_tree.hpp"
#include "profile/stack_order.hpp"
#include "profile/stack_sort.hpp"
#include "profile/stack_table.hpp"
#include "profile/text_table.hpp"

namespace jfrtree::bench {
namespace {

constexpr std::size_t stack_count = 50'000;
constexpr std::uint32_t max_depth = 60;
constexpr std::uint32_t methods = 400;

const RandomStacks& stacks() {
  static const RandomStacks made = random_stacks(stack_count, max_depth, methods);
  return made;
}

const Profile& profile() {
  static const Profile made = random_profile(stack_count, max_depth, methods);
  return made;
}

void count_frames(benchmark::State& state) {
  const std::size_t frames = stacks().frames.size();
  count_work(state, frames, frames * sizeof(FrameId));
}

std::vector<internal::StackTable::NewRow> new_rows() {
  std::vector<internal::StackTable::NewRow> rows;
  for (const StackSum& stack : stacks().stacks) {
    rows.push_back({0,
                    std::span(stacks().frames).subspan(stack.first_frame, stack.frame_count),
                    {.count = stack.count, .value = stack.value}});
  }
  return rows;
}

/// As the stacks of a chunk are added.
void add_all(internal::StackTable& table, std::span<internal::StackTable::NewRow> rows) {
  constexpr std::size_t at_a_time = 256;
  for (; !rows.empty(); rows = rows.subspan(std::min(rows.size(), at_a_time))) {
    const auto some = rows.first(std::min(rows.size(), at_a_time));
    table.set_hashes(some);
    const bool is_full = table.add_all(some);
    benchmark::DoNotOptimize(is_full);
  }
}

void intern_new_stacks(benchmark::State& state) {
  auto rows = new_rows();
  for (auto _ : state) {
    internal::StackTable table;
    add_all(table, rows);
  }
  count_frames(state);
}

void intern_known_stacks(benchmark::State& state) {
  auto rows = new_rows();
  internal::StackTable table;
  add_all(table, rows);
  for (auto _ : state) add_all(table, rows);
  count_frames(state);
}

void intern_texts(benchmark::State& state) {
  const FrameTable& texts = *profile().frame_table;
  std::size_t bytes = 0;
  for (auto _ : state) {
    internal::TextTable table;
    for (std::uint32_t i = 0; i < methods; ++i) table.add(texts.text(FrameId{i}));
    for (std::uint32_t i = 0; i < methods; ++i) table.add(texts.text(FrameId{i}));
    bytes = table.bytes();
  }
  count_work(state, std::size_t{2} * methods, 2 * bytes);
}

void sort_stacks(benchmark::State& state) {
  std::vector<StackSum> sorted;
  for (auto _ : state) {
    sorted = stacks().stacks;
    internal::sort_stacks(sorted, stacks().frames, methods);
    benchmark::DoNotOptimize(sorted.data());
  }
  count_frames(state);
}

void build_tree(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(build_call_tree(profile()));
  count_frames(state);
}

void build_reversed_tree(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(build_call_tree(profile(), true));
  count_frames(state);
}

void sum_methods(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(method_sums(profile(), 1));
  count_frames(state);
}

PruneOptions usual_limits() {
  PruneOptions options;
  options.sample_type = 1;
  options.max_nodes = 16'384;
  return options;
}

/// An item is a node of the whole tree.
void prune_tree(benchmark::State& state) {
  const CallTree tree = build_call_tree(profile());
  for (auto _ : state) benchmark::DoNotOptimize(prune(tree, usual_limits()));
  count_work(state, tree.size(), tree.size() * 2 * sizeof(std::uint64_t));
}

/// From the stacks, as the formats do whose trees are cut.
void build_pruned_tree(benchmark::State& state) {
  for (auto _ : state) {
    const internal::StackOrder order(profile(), false, Limits{}.tree_nodes);
    benchmark::DoNotOptimize(internal::build_pruned_tree(profile(), order, usual_limits()));
  }
  count_frames(state);
}

BENCHMARK(intern_new_stacks);
BENCHMARK(intern_known_stacks);
BENCHMARK(intern_texts);
BENCHMARK(sort_stacks);
BENCHMARK(build_tree);
BENCHMARK(build_reversed_tree);
BENCHMARK(prune_tree);
BENCHMARK(build_pruned_tree);
BENCHMARK(sum_methods);

}  // namespace
}  // namespace jfrtree::bench
