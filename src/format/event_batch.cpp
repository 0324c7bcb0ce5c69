#include "format/event_batch.hpp"

#include <algorithm>

#include "format/processor.hpp"
#include "format/varint_mask.hpp"

namespace jfrtree::internal {

namespace {

using Code = DecodeStep::Code;
using Kind = EventAction::Kind;

/// Cuts a number to the width of its field.
[[nodiscard]] inline std::uint64_t extend(std::uint64_t value,
                                          const IntegerLayout::Taken& taken) noexcept {
  value <<= taken.unused_bits;
  return taken.is_signed
             ? static_cast<std::uint64_t>(static_cast<std::int64_t>(value) >> taken.unused_bits)
             : value >> taken.unused_bits;
}

/// What became of an event; `bytes` is 0 for one that is the caller's.
struct Decoded {
  std::uint64_t bytes = 0;
  bool is_row = false;
};

/// Decodes the event at `start`, one varint after the other.
Decoded decode_one(const std::uint8_t* start, std::uint64_t left, const EventActions& actions,
                   EventRow& row, std::uint64_t* counters) noexcept {
  const std::uint8_t* p = start;
  const std::uint64_t size = read_varint_unchecked(p);
  const EventAction& action = actions.of(read_varint_unchecked(p));
  const auto used = [&] { return static_cast<std::uint64_t>(p - start); };
  if (action.kind == Kind::stop || size > left || size < used()) return {};
  if (action.kind == Kind::take) {
    const IntegerLayout& layout = actions.layouts()[action.layout];
    std::size_t next = 0;
    for (std::size_t i = 0; i < layout.integer_count; ++i) {
      const std::uint64_t value = read_varint_unchecked(p);
      if (next == layout.taken_count || layout.taken[next].index != i) continue;
      const IntegerLayout::Taken& taken = layout.taken[next];
      row.slots[taken.slot] = extend(value, taken);
      ++next;
    }
    // Fields that do not fit into the record: the caller finds and reports that.
    if (used() > size) return {};
    row.plan = action.plan;
  }
  ++counters[action.counter];
  return {size, action.kind == Kind::take};
}

}  // namespace

void EventActions::set(std::uint64_t type, const EventAction& action) {
  if (type >= max_type) return;
  if (type >= actions_.size()) actions_.resize(type + 1);
  actions_[type] = action;
}

void EventActions::set(std::uint64_t type, EventAction action, const IntegerLayout& layout) {
  action.layout = static_cast<std::uint32_t>(layouts_.size());
  taken_by_all_ = std::max<std::size_t>(taken_by_all_, layout.taken_count);
  layouts_.push_back(layout);
  set(type, action);
}

bool to_integer_layout(const DecodeProgram& program, bool has_compressed_integers,
                       IntegerLayout& layout) {
  if (!has_compressed_integers) return false;
  layout = {};
  for (const DecodeStep& step : program) {
    const bool is_taken = step.code == Code::take_integer;
    if (!is_taken && step.code != Code::skip_integers) return false;
    const std::uint32_t integers = is_taken ? 1 : step.count;
    if (layout.integer_count + integers > IntegerLayout::max_integers) return false;
    if (is_taken) {
      if (layout.taken_count == max_taken || step.slot >= max_taken) return false;
      layout.taken[layout.taken_count] = {
          std::uint32_t{2} << layout.integer_count, layout.integer_count,
          static_cast<std::uint8_t>(step.slot), static_cast<std::uint8_t>(64 - 8 * step.width),
          step.is_signed};
      ++layout.taken_count;
    }
    layout.integer_count = static_cast<std::uint8_t>(layout.integer_count + integers);
  }
  return true;
}

std::size_t decode_events_plain(std::span<const std::byte> bytes, std::uint64_t& position,
                                const EventActions& actions, std::span<EventRow> rows,
                                std::uint64_t* counters) noexcept {
  const auto* base = reinterpret_cast<const std::uint8_t*>(bytes.data());
  std::size_t count = 0;
  while (count < rows.size() && bytes.size() - position >= event_batch_margin) {
    EventRow& row = rows[count];
    const Decoded decoded =
        decode_one(base + position, bytes.size() - position, actions, row, counters);
    if (decoded.bytes == 0) break;
    row.offset = position;
    position += decoded.bytes;
    count += decoded.is_row ? 1 : 0;
  }
  return count;
}

#if JFRTREE_HAS_X86_PATHS

namespace {

/// `decode_events` by one mask of the bytes that end a varint. What it looks at again and again is
/// held in members, which nothing it writes can change.
class MaskDecoder {
 public:
  MaskDecoder(const EventActions& actions, std::uint64_t* counters) noexcept
      : actions_(actions.by_type()),
        layouts_(actions.layouts().data()),
        taken_by_all_(actions.taken_by_all()),
        counters_(counters) {}

