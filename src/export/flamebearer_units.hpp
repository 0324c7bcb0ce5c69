#pragma once

#include <cstdint>
#include <string_view>

#include <jfrtree/profile.hpp>

namespace jfrtree::internal {

/// How Pyroscope's front end is told to show the numbers of a sample type.
struct FlamebearerUnits {
  std::string_view units;
  std::uint32_t sample_rate = 100;
};

/// Pyroscope knows `samples` (shown as time: the number divided by the sample rate), `objects`,
/// `bytes`, `lock_nanoseconds` and `lock_samples`.
///
///   our unit                                         units             sample rate
///   bytes                                            bytes             100
///   nanoseconds, sampled time (cpu, wall, native)    samples           1,000,000,000
///   nanoseconds, durations (lock, park, io, …)       lock_nanoseconds  100
///   count of locks, parks and contentions            lock_samples      100
///   count of anything else                           objects           100
///   any other                                        as it is          100
///
/// The count of CPU samples is `objects` too: `samples` at 100 would be shown as seconds that
/// nobody measured. The view is valid as long as the sample type.
[[nodiscard]] FlamebearerUnits flamebearer_units(const SampleType& sample_type) noexcept;

}  // namespace jfrtree::internal
