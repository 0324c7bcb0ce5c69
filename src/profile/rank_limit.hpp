#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include <jfrtree/call_tree.hpp>

#include "io/large_memory.hpp"

namespace jfrtree::internal {

/// Which totals stay by rank: those above `number`, and of those equal to it the first `ties`.
struct RankLimit {
  std::uint64_t number = 0;
  std::uint64_t ties = std::numeric_limits<std::uint64_t>::max();

  /// Asked once for each node, in pre-order.
  [[nodiscard]] bool admits(std::uint64_t total) noexcept {
    if (total != number) return total > number;
    if (ties == 0) return false;
    --ties;
    return true;
  }
};

/// Finds the limit that leaves the `max_nodes` largest of some totals.
class RankLimitFinder {
 public:
  explicit RankLimitFinder(const PruneOptions& options);

  /// Room for so many totals, or for as many as are held.
  void reserve(std::size_t count) { reserve_large(largest_, std::min(count, most_held_)); }

  void add(std::uint64_t total) {
    ++count_;
    if (total > floor_ || largest_.size() < max_nodes_) {
      largest_.push_back(total);
      if (largest_.size() == most_held_) {
        drop_small();
      }
    }
  }

  /// The same for several totals that are equal.
  void add(std::uint64_t total, std::uint64_t count) {
    for (; count > 0 && (total > floor_ || largest_.size() < max_nodes_); --count) {
      add(total);
    }
    count_ += count;
  }

  /// The limit, which admits everything when no more than `max_nodes` totals were added or
  /// `max_nodes` is 0. Call once.
  [[nodiscard]] RankLimit limit();

 private:
  /// Drops what is not among the `max_nodes_` largest.
  void drop_small();

  std::size_t max_nodes_;
  std::size_t most_held_;
  bool keep_ties_;
  std::vector<std::uint64_t> largest_;  // and some that are not, in any order
  std::uint64_t floor_ = 0;             // so many as asked for are at least as large
  std::uint64_t count_ = 0;
};

/// Whether a part is at least `percent` of a whole. The tolerance makes up for percentages such as
/// 0.1 that a double cannot hold: a node of exactly that width stays.
[[nodiscard]] inline bool is_wide_enough(std::uint64_t part, std::uint64_t whole,
                                         double percent) noexcept {
  constexpr double tolerance = 1e-12;
  const double needed = percent * static_cast<double>(whole);
  return static_cast<double>(part) * 100.0 >= needed * (1.0 - tolerance);
}

}  // namespace jfrtree::internal
