// The output formats, written to nowhere. An item is a stack, or a node of the tree.

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <jfrtree/call_tree.hpp>
#include <jfrtree/export.hpp>

#include "bench_data.hpp"

namespace jfrtree::bench {
namespace {

constexpr std::size_t bytes_type = 1;

const Profile& profile() {
  static const Profile made = random_profile(20'000, 40, 400);
  return made;
}

const CallTree& tree() {
  static const CallTree made = build_call_tree(profile());
  return made;
}

/// `write(output)` in every round.
template <typename Write>
void run(benchmark::State& state, std::size_t items, Write&& write) {
  std::size_t bytes = 0;
  for (auto _ : state) {
    NullOutput output;
    write(output);
    bytes = output.bytes();
  }
  count_work(state, items, bytes);
}

void stacks(benchmark::State& state) {
  run(state, profile().stacks.size(),
      [](Output& output) { write_stacks(output, std::span(&profile(), 1)); });
}

void collapsed(benchmark::State& state) {
  run(state, profile().stacks.size(),
      [](Output& output) { write_collapsed(output, profile(), bytes_type); });
}

/// A writer that takes a tree.
template <void (*write)(Output&, const CallTree&, std::size_t)>
void of_tree(benchmark::State& state) {
  run(state, tree().size(), [](Output& output) { write(output, tree(), bytes_type); });
}

/// Compression of the page is most of it.
void html(benchmark::State& state) {
  HtmlProfile shown;
  shown.kind = profile().kind;
  shown.tree = tree();
  shown.methods = method_sums(profile(), bytes_type);
  run(state, tree().size(),
      [&shown](Output& output) { write_html(output, std::span(&shown, 1), "benchmark"); });
}

BENCHMARK(stacks)->Name("write_stacks");
BENCHMARK(collapsed)->Name("write_collapsed");
BENCHMARK(of_tree<write_flamebearer>)->Name("write_flamebearer");
BENCHMARK(of_tree<write_nested_set>)->Name("write_nested_set");
BENCHMARK(of_tree<write_nested_set_json>)->Name("write_nested_set_json");
BENCHMARK(of_tree<write_tree>)->Name("write_tree");
BENCHMARK(html)->Name("write_html");

}  // namespace
}  // namespace jfrtree::bench
