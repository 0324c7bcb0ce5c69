#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "format/layout.hpp"

namespace jfrtree::internal {

/// Most values that are taken from one event.
inline constexpr std::size_t max_taken = 7;

/// How an event type is read whose wanted fields all lie among its first compressed integers.
struct IntegerLayout {
  /// Integers behind the type id, up to the last that is taken.
  static constexpr std::size_t max_integers = 12;

  struct Taken {
    std::uint32_t before = 0;  ///< a bit at the number of the varint in front; 1 is the type
    std::uint8_t index = 0;    ///< among the integers, ascending
    std::uint8_t slot = 0;
    std::uint8_t unused_bits = 0;  ///< above the field's own width; 0 for 64 bit fields
    bool is_signed = false;
  };
  std::uint8_t integer_count = 0;
  std::uint8_t taken_count = 0;
  std::array<Taken, max_taken> taken{};
};

/// The layout that does what a program of `Layouts::compile` does, if there is one: the program
/// skips and takes compressed integers only, and few enough.
[[nodiscard]] bool to_integer_layout(const DecodeProgram& program, bool has_compressed_integers,
                                     IntegerLayout& layout);

/// One decoded event. Slots that its layout does not set hold anything.
struct EventRow {
  static constexpr std::uint16_t long_size = 0xFFFF;

  std::uint64_t offset;  ///< of the record, from the chunk's start
  std::uint32_t plan;
  std::uint16_t layout;  ///< into the layouts
  std::uint16_t size;    ///< of the record; `long_size` where it is larger
  std::array<std::uint64_t, max_taken> slots;
};

/// What to do with the events of a type.
struct EventAction {
  enum class Kind : std::uint8_t {
    stop,   ///< hand the record to the caller: undeclared, or not decodable here
    count,  ///< count it and go on
    take,   ///< decode it by `layout` into a row, and count it
  };
  Kind kind = Kind::stop;
  std::uint32_t counter = 0;  ///< into the counters
  std::uint32_t plan = 0;     ///< the caller's, for the row
  std::uint16_t layout = 0;   ///< into the layouts
};

/// Type id → action, for small ids; larger ids stop.
class EventActions {
 public:
  static constexpr EventAction stop{};
  static constexpr std::uint64_t max_type = 1 << 14;

  void set(std::uint64_t type, const EventAction& action);
  void set(std::uint64_t type, EventAction action, const IntegerLayout& layout);

  [[nodiscard]] const EventAction& of(std::uint64_t type) const noexcept {
    return type < actions_.size() ? actions_[type] : stop;
  }
  [[nodiscard]] std::span<const EventAction> by_type() const noexcept { return actions_; }
  [[nodiscard]] std::span<const IntegerLayout> layouts() const noexcept { return layouts_; }

 private:
  std::vector<EventAction> actions_;  // by type id
  std::vector<IntegerLayout> layouts_;
};

/// Bytes behind an event's start that must be readable: size, type and all integers of a layout.
inline constexpr std::size_t event_batch_margin =
    max_varint_bytes * (IntegerLayout::max_integers + 2);

/// Decodes events from `position` on until `rows` is full, an event is to be handed to the caller,
/// or fewer than `event_batch_margin` bytes are left. Moves `position` behind the last event done;
/// `counters` gets one more per event of a counted or taken type. Returns the number of rows.
std::size_t decode_events(std::span<const std::byte> bytes, std::uint64_t& position,
                          const EventActions& actions, std::span<EventRow> rows,
                          std::uint64_t* counters) noexcept;

/// The same without special instructions: the reference for the other.
std::size_t decode_events_plain(std::span<const std::byte> bytes, std::uint64_t& position,
                                const EventActions& actions, std::span<EventRow> rows,
                                std::uint64_t* counters) noexcept;

}  // namespace jfrtree::internal
