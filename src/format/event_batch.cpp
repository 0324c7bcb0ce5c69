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

/// The events from `position` on whose type is counted or taken: their counters get `step`, those
/// taken a row without numbers. Moves `position` behind the last one; returns the number of rows.
std::size_t find_events(std::span<const std::byte> bytes, std::uint64_t& position,
                        const EventActions& actions, std::span<EventRow> rows,
                        std::uint64_t* counters) noexcept {
  const auto* const base = reinterpret_cast<const std::uint8_t*>(bytes.data());
  const std::span<const EventAction> by_type = actions.by_type();
  const std::uint64_t size = bytes.size();
  std::uint64_t at = position;
  EventRow* row = rows.data();
  EventRow* const end = row + rows.size();
  while (row != end && size - at >= event_batch_margin) {
    const std::uint8_t* p = base + at;
    const std::uint64_t event_size = read_varint_unchecked(p);
    const std::uint64_t type = read_varint_unchecked(p);
    const auto used = static_cast<std::uint64_t>(p - (base + at));
    if (type >= by_type.size() || event_size > size - at || event_size < used) break;
    const EventAction& action = by_type[type];
    if (action.kind == Kind::stop) break;
    ++counters[action.counter];
    row->offset = at;
    row->plan = action.plan;
    row->layout = action.layout;
    row->size =
        static_cast<std::uint16_t>(std::min<std::uint64_t>(event_size, EventRow::long_size));
    at += event_size;
    row += action.kind == Kind::take ? 1 : 0;
  }
  position = at;
  return static_cast<std::size_t>(row - rows.data());
}

/// Takes back what `find_events` counted.
void uncount_events(std::span<const std::byte> bytes, std::uint64_t from, std::uint64_t to,
                    const EventActions& actions, std::uint64_t* counters) noexcept {
  const auto* const base = reinterpret_cast<const std::uint8_t*>(bytes.data());
  while (from < to) {
    const std::uint8_t* p = base + from;
    from += read_varint_unchecked(p);
    --counters[actions.of(read_varint_unchecked(p)).counter];
  }
}

/// Takes the wanted integers of an event, one varint after the other. False when they do not fit
/// into the event.
bool take_integers(const std::uint8_t* start, const IntegerLayout& layout, EventRow& row) noexcept {
  const std::uint8_t* p = start;
  for (std::size_t i = 0; i < 2; ++i) static_cast<void>(read_varint_unchecked(p));  // size, type
  std::size_t next = 0;
  for (std::size_t i = 0; i < layout.integer_count; ++i) {
    const std::uint64_t value = read_varint_unchecked(p);
    if (next == layout.taken_count || layout.taken[next].index != i) continue;
    const IntegerLayout::Taken& taken = layout.taken[next];
    row.slots[taken.slot] = extend(value, taken);
    ++next;
  }
  return p - start <= row.size;
}

/// Decodes events in two passes: where they are, then what they hold by `take(rows)`, which returns
/// how many rows it could fill. Nothing is known of an event that it could not: it is the caller's.
template <typename Take>
std::size_t decode_events_by(std::span<const std::byte> bytes, std::uint64_t& position,
                             const EventActions& actions, std::span<EventRow> rows,
                             std::uint64_t* counters, Take take) noexcept {
  const std::size_t found = find_events(bytes, position, actions, rows, counters);
  const std::size_t count = take(rows.first(found));
  if (count < found) {
    uncount_events(bytes, rows[count].offset, position, actions, counters);
    position = rows[count].offset;
  }
  return count;
}

}  // namespace

void EventActions::set(std::uint64_t type, const EventAction& action) {
  if (type >= max_type) return;
  if (type >= actions_.size()) actions_.resize(type + 1);
  actions_[type] = action;
}

void EventActions::set(std::uint64_t type, EventAction action, const IntegerLayout& layout) {
  action.layout = static_cast<std::uint16_t>(layouts_.size());
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
  const auto* const base = reinterpret_cast<const std::uint8_t*>(bytes.data());
  return decode_events_by(bytes, position, actions, rows, counters, [&](std::span<EventRow> found) {
    std::size_t count = 0;
    for (EventRow& row : found) {
      if (!take_integers(base + row.offset, actions.layouts()[row.layout], row)) break;
      ++count;
    }
    return count;
  });
}

#if JFRTREE_HAS_X86_PATHS

namespace {

/// `take_integers` for all rows, by one mask an event of the bytes that end a varint. Returns the
/// number of rows filled.
JFRTREE_FAST_BITS std::size_t take_by_mask(const std::uint8_t* base, const EventActions& actions,
                                           std::span<EventRow> rows) noexcept {
  const IntegerLayout* const layouts = actions.layouts().data();
  for (EventRow& row : rows) {
    const std::uint8_t* const start = base + row.offset;
    const IntegerLayout& layout = layouts[row.layout];
    const VarintMask mask(start);
    for (std::size_t i = 0; i < layout.taken_count; ++i) {
      const IntegerLayout::Taken& taken = layout.taken[i];
      const unsigned before = _tzcnt_u32(_pdep_u32(taken.before, mask.ends()));
      const std::uint64_t value = VarintMask::value_at(start + before + 1);
      row.slots[taken.slot] = taken.unused_bits == 0 ? value : extend(value, taken);
    }
    const unsigned last = VarintMask::end_of(layout.integer_count + 1U, mask.ends());
    const bool is_known = last < VarintMask::window && last < row.size && !mask.may_have_longest();
    if (!is_known && !take_integers(start, layout, row)) {
      return static_cast<std::size_t>(&row - rows.data());
    }
  }
  return rows.size();
}

std::size_t decode_events_fast(std::span<const std::byte> bytes, std::uint64_t& position,
                               const EventActions& actions, std::span<EventRow> rows,
                               std::uint64_t* counters) noexcept {
  const auto* const base = reinterpret_cast<const std::uint8_t*>(bytes.data());
  return decode_events_by(bytes, position, actions, rows, counters, [&](std::span<EventRow> found) {
    return take_by_mask(base, actions, found);
  });
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
