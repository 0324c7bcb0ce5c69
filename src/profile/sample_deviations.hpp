#pragma once

#include <cstdint>
#include <utility>

#include "io/seeded_map.hpp"
#include "profile/lane_sums.hpp"

namespace jfrtree::internal {

/// How many events are behind the samples of a stack and group, and how many of the samples have no
/// known value: what the sums of a lane do not tell and what has to be taken from its totals when
/// the stack is dropped. Only what differs from one event a sample, of a known value, is kept.
class SampleDeviations {
 public:
  struct Counts {
    std::uint64_t events = 0;
    std::uint64_t unknown_values = 0;
  };

  /// Takes note of one event that stands for so many samples.
  void add(std::uint32_t ordinal, std::uint64_t group, std::uint64_t samples,
           std::uint64_t unknown_values);

  /// What is behind the sums of a stack and group.
  [[nodiscard]] Counts behind(std::uint32_t ordinal, std::uint64_t group,
                              const SampleSums& sums) const noexcept;

 private:
  struct Deviation {
    std::uint64_t events = 0;   // that stand for another number of samples than one
    std::uint64_t samples = 0;  // of these
    std::uint64_t unknown_values = 0;
  };

  SeededMap<std::pair<std::uint64_t, std::uint64_t>, Deviation> deviations_;
};

}  // namespace jfrtree::internal
