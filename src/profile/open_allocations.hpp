#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace jfrtree::internal {

/// When an event of a process was. The ticks tell events of the same nanosecond apart.
struct EventTime {
  std::int64_t ns = 0;
  std::int64_t ticks = 0;

  auto operator<=>(const EventTime&) const = default;
};

/// Memory that native code took.
struct Allocation {
  std::uint64_t address = 0;
  EventTime time;
  std::uint64_t size = 0;
  std::uint32_t stack = 0;  ///< a number of the caller's
  bool has_size = true;
};

/// Allocations without those that a later free of the same address ends. Allocations and frees may
/// come in any order, so that a free is kept for an allocation that may still come: 24 bytes for
/// each different address. Memory grows with these and with what is open, not with the number of
/// events.
class OpenAllocations {
 public:
  void allocate(const Allocation& allocation);
  void free(std::uint64_t address, EventTime time);
  /// Takes over what other parts of the process know; their stacks are renumbered by `stacks`, or
  /// stay where it is null.
  void absorb(OpenAllocations& other, const std::vector<std::uint32_t>* stacks = nullptr);

  /// What is open, after all events that are known so far.
  [[nodiscard]] const std::vector<Allocation>& settle();
  /// Allocations that were freed. After `settle`.
  [[nodiscard]] std::uint64_t freed() const noexcept { return freed_; }
  [[nodiscard]] bool has_frees() const noexcept { return !frees_.empty(); }

 private:
  struct Free {
    std::uint64_t address = 0;
    EventTime time;

    auto operator<=>(const Free&) const = default;
  };
  static constexpr std::size_t least_sweep = std::size_t{1} << 16;

  void sort_frees();
  [[nodiscard]] bool is_freed(const Allocation& allocation) const noexcept;
  void sweep();

  std::vector<Allocation> open_;  // and such as were freed since the last sweep
  // The last one of each address, sorted, up to `sorted_frees_`; behind it those that came since.
  std::vector<Free> frees_;
  std::size_t sorted_frees_ = 0;
  std::uint64_t freed_ = 0;
  std::size_t next_sort_ = least_sweep;
  std::size_t next_sweep_ = least_sweep;
};

}  // namespace jfrtree::internal
