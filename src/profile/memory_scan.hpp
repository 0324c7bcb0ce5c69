#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "format/chunk_contents.hpp"
#include "format/record_walk.hpp"
#include "io/seeded_map.hpp"
#include "profile/event_plan.hpp"
#include "profile/open_allocations.hpp"

namespace jfrtree::internal {

/// Event that says which memory native code gave back, by normalized name.
inline constexpr std::string_view free_event = "profiler.Free";

/// Collects the allocations of native memory of one chunk that are not freed in it, each with its
/// stack and group, and what the chunk frees of earlier ones.
class MemoryScan {
 public:
  explicit MemoryScan(const ChunkContents& contents);

  [[nodiscard]] bool wants(std::uint64_t type) const noexcept { return type == raw(free_type_); }
  /// A record of the type it wants. False when its fields do not fit into it.
  bool free(const Record& record);
  /// An allocation, by the slots of a plan with address.
  void allocate(const EventPlan& plan, const Slots& slots, std::uint32_t ordinal,
                std::uint64_t group, std::uint64_t size, bool has_size);

  struct Stack {
    std::uint32_t ordinal = 0;
    std::uint64_t group = 0;
  };
  /// The stacks that the allocations refer to, in any order.
  [[nodiscard]] const std::vector<Stack>& stacks() const noexcept { return stacks_; }
  [[nodiscard]] OpenAllocations& memory() noexcept { return memory_; }

 private:
  [[nodiscard]] EventTime time_of(std::uint64_t ticks) const noexcept;

  const ChunkContents& contents_;
  TypeId free_type_{~std::uint64_t{0}};
  DecodeProgram free_program_;
  OpenAllocations memory_;
  std::vector<Stack> stacks_;
  SeededMap<std::pair<std::uint64_t, std::uint64_t>, std::uint32_t> stack_numbers_;
};

}  // namespace jfrtree::internal
