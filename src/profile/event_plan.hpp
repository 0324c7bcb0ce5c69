#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <jfrtree/profile.hpp>

#include "format/chunk_contents.hpp"
#include "profile/kinds.hpp"

namespace jfrtree::internal {

/// Slots that a plan's decode program fills.
enum Slot : std::uint16_t {
  slot_stack,
  slot_class,
  slot_thread,
  slot_state,
  slot_value,
  slot_other,
  slot_count,
  slot_total,
};
using Slots = std::array<std::uint64_t, slot_total>;

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
  Slots defaults{};
  bool has_state = false;
  Conversion value = Conversion::absent;
  Conversion other = Conversion::absent;
  Conversion count = Conversion::absent;
  std::uint8_t value_bytes = 8;  ///< width of the value field, for sentinels
};

/// What is wanted of an event type.
struct PlanRequest {
  bool with_class = false;
  bool with_thread = false;
};

/// Whether events of a type have a stack trace that is a reference to a constant.
[[nodiscard]] bool has_stack_trace(const Type& type) noexcept;

/// The plan for a type by a rule, or nothing when the type has no stack trace or cannot be decoded.
[[nodiscard]] std::optional<EventPlan> make_plan(const ChunkContents& contents, const Type& type,
                                                 const EventRule& rule, const PlanRequest& request);

/// The rule of `--event`: the type's `value_field` (default: `duration` if it has one) is the
/// value, its first class field the leaf. Throws UsageError when the type lacks the field named.
/// The rule refers to texts of both, which must outlive it.
[[nodiscard]] EventRule event_request_rule(const Type& type, const ProfileRequest& request);

/// Unit of the number that a conversion of a field gives.
[[nodiscard]] std::string unit_of(const Field& field);

/// A number of an event, or nothing for sentinels (`Long.MIN_VALUE`, `MAX_VALUE`: not available).
/// Negative numbers set `is_negative` and are 0.
[[nodiscard]] std::optional<std::uint64_t> convert_number(std::uint64_t slot, Conversion conversion,
                                                          std::uint8_t bytes, const ChunkInfo& info,
                                                          bool& is_negative) noexcept;

/// A floating point number rounded to the nearest integer, halves to even; NaN and numbers out of
/// range give nothing.
[[nodiscard]] std::optional<std::uint64_t> round_number(double number, bool& is_negative) noexcept;

}  // namespace jfrtree::internal
