#include "profile/sample_deviations.hpp"

#include <algorithm>

namespace jfrtree::internal {

void SampleDeviations::add(std::uint32_t ordinal, std::uint64_t group, std::uint64_t samples,
                           std::uint64_t unknown_values) {
  if (samples == 1 && unknown_values == 0) return;
  deviations_[std::pair<std::uint64_t, std::uint64_t>(ordinal, group)].add(
      {1, samples, unknown_values});
}

SampleDeviations::Counts SampleDeviations::behind(std::uint32_t ordinal, std::uint64_t group,
                                                  const SampleSums& sums) const noexcept {
  const auto found = deviations_.find(std::pair<std::uint64_t, std::uint64_t>(ordinal, group));
  if (found == deviations_.end()) return {sums.count, 0};
  const Deviation& deviation = found->second;
  // Sums that are full tell no number of events.
  const std::uint64_t usual = sums.count - std::min(sums.count, deviation.samples);
  return {usual + deviation.events, deviation.unknown_values};
}

}  // namespace jfrtree::internal
