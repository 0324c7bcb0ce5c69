#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <jfrtree/profile.hpp>

#include "format/chunk_contents.hpp"
#include "format/event_batch.hpp"
#include "profile/kinds.hpp"

namespace jfrtree::internal {

/// Slots that a plan's decode program fills; those of fields that a type lacks hold anything.
enum Slot : std::uint16_t {
  slot_stack,
  slot_class,
  slot_thread,
  slot_state,
  slot_value,
  slot_other,
  slot_count,
  slot_total,
  // Of allocations of native memory, which have neither another value nor a count.
  slot_address = slot_other,
  slot_start = slot_count,
};
using Slots = std::array<std::uint64_t, max_taken>;
static_assert(slot_total == max_taken);

/// How a number of the file becomes a number of a profile.
enum class Conversion : std::uint8_t {
  absent,  ///< the type has no such field
  none,
  ticks,         ///< to ns by the chunk's clock, rounded down
  seconds,       ///< to ns
  milliseconds,  ///< to ns
  microseconds,  ///< to ns
  bits,          ///< to bytes
  floating,      ///< the slot holds the bits of a double
};

/// How events of one type of one chunk are read: which fields, and what their numbers mean.
struct EventPlan {
  EventRule rule;
  std::string event;  ///< name as later versions write it
  DecodeProgram program;
  DecodeProgram short_program;  ///< without what is needed for a missing or zero value only
  std::uint32_t filled = 0;     ///< a bit per slot that the program sets
  Conversion value = Conversion::absent;
  Conversion other = Conversion::absent;
  Conversion count = Conversion::absent;
  std::uint8_t value_bytes = 8;     ///< width of the value field, for sentinels
  bool has_unsigned_value = false;  ///< the value field is a long without a sign
  /// With times: where an event's start is, a slot that nothing else of the plan uses, and the
  /// field's declaration; null where the type has none.
  Slot time_slot = slot_state;
  const Field* time_field = nullptr;

  [[nodiscard]] bool fills(Slot slot) const noexcept { return (filled >> slot & 1U) != 0; }
  /// What an event has in a slot; 0 for fields that its type lacks.
  [[nodiscard]] std::uint64_t get(const Slots& slots, Slot slot) const noexcept {
    return fills(slot) ? slots[slot] : 0;
  }
};

/// What is wanted of an event type.
struct PlanRequest {
  bool with_leaf = false;
  bool with_thread = false;
  bool with_address = false;  ///< and the time, to find what frees the memory
  bool with_time = false;     ///< when the event began
};

/// Whether events of a type have a stack trace that is a reference to a constant.
[[nodiscard]] bool has_stack_trace(const Type& type) noexcept;

/// The plan for a type by a rule, or nothing when the type has no stack trace or cannot be decoded.
[[nodiscard]] std::optional<EventPlan> make_plan(const ChunkContents& contents, const Type& type,
                                                 const EventRule& rule, const PlanRequest& request);

/// The rule of `--event`: the type's `value_field` (default: `duration` if it has one) is the
/// value, its leaf that of its kind, else its first class field. Throws UsageError when the type
/// lacks the field named. The rule refers to texts of both, which must outlive it.
[[nodiscard]] EventRule event_request_rule(const Type& type, const ProfileRequest& request);

/// Throws UsageError when `value_field` of a request is no numeric field of a type; the message
/// lists those there are. A point in time is no number: its sum says nothing.
void check_value_field(const Metadata& metadata, const Type& type, const ProfileRequest& request);

/// Unit of the number that a conversion of a field gives.
[[nodiscard]] std::string unit_of(const Field& field);

}  // namespace jfrtree::internal