  /// As `decode_one`. Nothing done, and false, for events whose wanted integers do not end within
  /// the mask, or that may hold a varint of 9 bytes.
  [[nodiscard]] JFRTREE_FAST_BITS bool decode(const std::uint8_t* start, std::uint64_t left,
                                              EventRow& row, Decoded& decoded) const noexcept {
    const VarintMask mask(start);
    const std::uint32_t ends = mask.ends();
    const unsigned size_end = _tzcnt_u32(ends);
    const unsigned type_end = _tzcnt_u32(_blsr_u32(ends));
    if (mask.may_have_longest() || type_end >= VarintMask::window) return false;
    // The next event waits for nothing but this size: most fit into one byte, and a guess of the
    // processor that they do is ready long before the mask is.
    const std::uint64_t size = *start < 0x80 ? *start : VarintMask::value(start, size_end + 1);
    const std::uint64_t type = VarintMask::value(start + size_end + 1, type_end - size_end);
    if (type >= actions_.size() || size > left || size <= type_end) return false;
    const EventAction& action = actions_[type];
    if (action.kind == Kind::stop) return false;
    if (action.kind == Kind::take) {
      const IntegerLayout& layout = layouts_[action.layout];
      const unsigned last_end = VarintMask::end_of(layout.integer_count + 1U, ends);
      if (last_end >= VarintMask::window || last_end >= size) return false;
      for (std::size_t i = 0; i < taken_by_all_; ++i) {
        const IntegerLayout::Taken& taken = layout.taken[i];
        const unsigned first = _tzcnt_u32(_pdep_u32(taken.before, ends)) + 1;
        const unsigned end = _tzcnt_u32(_pdep_u32(taken.before << 1, ends)) + 1;
        const std::uint64_t value = VarintMask::value(start + first, end - first);
        row.slots[taken.slot] = taken.unused_bits == 0 ? value : extend(value, taken);
      }
      row.plan = action.plan;
    }
    ++counters_[action.counter];
    decoded = {size, action.kind == Kind::take};
    return true;
  }

 private:
  std::span<const EventAction> actions_;
  const IntegerLayout* layouts_;
  std::size_t taken_by_all_;
  std::uint64_t* counters_;
};

JFRTREE_FAST_BITS std::size_t decode_events_fast(std::span<const std::byte> bytes,
                                                 std::uint64_t& position,
                                                 const EventActions& actions,
                                                 std::span<EventRow> rows,
                                                 std::uint64_t* counters) noexcept {
  const MaskDecoder decoder(actions, counters);
  const auto* const base = reinterpret_cast<const std::uint8_t*>(bytes.data());
  const std::uint64_t size = bytes.size();
  std::uint64_t at = position;
  EventRow* row = rows.data();
  EventRow* const end = row + rows.size();
  while (row != end && size - at >= event_batch_margin) {
    Decoded decoded;
    if (!decoder.decode(base + at, size - at, *row, decoded)) {
      decoded = decode_one(base + at, size - at, actions, *row, counters);
      if (decoded.bytes == 0) break;
    }
    row->offset = at;
    at += decoded.bytes;
    row += decoded.is_row ? 1 : 0;
  }
  position = at;
  return static_cast<std::size_t>(row - rows.data());
}

}  // namespace

std::size_t decode_events(std::span<const std::byte> bytes, std::uint64_t& position,
                          const EventActions& actions, std::span<EventRow> rows,
                          std::uint64_t* counters) noexcept {
  return has_fast_bits() ? decode_events_fast(bytes, position, actions, rows, counters)
                         : decode_events_plain(bytes, position, actions, rows, counters);
}

#else

std::size_t decode_events(std::span<const std::byte> bytes, std::uint64_t& position,
                          const EventActions& actions, std::span<EventRow> rows,
                          std::uint64_t* counters) noexcept {
  return decode_events_plain(bytes, position, actions, rows, counters);
}

#endif

}  // namespace jfrtree::internal
