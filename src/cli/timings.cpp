#include "cli/timings.hpp"

#include <sys/resource.h>

#include <array>
#include <charconv>

#include "cli/human.hpp"
#include "cli/table.hpp"

namespace jfrtree::cli {
namespace {

constexpr std::uint64_t ns_per_second = 1'000'000'000;

/// Seconds to the microsecond, always in seconds: the lines of two runs are compared.
std::string seconds_text(std::uint64_t nanoseconds) {
  std::array<char, 64> buffer{};
  const double seconds = static_cast<double>(nanoseconds) / double{ns_per_second};
  char* const end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), seconds,
                                  std::chars_format::fixed, 6)
                        .ptr;
  return std::string(buffer.data(), end) + " s";
}

/// `number` in a second, rounded down; 0 where no time has passed.
std::uint64_t per_second(std::uint64_t number, std::uint64_t nanoseconds) {
  if (nanoseconds == 0) {
    return 0;
  }
  const double rate = static_cast<double>(number) * double{ns_per_second};
  return static_cast<std::uint64_t>(rate / static_cast<double>(nanoseconds));
}

std::uint64_t nanoseconds_of(const timeval& time) {
  return static_cast<std::uint64_t>(time.tv_sec) * ns_per_second +
         static_cast<std::uint64_t>(time.tv_usec) * 1'000;
}

std::uint64_t peak_bytes_of(const rusage& usage) {
#ifdef __APPLE__
  constexpr std::uint64_t unit = 1;
#else
  constexpr std::uint64_t unit = 1024;
#endif
  // glibc declares it so. NOLINTNEXTLINE(cppcoreguidelines-pro-type-union-access)
  return static_cast<std::uint64_t>(usage.ru_maxrss) * unit;
}

}  // namespace

std::string timings_text(const RunCosts& costs) {
  const ReadStatistics& read = costs.read;
  Table table({Table::Align::left, Table::Align::right}, 2);
  table.add({"wall", seconds_text(costs.wall_ns)});
  table.add({"cpu", seconds_text(costs.cpu_ns)});
  table.add({"threads", count_text(costs.threads)});
  table.add({"peak memory", bytes_text(costs.peak_bytes)});
  table.add({"bytes read", count_text(read.bytes)});
  table.add({"bytes per second", count_text(per_second(read.bytes, costs.wall_ns))});
  table.add({"chunks", count_text(read.chunks)});
  table.add({"events", count_text(read.events)});
  table.add({"events per second", count_text(per_second(read.events, costs.wall_ns))});
  table.add({"stacks decoded", count_text(read.stacks_decoded)});
  table.add({"unique stacks", count_text(read.unique_stacks)});
  table.add({"bytes per unique stack",
             read.unique_stacks == 0 ? "-" : count_text(read.stack_bytes / read.unique_stacks)});
  table.add({"names", count_text(read.names)});
  return "timings:\n" + table.text();
}

void Timings::add_to(CommandLine& line) {
  line.add_flag("--timings", "at the end on standard error: time, memory, and how much was read",
                is_wanted_);
}

void Timings::report(const ReadStatistics& read, unsigned threads, const Console& console) const {
  rusage usage{};
  if (!is_wanted_ || getrusage(RUSAGE_SELF, &usage) != 0) {
    return;
  }
  RunCosts costs;
  costs.wall_ns = static_cast<std::uint64_t>(
      std::chrono::nanoseconds(std::chrono::steady_clock::now() - start_).count());
  costs.cpu_ns = nanoseconds_of(usage.ru_utime) + nanoseconds_of(usage.ru_stime);
  costs.peak_bytes = peak_bytes_of(usage);
  costs.threads = threads;
  costs.read = read;
  console.block(timings_text(costs));
}

}  // namespace jfrtree::cli
