#include "profile/memory_scan.hpp"

#include <array>

namespace jfrtree::internal {

namespace {

enum FreeSlot : std::uint16_t { free_start, free_address, free_slots };

}  // namespace

MemoryScan::MemoryScan(const ChunkContents& contents) : contents_(contents) {
  const Type* type = contents.metadata().find(free_event);
  if (type == nullptr || !type->is_decodable) return;
  const std::array<FieldSlot, 2> wanted = {{{"startTime", free_start}, {"address", free_address}}};
  std::uint64_t found = 0;
  free_program_ = contents.layouts().compile(*type, wanted, found);
  if (found == 3) free_type_ = type->id;
}

EventTime MemoryScan::time_of(std::uint64_t ticks) const noexcept {
  const auto signed_ticks = static_cast<std::int64_t>(ticks);
  return {contents_.info.to_epoch_ns(signed_ticks), signed_ticks};
}

bool MemoryScan::free(const Record& record) {
  std::array<std::uint64_t, free_slots> slots{};
  ByteReader reader(record.payload, contents_.has_compressed_integers());
  contents_.layouts().fetch(free_program_, reader, slots.data());
  if (reader.failed()) return false;
  memory_.free(slots[free_address], time_of(slots[free_start]));
  return true;
}

void MemoryScan::allocate(const EventPlan& plan, const Slots& slots, std::uint32_t ordinal,
                          std::uint64_t group, std::uint64_t size, bool has_size) {
  const std::pair<std::uint64_t, std::uint64_t> key(ordinal, group);
  const auto [found, is_new] =
      stack_numbers_.emplace(key, static_cast<std::uint32_t>(stacks_.size()));
  if (is_new) stacks_.push_back({ordinal, group});
  memory_.allocate({.address = plan.get(slots, slot_address),
                    .time = time_of(plan.get(slots, slot_start)),
                    .size = size,
                    .stack = found->second,
                    .has_size = has_size});
}

}  // namespace jfrtree::internal
