#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include <jfrtree/profile.hpp>

#include "cli/command_line.hpp"
#include "cli/console.hpp"

namespace jfrtree::cli {

/// What a run took.
struct RunCosts {
  std::uint64_t wall_ns = 0;
  std::uint64_t cpu_ns = 0;      ///< of all threads, user and system
  std::uint64_t peak_bytes = 0;  ///< the most memory that was resident at once
  unsigned threads = 0;
  ReadStatistics read;
};

/// A block of lines, one for each number.
[[nodiscard]] std::string timings_text(const RunCosts& costs);

/// The option `--timings`: where the time and memory of a run went. The time begins with the
/// object.
class Timings {
 public:
  void add_to(CommandLine& line);
  /// Prints the block, if it was asked for. To be called last.
  void report(const ReadStatistics& read, unsigned threads, const Console& console) const;

 private:
  bool is_wanted_ = false;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace jfrtree::cli
