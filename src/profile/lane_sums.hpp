#pragma once

#include <algorithm>
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

  /// The first group of a stack. Half a cache line: entries are met in any order, and those of a
  /// chunk are to fit into the second cache.
  class Entry {
   public:
    [[nodiscard]] bool is_used() const noexcept { return (rest_ & used) != 0; }
    [[nodiscard]] std::uint64_t group() const noexcept { return group_; }
    [[nodiscard]] SampleSums sums() const noexcept {
      return {count_, value_, rest_ >> flag_bits, (rest_ & known) != 0};
    }

    /// Adds one sample. Nothing done, and false, when the entry is another group's or a sum would
    /// be larger than 64 bits.
    bool add_one(std::uint64_t group, std::uint64_t value, bool has_value,
                 bool is_pending) noexcept {
      std::uint64_t count = 0;
      const bool is_full = __builtin_add_overflow(count_, 1, &count) ||
                           __builtin_add_overflow(value_, value, &value);
      if (is_full || !is_used() || group_ != group) return false;
      count_ = count;
      value_ = value;
      rest_ += std::uint64_t{is_pending} << flag_bits;  // never more than the count
      rest_ |= has_value ? known : 0;
      return true;
    }
    void set(std::uint64_t group, const SampleSums& sums) noexcept {
      group_ = group;
      count_ = sums.count;
      value_ = sums.value;
      rest_ = std::min(sums.pending, max_pending) << flag_bits | (sums.has_value ? known : 0) |
              (rest_ & more) | used;
    }
    /// Whether the stack has further groups.
    [[nodiscard]] bool has_more() const noexcept { return (rest_ & more) != 0; }
    void set_more() noexcept { rest_ |= more; }

   private:
    static constexpr std::uint64_t used = 1;
    static constexpr std::uint64_t known = 2;
    static constexpr std::uint64_t more = 4;
    static constexpr unsigned flag_bits = 3;
    /// No recording has so many samples.
    static constexpr std::uint64_t max_pending = ~std::uint64_t{0} >> flag_bits;

    std::uint64_t group_ = 0;
    std::uint64_t count_ = 0;
    std::uint64_t value_ = 0;
    std::uint64_t rest_ = 0;  // waiting samples and flags
  };

  /// Adds to the sums of a stack and group. True when a sum would have been larger than 64 bits.
  bool add(std::uint32_t ordinal, std::uint64_t group, const SampleSums& sums);

  /// The entries made so far, which never move where the number of stacks was given.
  [[nodiscard]] std::span<Entry> entries() noexcept { return first_; }

  [[nodiscard]] bool empty() const noexcept { return first_.empty(); }
  [[nodiscard]] bool uses(std::uint32_t ordinal) const noexcept {
    return ordinal < first_.size() && first_[ordinal].is_used();
  }

  /// Adds all sums of another object; `group_of(group)` gives the number of its groups here. True
  /// as for `add`.
  template <typename GroupOf>
  bool add_all(const LaneSums& other, GroupOf&& group_of) {
    bool is_full = false;
    for (std::uint32_t ordinal = 0; ordinal < other.first_.size(); ++ordinal) {
      const Entry& entry = other.first_[ordinal];
      if (entry.is_used()) is_full = add(ordinal, group_of(entry.group()), entry.sums()) || is_full;
    }
    for (const Further& further : other.further_) {
      is_full = add(further.ordinal, group_of(further.group), further.sums) || is_full;
    }
    return is_full;
  }

  /// To be called after the last `add`, before the first `for_each_group`.
  void sort_groups();
  /// Calls `visit(group, sums)` for each group of a stack. Several threads may do so at once.
  template <typename Visit>
  void for_each_group(std::uint32_t ordinal, Visit&& visit) const {
    if (!uses(ordinal)) return;
    visit(first_[ordinal].group(), first_[ordinal].sums());
    if (!first_[ordinal].has_more()) return;
    for (std::size_t i = first_further(ordinal);
         i < further_.size() && further_[i].ordinal == ordinal; ++i) {
      visit(further_[i].group, further_[i].sums);
    }
  }

 private:
  struct Further {
    std::uint32_t ordinal = 0;
    std::uint64_t group = 0;
    SampleSums sums;
  };

  [[nodiscard]] std::size_t first_further(std::uint32_t ordinal) const noexcept;

  std::vector<Entry> first_;
  std::vector<Further> further_;
  SeededMap<std::pair<std::uint64_t, std::uint64_t>, std::uint32_t> further_index_;
};

}  // namespace jfrtree::internal
