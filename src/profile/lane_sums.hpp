#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "io/large_memory.hpp"
#include "io/seeded_map.hpp"
#include "profile/saturating_add.hpp"

namespace jfrtree::internal {

/// Sums of the samples of one stack and one group.
struct SampleSums {
  std::uint64_t count = 0;
  std::uint64_t value = 0;    ///< of the samples whose value is known
  std::uint64_t pending = 0;  ///< samples whose value is the sampling period
  bool has_value = false;     ///< `value` is known for one sample at least

  /// True when a sum would have been larger than 64 bits.
  bool add(const SampleSums& other) noexcept {
    bool is_full = add_saturated(count, other.count);
    is_full = add_saturated(value, other.value) || is_full;
    is_full = add_saturated(pending, other.pending) || is_full;
    has_value = has_value || other.has_value;
    return is_full;
  }
};

/// Sums per stack of one chunk, for one lane: a dense array by the ordinal of the stack. Most
/// stacks of a lane belong to one group (class, thread); further groups of a stack are found by
/// hash.
class LaneSums {
 public:
  LaneSums() = default;
  /// For so many stacks; memory is touched as far as they are used.
  explicit LaneSums(std::size_t stacks) { reserve_large(first_, stacks); }

  /// In one cache line: entries are met in any order, and there are more than fit into the caches.
  struct alignas(64) Entry {
    std::uint64_t group = 0;
    SampleSums sums;
    bool is_used = false;

    /// Adds one sample. Nothing done, and false, when the entry is another group's or a sum would
    /// be larger than 64 bits.
    bool add_one(std::uint64_t to_group, std::uint64_t value, bool has_value,
                 bool is_pending) noexcept {
      std::uint64_t new_count = 0;
      std::uint64_t new_value = 0;
      const bool is_full = __builtin_add_overflow(sums.count, 1, &new_count) ||
                           __builtin_add_overflow(sums.value, value, &new_value);
      if (is_full || !is_used || group != to_group) return false;
      sums.count = new_count;
      sums.value = new_value;
      sums.pending += is_pending ? 1 : 0;  // never more than the count
      sums.has_value = sums.has_value || has_value;
      return true;
    }
  };

  /// The entry of a stack and group, made when it is new. Valid until the next call.
  SampleSums& at(std::uint32_t ordinal, std::uint64_t group) {
    if (ordinal >= first_.size()) first_.resize(std::size_t{ordinal} + 1);
    Entry& entry = first_[ordinal];
    if (entry.is_used && entry.group == group) return entry.sums;
    return other_entry(entry, ordinal, group);
  }

  /// The entries made so far, which never move where the number of stacks was given.
  [[nodiscard]] std::span<Entry> entries() noexcept { return first_; }

  [[nodiscard]] bool empty() const noexcept { return first_.empty(); }
  [[nodiscard]] bool uses(std::uint32_t ordinal) const noexcept {
    return ordinal < first_.size() && first_[ordinal].is_used;
  }

  /// Calls `visit(group, sums)` for each group of a stack. Ordinals must be asked for in ascending
  /// order after one call of `sort_groups`.
  void sort_groups();
  template <typename Visit>
  void for_each_group(std::uint32_t ordinal, Visit&& visit) {
    if (!uses(ordinal)) return;
    visit(first_[ordinal].group, first_[ordinal].sums);
    for (; next_further_ < further_.size() && further_[next_further_].ordinal == ordinal;
         ++next_further_) {
      visit(further_[next_further_].group, further_[next_further_].sums);
    }
  }

 private:
  struct Further {
    std::uint32_t ordinal;
    std::uint64_t group;
    SampleSums sums;
  };

  SampleSums& other_entry(Entry& entry, std::uint32_t ordinal, std::uint64_t group);

  std::vector<Entry> first_;
  std::vector<Further> further_;
  SeededMap<std::pair<std::uint64_t, std::uint64_t>, std::uint32_t> further_index_;
  std::size_t next_further_ = 0;
};

}  // namespace jfrtree::internal
