#pragma once

#include <cstdint>
#include <map>
#include <optional>

namespace jfrtree::internal {

/// The time that chunks cover: a union of intervals. What several cover, as chunks of several
/// processes do, counts once; gaps between them do not count. Memory grows with the gaps.
class CoveredTime {
 public:
  /// Adds start <= t < end, in ns since the epoch.
  void add(std::int64_t start_ns, std::int64_t end_ns);

  /// How much is covered, between two points in time if given.
  [[nodiscard]] std::uint64_t length_ns(std::optional<std::int64_t> from_ns = {},
                                        std::optional<std::int64_t> to_ns = {}) const noexcept;

 private:
  std::map<std::int64_t, std::int64_t> end_by_start_;  // do not touch each other
};

}  // namespace jfrtree::internal
