// `jfrtree clickhouse tree` without a server: rows in RowBinary through a file of memory to the
// rows of the whole call tree. An item is a frame. What the numbers are to be held against stands
// beside them: walking the lengths of the rows, as reading has to, and copying them once.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <jfrtree/clickhouse_tree.hpp>

#include "bench_data.hpp"
#include "stack_rows.hpp"

namespace jfrtree::bench {
namespace {

const StackRows& rows_of(const benchmark::State& state) {
  static std::map<std::int64_t, StackRows> made;
  const auto [position, is_new] = made.try_emplace(state.range(0));
  if (is_new) position->second = make_stack_rows(static_cast<std::size_t>(state.range(0)));
  return position->second;
}

/// A descriptor with bytes to read, again and again.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view bytes) : descriptor_(::memfd_create("rows", MFD_CLOEXEC)) {
    while (descriptor_ >= 0 && !bytes.empty()) {
      const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
      if (count <= 0) throw std::runtime_error("cannot write to memory");
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() { ::close(descriptor_); }

  [[nodiscard]] int rewound() const {
    ::lseek(descriptor_, 0, SEEK_SET);
    return descriptor_;
  }

 private:
  int descriptor_;
};

void make_trees(benchmark::State& state, const std::string& rows, const std::string& dictionary,
                const TreeFilterOptions& options) {
  const MemoryFile input(rows);
  const MemoryFile texts(dictionary);
  const int output = ::open("/dev/null", O_WRONLY | O_CLOEXEC);  // NOLINT(*-vararg)
  for (auto _ : state) {
    benchmark::DoNotOptimize(filter_stack_rows(input.rewound(), texts.rewound(), output, options));
  }
  ::close(output);
  count_work(state, rows_of(state).frames, rows.size());
}

void tree_of_strings(benchmark::State& state) { make_trees(state, rows_of(state).strings, {}, {}); }

void tree_of_ids(benchmark::State& state) {
  TreeFilterOptions options;
  options.frames = FrameColumn::ids64;
  make_trees(state, rows_of(state).ids, rows_of(state).dictionary, options);
}

void tree_of_ids32(benchmark::State& state) {
  TreeFilterOptions options;
  options.frames = FrameColumn::ids32;
  make_trees(state, rows_of(state).ids32, rows_of(state).dictionary32, options);
}

/// The least that must be done with each byte that comes from a pipe.
void copy_strings(benchmark::State& state) {
  const StackRows& rows = rows_of(state);
  std::string target(std::size_t{1} << 20, '\0');
  for (auto _ : state) {
    for (std::size_t offset = 0; offset < rows.strings.size(); offset += target.size()) {
      const std::size_t size = std::min(target.size(), rows.strings.size() - offset);
      std::memcpy(target.data(), rows.strings.data() + offset, size);
      benchmark::DoNotOptimize(target.data());
      benchmark::ClobberMemory();
    }
  }
  count_work(state, rows.frames, rows.strings.size());
}

/// The least that must be done to find each frame. All lengths here have one byte.
void walk_strings(benchmark::State& state) {
  const StackRows& rows = rows_of(state);
  for (auto _ : state) {
    std::uint64_t sum = 0;
    const char* next = rows.strings.data();
    const char* const end = next + rows.strings.size();
    while (next < end) {
      for (auto frames = static_cast<unsigned char>(*next++); frames > 0; --frames) {
        const auto length = static_cast<unsigned char>(*next++);
        sum += length;
        next += length;
      }
      next += sizeof(std::uint64_t);
    }
    benchmark::DoNotOptimize(sum);
  }
  count_work(state, rows.frames, rows.strings.size());
}

BENCHMARK(copy_strings)->Arg(28'000)->Arg(300'000)->Unit(benchmark::kMillisecond);
BENCHMARK(walk_strings)->Arg(28'000)->Arg(300'000)->Unit(benchmark::kMillisecond);
BENCHMARK(tree_of_strings)->Arg(28'000)->Arg(300'000)->Unit(benchmark::kMillisecond);
BENCHMARK(tree_of_ids)->Arg(28'000)->Arg(300'000)->Unit(benchmark::kMillisecond);
BENCHMARK(tree_of_ids32)->Arg(28'000)->Arg(300'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace jfrtree::bench
