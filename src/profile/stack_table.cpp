#include "profile/stack_table.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "io/hash.hpp"
#include "io/large_memory.hpp"

namespace jfrtree::internal {

namespace {

/// By bytes, which is faster than by ids. An empty stack may hold a null pointer, which memcmp must
/// not see.
[[nodiscard]] bool is_same(std::span<const FrameId> one, std::span<const FrameId> other) noexcept {
  return one.size() == other.size() &&
         (one.empty() || std::memcmp(one.data(), other.data(), one.size_bytes()) == 0);
}

constexpr std::size_t first_slots = 1024;
/// Rows whose memory is fetched at once.
constexpr std::size_t group_rows = 32;
constexpr std::size_t frames_of_a_cache_line = 64 / sizeof(FrameId);

[[nodiscard]] constexpr std::uint32_t tag_of(std::uint64_t hash) noexcept {
  return static_cast<std::uint32_t>(hash >> 32);
}

// NOLINTNEXTLINE(modernize-use-using): only a typedef can be marked as an extension.
__extension__ typedef unsigned __int128 Wide;

/// Mixes a word into a hash by the two halves of a product.
[[nodiscard]] inline std::uint64_t fold(std::uint64_t hash, std::uint64_t word) noexcept {
  const Wide product = Wide{hash ^ word} * 0x9E37'79B9'7F4A'7C15U;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

}  // namespace

StackTable::StackTable() : slots_(first_slots), seed_(process_seed()) {}

std::uint64_t StackTable::hash_of(std::uint32_t lane,
                                  std::span<const FrameId> stack) const noexcept {
  std::uint64_t hash = fold(seed_, stack.size());
  std::uint64_t other = seed_ ^ lane;
  std::size_t i = 0;
  for (; i + 4 <= stack.size(); i += 4) {
    std::uint64_t words[2];
    std::memcpy(words, stack.data() + i, sizeof words);
    hash = fold(hash, words[0] + seed_);
    other = fold(other, words[1] + seed_);
  }
  for (; i < stack.size(); ++i) hash = fold(hash, raw(stack[i]) + seed_);
  return mix64(fold(hash, other), seed_);
}

StackTable::Row* StackTable::find(std::uint64_t hash, std::uint32_t lane,
                                  std::span<const FrameId> stack, std::size_t& slot) noexcept {
  const std::size_t mask = slots_.size() - 1;
  const std::uint32_t tag = tag_of(hash);
  for (slot = hash & mask; slots_[slot].row != 0; slot = (slot + 1) & mask) {
    if (slots_[slot].tag != tag) continue;
    Row& row = rows_[slots_[slot].row - 1];
    if (row.hash == hash && row.lane == lane && is_same(frames(row), stack)) {
      return &row;
    }
  }
  return nullptr;
}

bool StackTable::add(std::uint32_t lane, std::span<const FrameId> stack, const SampleSums& sums) {
  return add_hashed({lane, stack, sums, hash_of(lane, stack)});
}

bool StackTable::add_hashed(const NewRow& row) {
  std::size_t slot = 0;
  if (Row* found = find(row.hash, row.lane, row.stack, slot)) return found->sums.add(row.sums);
  const std::uint64_t first_frame = frames_.size();
  make_room(frames_, row.stack.size());
  frames_.insert(frames_.end(), row.stack.begin(), row.stack.end());
  insert(slot,
         {first_frame, row.hash, static_cast<std::uint32_t>(row.stack.size()), row.lane, row.sums});
  return false;
}

std::uint32_t StackTable::row_of(std::uint32_t lane, std::span<const FrameId> stack) {
  const std::uint64_t hash = hash_of(lane, stack);
  std::size_t slot = 0;
  if (const Row* found = find(hash, lane, stack, slot)) {
    return static_cast<std::uint32_t>(found - rows_.data());
  }
  add_hashed({lane, stack, {}, hash});
  return static_cast<std::uint32_t>(rows_.size() - 1);
}

void StackTable::set_hashes(std::span<NewRow> rows) const noexcept {
  for (NewRow& row : rows) row.hash = hash_of(row.lane, row.stack);
}

bool StackTable::add_all(std::span<const NewRow> rows) {
  bool is_full = false;
  while (!rows.empty()) {
    const auto group = rows.first(std::min(group_rows, rows.size()));
    prefetch(group);
    for (const NewRow& row : group) is_full = add_hashed(row) || is_full;
    rows = rows.subspan(group.size());
  }
  return is_full;
}

/// Fetches what a look-up of the rows will need: their slots, the rows there, and their frames.
void StackTable::prefetch(std::span<const NewRow> rows) const noexcept {
  const auto slot_of = [this](const NewRow& row) -> const Slot& {
    return slots_[row.hash & (slots_.size() - 1)];
  };
  for (const NewRow& row : rows) __builtin_prefetch(&slot_of(row));
  for (const NewRow& row : rows) {
    const std::uint32_t number = slot_of(row).row;
    if (number != 0) __builtin_prefetch(&rows_[number - 1]);
  }
  for (const NewRow& row : rows) {
    const Slot& slot = slot_of(row);
    if (slot.row == 0 || slot.tag != tag_of(row.hash)) continue;
    const Row& found = rows_[slot.row - 1];
    if (found.frame_count == 0) continue;
    const std::size_t last = found.first_frame + found.frame_count - 1;
    __builtin_prefetch(&frames_[found.first_frame]);
    __builtin_prefetch(&frames_[std::min(found.first_frame + frames_of_a_cache_line, last)]);
  }
}

bool StackTable::move(std::size_t row, std::uint32_t lane, const SampleSums& sums) {
  const auto stack = frames(rows_[row]);
  const std::uint64_t hash = hash_of(lane, stack);
  std::size_t slot = 0;
  if (Row* found = find(hash, lane, stack, slot)) return found->sums.add(sums);
  const Row& from = rows_[row];
  insert(slot, {from.first_frame, hash, from.frame_count, lane, sums});
  return false;
}

void StackTable::insert(std::size_t slot, const Row& row) {
  const Row copy = row;  // `row` may lie in `rows_`
  make_room(rows_, 1);
  rows_.push_back(copy);
  slots_[slot] = {static_cast<std::uint32_t>(rows_.size()), tag_of(copy.hash)};
  if (rows_.size() * 2 > slots_.size()) grow();
}

void StackTable::grow() {
  std::vector<Slot> slots;
  reserve_large(slots, slots_.size() * 4);
  slots.resize(slots_.size() * 4);
  const std::size_t mask = slots.size() - 1;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    std::size_t slot = rows_[i].hash & mask;
    while (slots[slot].row != 0) slot = (slot + 1) & mask;
    slots[slot] = {static_cast<std::uint32_t>(i + 1), tag_of(rows_[i].hash)};
  }
  slots_ = std::move(slots);
}

void StackTable::close() { std::vector<Slot>().swap(slots_); }

}  // namespace jfrtree::internal
