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

    void add(const Counts& other) noexcept {
      events += other.events;
      unknown_values += other.unknown_values;
    }
  };

  /// Takes note of one event that stands for so many samples.
  void add(std::uint32_t ordinal, std::uint64_t group, std::uint64_t samples,
           std::uint64_t unknown_values);

  /// Adds all of another object; `group_of(group)` gives the number of its groups here.
  template <typename GroupOf>
  void add_all(const SampleDeviations& other, GroupOf&& group_of) {
    for (const auto& [key, deviation] : other.deviations_) {
      deviations_[std::pair(key.first, std::uint64_t{group_of(key.second)})].add(deviation);
    }
  }

  /// What is behind the sums of a stack and group.
  [[nodiscard]] Counts behind(std::uint32_t ordinal, std::uint64_t group,
                              const SampleSums& sums) const noexcept;

 private:
  struct Deviation {
    std::uint64_t events = 0;   // that stand for another number of samples than one
    std::uint64_t samples = 0;  // of these
    std::uint64_t unknown_values = 0;

    void add(const Deviation& other) noexcept {
      events += other.events;
      add_saturated(samples, other.samples);
      add_saturated(unknown_values, other.unknown_values);
    }
  };

  SeededMap<std::pair<std::uint64_t, std::uint64_t>, Deviation> deviations_;
};

}  // namespace jfrtree::internal
