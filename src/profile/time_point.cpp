#include <array>
#include <charconv>
#include <limits>
#include <string>

#include <jfrtree/error.hpp>
#include <jfrtree/filter.hpp>

#include "profile/calendar.hpp"

namespace jfrtree {

namespace {

__extension__ typedef __int128 Wide;

struct Unit {
  std::string_view name;
  std::int64_t ns;
};
constexpr std::int64_t second = 1'000'000'000;
constexpr std::array<Unit, 8> units = {{
    {"ns", 1},
    {"us", 1'000},
    {"ms", 1'000'000},
    {"s", second},
    {"m", 60 * second},
    {"min", 60 * second},
    {"h", 3'600 * second},
    {"d", 86'400 * second},
}};

[[nodiscard]] bool is_digit(char letter) noexcept { return letter >= '0' && letter <= '9'; }

[[nodiscard]] const Unit* find_unit(std::string_view name) noexcept {
  for (const Unit& unit : units) {
    if (unit.name == name) return &unit;
  }
  return nullptr;
}

/// A decimal number without a sign: the digits before and behind the point.
struct Decimal {
  std::string_view whole;
  std::string_view fraction;

  /// Times a unit, rounded down; nothing beyond 64 bits.
  [[nodiscard]] std::optional<std::int64_t> in(std::int64_t unit) const noexcept {
    Wide sum = 0;
    for (const char digit : whole) {
      sum = sum * 10 + (digit - '0') * Wide{unit};
      if (sum > std::numeric_limits<std::int64_t>::max()) return std::nullopt;
    }
    Wide numerator = 0;
    Wide denominator = 1;
    for (const char digit : fraction.substr(0, 18)) {
      numerator = numerator * 10 + (digit - '0');
      denominator *= 10;
    }
    sum += numerator * unit / denominator;
    if (sum > std::numeric_limits<std::int64_t>::max()) return std::nullopt;
    return static_cast<std::int64_t>(sum);
  }
};

/// Takes a decimal number from the start of a text.
[[nodiscard]] std::optional<Decimal> take_decimal(std::string_view& text) noexcept {
  const auto digits = [&text] {
    std::size_t count = 0;
    while (count < text.size() && is_digit(text[count])) ++count;
    const std::string_view taken = text.substr(0, count);
    text.remove_prefix(count);
    return taken;
  };
  Decimal decimal;
  decimal.whole = digits();
  if (decimal.whole.empty()) return std::nullopt;
  if (text.size() > 1 && text[0] == '.' && is_digit(text[1])) {
    text.remove_prefix(1);
    decimal.fraction = digits();
  }
  return decimal;
}

[[nodiscard]] std::optional<std::int64_t> time_length(std::string_view text) noexcept {
  const auto number = take_decimal(text);
  const Unit* unit = find_unit(text);
  if (!number || unit == nullptr) return std::nullopt;
  return number->in(unit->ns);
}

/// The unit of a time since the epoch that has none: what makes it a year of this age.
[[nodiscard]] std::int64_t epoch_unit(std::string_view digits) noexcept {
  while (digits.starts_with('0')) digits.remove_prefix(1);
  if (digits.size() <= 11) return second;
  if (digits.size() <= 14) return 1'000'000;
  return digits.size() <= 17 ? 1'000 : 1;
}

[[nodiscard]] std::optional<std::int64_t> epoch_time(std::string_view text) noexcept {
  const auto number = take_decimal(text);
  if (!number) return std::nullopt;
  if (text.empty()) return number->in(epoch_unit(number->whole));
  const Unit* unit = find_unit(text);
  return unit == nullptr ? std::nullopt : number->in(unit->ns);
}

[[noreturn]] void throw_no_time(std::string_view text, const std::string& what) {
  throw UsageError("'" + std::string(text) + "' " + what);
}

constexpr const char* time_forms =
    "is no time: give a date and time with a zone as in 2024-01-31T18:00:00Z, a number since the "
    "epoch, or +30s behind the start or -2m before the end of the recording";

}  // namespace

TimePoint parse_time_point(std::string_view text) {
  if (text.starts_with('+') || text.starts_with('-')) {
    const auto length = time_length(text.substr(1));
    if (!length) {
      throw_no_time(text,
                    "is no time: behind + or - stands a number and a unit, as in +30s or -2m");
    }
    if (text[0] == '+') return {TimePoint::Base::recording_start, *length};
    return {TimePoint::Base::recording_end, -*length};
  }
  if (const auto time = epoch_time(text)) return {TimePoint::Base::epoch, *time};
  const internal::IsoTime time = internal::parse_iso_time(text);
  switch (time.error) {
    case internal::IsoTime::Error::none:
      return {TimePoint::Base::epoch, time.ns};
    case internal::IsoTime::Error::no_zone:
      throw_no_time(text, "has no zone: add Z for UTC, or an offset as in +01:00");
    case internal::IsoTime::Error::out_of_range:
      throw_no_time(text, "is no time that there is, or none between the years 1678 and 2261");
    case internal::IsoTime::Error::malformed:
      break;
  }
  throw_no_time(text, time_forms);
}

std::uint64_t parse_time_length(std::string_view text) {
  const auto length = time_length(text);
  if (!length) {
    throw_no_time(text,
                  "is no length of time: give a number and a unit (ns, us, ms, s, m, h, d), "
                  "as in 10ms");
  }
  return static_cast<std::uint64_t>(*length);
}

}  // namespace jfrtree
