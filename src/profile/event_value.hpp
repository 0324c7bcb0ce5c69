#pragma once

#include <cstdint>
#include <optional>

#include "profile/event_plan.hpp"
#include "profile/lane_sums.hpp"

namespace jfrtree::internal {

/// How the integer of a slot is meant.
struct IntegerForm {
  std::uint8_t bytes = 8;
  bool is_unsigned = false;  ///< all bits are the number, and none stands for "not available"
};

/// A number of an event, or nothing for sentinels (`Long.MIN_VALUE`, `Long.MAX_VALUE`, and of an
/// int `Integer.MIN_VALUE`: not available). Negative numbers set `is_negative` and are 0.
[[nodiscard]] std::optional<std::uint64_t> convert_number(std::uint64_t slot, Conversion conversion,
                                                          IntegerForm form, const ChunkInfo& info,
                                                          bool& is_negative) noexcept;

/// A floating point number rounded to the nearest integer, halves to even; NaN and numbers out of
/// range give nothing.
[[nodiscard]] std::optional<std::uint64_t> round_number(double number, bool& is_negative) noexcept;

/// What one event adds: its count and its value by the rule of its plan. Negative numbers count as
/// 0 and are counted in `negatives`.
struct SampleValue {
  SampleSums sums;
  bool is_known = false;  ///< the value is there, or waits for the sampling period
};
[[nodiscard]] SampleValue read_sample_value(const EventPlan& plan, const Slots& slots,
                                            const ChunkInfo& info,
                                            std::uint64_t& negatives) noexcept;

}  // namespace jfrtree::internal
