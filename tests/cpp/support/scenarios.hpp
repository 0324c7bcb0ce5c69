#pragma once

#include "support/standard_chunk.hpp"

#include <span>
#include <string_view>

namespace jfrtree::test {

/// A healthy recording with a name: what it holds is said by `contents`, exactly.
struct Scenario {
  std::string_view name;
  std::string_view contents;
  Bytes (*build)();
};

std::span<const Scenario> scenarios();

/// Builds the scenario of that name; throws std::out_of_range.
Bytes scenario(std::string_view name);

/// The smallest recording that JDK 17 and 25 accept: 525 bytes, one event
/// my.Ev {startTime = 2000 ticks, s = "hi", n = -5, sym = key 1 -> "one"}.
ChunkWriter minimal_chunk();

/// A JDK 17 chunk with three samples: Main.main > Main.run twice, Main.main > Main.idle once.
/// What wrong recordings are made from.
StandardChunk three_samples();
inline constexpr std::uint64_t three_samples_count = 3;

/// The same as async-profiler writes it: metadata first, constants last.
StandardChunk three_profiler_samples();

/// Adds one event of each usual type the producer has.
void add_usual_events(StandardChunk& chunk, Producer producer);

}  // namespace jfrtree::test
