#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
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
  std::uint64_t value = 0;  ///< of the samples whose value is known
  /// Samples whose value is the sampling period, as long as it is not looked up. Of kinds with a
  /// third number, whose values are no periods, that number.
  std::uint64_t extra = 0;
  bool has_value = false;  ///< `value` is known for one sample at least

  /// True when a sum would have been larger than 64 bits.
  bool add(const SampleSums& other) noexcept {
    bool is_full = add_saturated(count, other.count);
    is_full = add_saturated(value, other.value) || is_full;
    is_full = add_saturated(extra, other.extra) || is_full;
    has_value = has_value || other.has_value;
    return is_full;
  }
};

/// Sums per stack of one chunk, for one lane: a dense array by the ordinal of the stack. Most
/// stacks of a lane belong to one group (class, thread), and most samples are alike; further groups
/// of a stack, and sums that are larger or mixed, are found by hash.
class LaneSums {
 public:
  LaneSums() = default;
  /// For so many stacks; memory is touched as far as they are used.
  explicit LaneSums(std::size_t stacks) { reserve_large(first_, stacks); }

  /// What an entry holds: samples of one group that are alike.
  class Tag {
   public:
    enum Form : std::uint32_t { plain, known, pending };  ///< no value, a value, one that waits

    Tag() = default;
    /// Large groups have no tag of their own: theirs is none, and no entry's.
    Tag(std::uint64_t group, Form form) noexcept
        : bits_(group < max_group ? static_cast<std::uint32_t>(group) << form_bits | form
                                  : too_large) {}

    /// The form of sums, if all their samples are alike.
    [[nodiscard]] static std::optional<Form> form_of(const SampleSums& sums) noexcept {
      if (sums.extra == 0) return sums.has_value ? known : plain;
      const bool all_wait = sums.extra == sums.count && !sums.has_value && sums.value == 0;
      return all_wait ? std::optional(pending) : std::nullopt;
    }
    [[nodiscard]] bool is_none() const noexcept { return bits_ >= too_large; }
    [[nodiscard]] std::uint64_t group() const noexcept { return bits_ >> form_bits; }
    [[nodiscard]] Form form() const noexcept { return static_cast<Form>(bits_ & form_mask); }
    [[nodiscard]] bool operator==(const Tag&) const = default;

   private:
    static constexpr unsigned form_bits = 2;
    static constexpr std::uint32_t form_mask = (1U << form_bits) - 1;
    static constexpr std::uint32_t too_large = ~std::uint32_t{0} - 1;
    static constexpr std::uint64_t max_group = too_large >> form_bits;

    std::uint32_t bits_ = ~std::uint32_t{0};
  };

  /// The samples of a stack that were met first. A quarter of a cache line: entries are met in any
  /// order, and those of a chunk are to fit into the second cache.
  class Entry {
   public:
    [[nodiscard]] bool is_used() const noexcept { return !tag_.is_none() || has_more(); }
    [[nodiscard]] Tag tag() const noexcept { return tag_; }
    [[nodiscard]] SampleSums sums() const noexcept {
      const std::uint64_t count = count_ & max_count;
      return {count, value_, tag_.form() == Tag::pending ? count : 0, tag_.form() == Tag::known};
    }
    /// Whether the stack has sums elsewhere.
    [[nodiscard]] bool has_more() const noexcept { return (count_ & more) != 0; }

    /// Adds one sample. Nothing done, and false, when the entry is another one's or a sum would be
    /// too large for it.
    bool add_one(Tag tag, std::uint64_t value) noexcept {
      const std::uint32_t count = count_ + 1;
      const bool is_full =
          (count & max_count) == 0 || __builtin_add_overflow(value_, value, &value);
      if (is_full || tag_ != tag) return false;
      count_ = count;
      value_ = value;
      return true;
    }
    /// False, and nothing done, when the count is too large.
    bool set(Tag tag, const SampleSums& sums) noexcept {
      if (sums.count > max_count || tag.is_none()) return false;
      tag_ = tag;
      count_ = static_cast<std::uint32_t>(sums.count) | (count_ & more);
      value_ = sums.value;
      return true;
    }
    void set_more() noexcept { count_ |= more; }
    void clear() noexcept {
      tag_ = {};
      count_ &= more;
      value_ = 0;
    }

   private:
    static constexpr std::uint32_t more = std::uint32_t{1} << 31;
    static constexpr std::uint32_t max_count = more - 1;

    Tag tag_;
    std::uint32_t count_ = 0;  // its top bit: there is more
    std::uint64_t value_ = 0;
  };
  static_assert(sizeof(Entry) == 16);

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
      if (entry.tag().is_none()) continue;
      is_full = add(ordinal, group_of(entry.tag().group()), entry.sums()) || is_full;
    }
    for (const Further& further : other.further_) {
      is_full = add(further.ordinal, group_of(further.group), further.sums) || is_full;
    }
    return is_full;
  }

  /// To be called after the last `add`, before the first `for_each_group`.
  void sort_groups();
  /// Calls `visit(group, sums)` once for each group of a stack. Several threads may do so at once.
  template <typename Visit>
  void for_each_group(std::uint32_t ordinal, Visit&& visit) const {
    if (!uses(ordinal)) return;
    const Entry& entry = first_[ordinal];
    if (!entry.tag().is_none()) visit(entry.tag().group(), entry.sums());
    if (!entry.has_more()) return;
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
  [[nodiscard]] SampleSums& further(std::uint32_t ordinal, std::uint64_t group);

  std::vector<Entry> first_;
  std::vector<Further> further_;
  SeededMap<std::pair<std::uint64_t, std::uint64_t>, std::uint32_t> further_index_;
};

}  // namespace jfrtree::internal
