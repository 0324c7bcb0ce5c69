#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "profile/chunk_facts.hpp"
#include "profile/kinds.hpp"

namespace jfrtree::internal {

/// Where samples come from, as far as their own chunk tells.
enum class SampleOrigin : std::uint8_t {
  direct,              ///< kind and value are known
  jdk_sampler,         ///< the JDK's sampler: cpu, time is an estimate
  profiler_cpu,        ///< async-profiler ≥ 3.0 in STATE_DEFAULT, or a CPU event of a fork
  profiler_wall,       ///< async-profiler, any other state, or a wall clock event
  profiler_undecided,  ///< async-profiler before 3.0: cpu or wall by its `event` setting
};

/// Samples of one event type of one chunk whose kind and value are found alike.
struct Lane {
  std::string kind;
  std::string event;
  SampleOrigin origin = SampleOrigin::direct;
  std::uint8_t alternative = 0;
  bool has_value = true;     ///< the event has a value at all
  bool is_snapshot = false;  ///< of all such lanes of a process the newest counts
  bool is_thrown = false;    ///< its samples count by the classes thrown in the chunk
  bool is_held = false;      ///< its samples wait in the chunk's memory for what frees them
  std::uint64_t events = 0;
  std::uint64_t unknown_values = 0;  ///< samples whose value is not available
};

/// What settings say about a lane.
struct LaneMeaning {
  std::string_view kind;
  std::optional<std::uint64_t> period_ns;
  bool is_estimate = false;
  bool is_complete = true;  ///< no setting of an earlier chunk could change it
  bool has_period = true;   ///< values of samples that wait for one are periods
};

[[nodiscard]] LaneMeaning meaning_of(const Lane& lane, const Settings& settings);

}  // namespace jfrtree::internal
