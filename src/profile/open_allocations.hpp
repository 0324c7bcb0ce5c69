#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "io/seeded_map.hpp"

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
/// come in any order. Memory grows with what is open and with the different addresses that were
/// freed, not with the number of events.
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
  [[nodiscard]] bool has_frees() const noexcept { return !last_free_.empty(); }

 private:
  static constexpr std::size_t least_sweep = std::size_t{1} << 16;

  void sweep();

  std::vector<Allocation> open_;                   // and such as were freed since the last sweep
  SeededMap<std::uint64_t, EventTime> last_free_;  // by address
  std::uint64_t freed_ = 0;
  std::size_t next_sweep_ = least_sweep;
};

}  // namespace jfrtree::internal
