#include "profile/event_value.hpp"

#include <bit>
#include <cmath>
#include <limits>

namespace jfrtree::internal {

namespace {

/// Whether a number is one of those by which the JDK says that there is none.
[[nodiscard]] bool is_not_available(std::int64_t number, std::uint8_t bytes) noexcept {
  using Long = std::numeric_limits<std::int64_t>;
  using Int = std::numeric_limits<std::int32_t>;
  return number == Long::min() || number == Long::max() || (bytes == 4 && number == Int::min());
}

/// The numbers of one event.
class Numbers {
 public:
  Numbers(const EventPlan& plan, const Slots& slots, const ChunkInfo& info,
          std::uint64_t& negatives) noexcept
      : plan_(plan), slots_(slots), info_(info), negatives_(negatives) {}

  [[nodiscard]] std::uint64_t count() const noexcept {
    return plan_.count == Conversion::absent ? 1 : number(slot_count, plan_.count).value_or(1);
  }

  /// Bytes that an operation moved; 0 where the event has no such field.
  [[nodiscard]] std::uint64_t third() const noexcept {
    return plan_.other == Conversion::absent ? 0 : number(slot_other, plan_.other).value_or(0);
  }

  /// The value field, and what stands for it where it is missing or 0.
  [[nodiscard]] std::optional<std::uint64_t> value() const noexcept {
    if (plan_.rule.value == ValueRule::field_times_other) return weighted();
    std::optional<std::uint64_t> value;
    if (plan_.value != Conversion::absent) {
      value = number(slot_value, plan_.value);
    } else if (plan_.rule.value_field == "duration") {
      // A duration that the type lacks is no time; a size that it lacks is unknown.
      value = 0;
    }
    const bool has_other =
        plan_.rule.value == ValueRule::field_or_other && plan_.other != Conversion::absent;
    return has_other && value.value_or(0) == 0 ? number(slot_other, plan_.other) : value;
  }

 private:
  [[nodiscard]] std::optional<std::uint64_t> number(Slot slot,
                                                    Conversion conversion) const noexcept {
    bool is_negative = false;
    const IntegerForm form = slot == slot_value
                                 ? IntegerForm{plan_.value_bytes, plan_.has_unsigned_value}
                                 : IntegerForm{};
    const auto result = convert_number(slots_[slot], conversion, form, info_, is_negative);
    if (is_negative) ++negatives_;
    return result;
  }

  [[nodiscard]] std::optional<std::uint64_t> weighted() const noexcept {
    if (plan_.value == Conversion::absent) return std::nullopt;
    const auto size = number(slot_value, plan_.value);
    if (!size) return std::nullopt;
    const double weight =
        plan_.other == Conversion::floating ? std::bit_cast<double>(slots_[slot_other]) : 1.0;
    bool is_negative = false;
    const auto value = round_number(static_cast<double>(*size) * weight, is_negative);
    if (is_negative) ++negatives_;
    return value;
  }

  const EventPlan& plan_;
  const Slots& slots_;
  const ChunkInfo& info_;
  std::uint64_t& negatives_;
};

}  // namespace

SampleValue read_sample_value(const EventPlan& plan, const Slots& slots, const ChunkInfo& info,
                              std::uint64_t& negatives) noexcept {
  const Numbers numbers(plan, slots, info, negatives);
  SampleValue sample;
  sample.sums.count = numbers.count();
  if (plan.rule.value == ValueRule::none) return sample;
  std::optional<std::uint64_t> value;
  if (plan.rule.value == ValueRule::count) {
    value = sample.sums.count;
  } else if (plan.rule.value != ValueRule::period) {
    value = numbers.value();
  }
  if (plan.rule.value == ValueRule::field_and_other) sample.sums.extra = numbers.third();
  const bool is_period = plan.rule.value == ValueRule::period ||
                         (plan.rule.value == ValueRule::field_or_period && value.value_or(0) == 0);
  if (is_period) {
    sample.sums.extra = sample.sums.count;
  } else if (value) {
    sample.sums.value = *value;
    sample.sums.has_value = true;
  }
  sample.is_known = is_period || value;
  return sample;
}

std::optional<std::uint64_t> round_number(double number, bool& is_negative) noexcept {
  constexpr double too_large = 18446744073709551616.0;
  if (std::isnan(number) || number >= too_large || std::isinf(number)) return std::nullopt;
  if (number < 0) {
    is_negative = true;
    return 0;
  }
  return static_cast<std::uint64_t>(std::nearbyint(number));
}

std::optional<std::uint64_t> convert_number(std::uint64_t slot, Conversion conversion,
                                            IntegerForm form, const ChunkInfo& info,
                                            bool& is_negative) noexcept {
  if (conversion == Conversion::floating) {
    return round_number(std::bit_cast<double>(slot), is_negative);
  }
  // Ticks are a difference of two clock readings, signed however they are declared.
  const bool is_signed = !form.is_unsigned || conversion == Conversion::ticks;
  const auto number = static_cast<std::int64_t>(slot);
  if (is_signed && is_not_available(number, form.bytes)) return std::nullopt;
  if (is_signed && number < 0) {
    is_negative = true;
    return 0;
  }
  const auto scaled = [slot](std::uint64_t factor) {
    std::uint64_t result = 0;
    const bool is_full = __builtin_mul_overflow(slot, factor, &result);
    return is_full ? ~std::uint64_t{0} : result;
  };
  switch (conversion) {
    case Conversion::ticks:
      return info.to_duration_ns(number);
    case Conversion::seconds:
      return scaled(1'000'000'000);
    case Conversion::milliseconds:
      return scaled(1'000'000);
    case Conversion::microseconds:
      return scaled(1'000);
    case Conversion::bits:
      return slot / 8;
    default:
      return slot;
  }
}

}  // namespace jfrtree::internal
