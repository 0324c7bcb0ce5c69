#include "cli/time_argument.hpp"

#include <array>
#include <charconv>
#include <chrono>
#include <limits>
#include <utility>

#include <jfrtree/error.hpp>

namespace jfrtree::cli {
namespace {

using Limit = std::numeric_limits<std::int64_t>;
constexpr std::int64_t second_ns = 1'000'000'000;

// Takes `digits` digits (0: all there are) from the front of a text.
std::optional<std::int64_t> take_number(std::string_view& text, std::size_t digits) {
  std::int64_t number = 0;
  const std::size_t length = std::min(text.find_first_not_of("0123456789"), text.size());
  if (length == 0 || (digits != 0 && length != digits)) {
    return std::nullopt;
  }
  const auto [end, error] = std::from_chars(text.data(), text.data() + length, number);
  if (error != std::errc{}) {
    return std::nullopt;
  }
  text.remove_prefix(length);
  return number;
}

bool take(std::string_view& text, char character) {
  const bool is_there = text.starts_with(character);
  text.remove_prefix(is_there ? 1 : 0);
  return is_there;
}

// Up to nine digits of a second, as nanoseconds.
std::optional<std::int64_t> take_fraction(std::string_view& text) {
  const std::size_t length = std::min(text.find_first_not_of("0123456789"), text.size());
  auto number = take_number(text, 0);
  if (!number || length > 9) {
    return std::nullopt;
  }
  for (std::size_t i = length; i < 9; ++i) {
    *number *= 10;
  }
  return number;
}

// Two numbers of two digits with a colon between them, as seconds; the colon may be missing.
std::optional<std::int64_t> take_zone(std::string_view& text) {
  if (take(text, 'Z') || take(text, 'z')) {
    return 0;
  }
  const bool is_west = text.starts_with('-');
  if (!take(text, '+') && !take(text, '-')) {
    return std::nullopt;
  }
  std::string_view hour_text = text.substr(0, 2);
  const auto hours = take_number(hour_text, 2);
  text.remove_prefix(hours ? 2 : 0);
  take(text, ':');
  const auto minutes = take_number(text, 2);
  if (!hours || !minutes || *hours > 23 || *minutes > 59) {
    return std::nullopt;
  }
  const std::int64_t seconds = *hours * 3600 + *minutes * 60;
  return is_west ? -seconds : seconds;
}

// Seconds since the epoch of a date, as far as it exists.
std::optional<std::int64_t> take_date(std::string_view& text) {
  const auto year = take_number(text, 4);
  const bool has_month = year && take(text, '-');
  const auto month = has_month ? take_number(text, 2) : std::nullopt;
  const bool has_day = month && take(text, '-');
  const auto day = has_day ? take_number(text, 2) : std::nullopt;
  if (!day) {
    return std::nullopt;
  }
  const std::chrono::year_month_day date(std::chrono::year(static_cast<int>(*year)),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day)));
  if (!date.ok()) {
    return std::nullopt;
  }
  return std::chrono::sys_days(date).time_since_epoch().count() * std::int64_t{86'400};
}

// The time of day in ns; seconds and their fraction may be missing.
std::optional<std::int64_t> take_time(std::string_view& text) {
  const auto hours = take_number(text, 2);
  const bool has_minutes = hours && take(text, ':');
  const auto minutes = has_minutes ? take_number(text, 2) : std::nullopt;
  if (!minutes) {
    return std::nullopt;
  }
  std::optional<std::int64_t> seconds = 0;
  std::optional<std::int64_t> fraction = 0;
  if (take(text, ':')) {
    seconds = take_number(text, 2);
    if (take(text, '.')) {
      fraction = take_fraction(text);
    }
  }
  if (!seconds || !fraction || *hours > 23 || *minutes > 59 || *seconds > 59) {
    return std::nullopt;
  }
  return (*hours * 3600 + *minutes * 60 + *seconds) * second_ns + *fraction;
}

std::optional<std::int64_t> parse_iso(std::string_view text) {
  const auto date = take_date(text);
  const bool has_time = date && (take(text, 'T') || take(text, 't') || take(text, ' '));
  const auto time = has_time ? take_time(text) : std::nullopt;
  const auto zone = time ? take_zone(text) : std::nullopt;
  std::int64_t result = 0;
  if (!zone || !text.empty() || __builtin_mul_overflow(*date - *zone, second_ns, &result) ||
      __builtin_add_overflow(result, *time, &result)) {
    return std::nullopt;
  }
  return result;
}

// A number since the epoch: 10 digits are seconds in our time, 13 milliseconds, and so on.
std::optional<std::int64_t> parse_epoch(std::string_view text) {
  const std::size_t digits = text.size();
  const auto number = take_number(text, 0);
  if (!number || !text.empty()) {
    return std::nullopt;
  }
  const std::int64_t unit = digits <= 11   ? second_ns
                            : digits <= 14 ? 1'000'000
                            : digits <= 17 ? 1'000
                                           : 1;
  std::int64_t result = 0;
  return __builtin_mul_overflow(*number, unit, &result) ? std::nullopt : std::optional(result);
}

// `30s`, `1.5h`: a number with at most nine decimals and a unit.
std::optional<std::int64_t> parse_length(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, std::int64_t>, 7> units = {{
      {"ns", 1},
      {"us", 1'000},
      {"ms", 1'000'000},
      {"s", second_ns},
      {"m", 60 * second_ns},
      {"h", 3600 * second_ns},
      {"d", 86'400 * second_ns},
  }};
  const auto whole = take_number(text, 0);
  const auto fraction = whole && take(text, '.') ? take_fraction(text) : std::optional(0L);
  if (!whole || !fraction) {
    return std::nullopt;
  }
  for (const auto& [name, unit] : units) {
    std::int64_t result = 0;
    if (text != name) {
      continue;
    }
    const auto part =
        static_cast<std::int64_t>(static_cast<double>(*fraction) / 1e9 * static_cast<double>(unit));
    const bool is_too_long = __builtin_mul_overflow(*whole, unit, &result) ||
                             __builtin_add_overflow(result, part, &result);
    return is_too_long ? std::nullopt : std::optional(result);
  }
  return std::nullopt;
}

}  // namespace

std::int64_t TimeArgument::resolve(std::optional<std::int64_t> start_ns,
                                   std::optional<std::int64_t> end_ns) const noexcept {
  const std::int64_t from = base == Base::start ? start_ns.value_or(0)
                            : base == Base::end ? end_ns.value_or(0)
                                                : 0;
  std::int64_t time = 0;
  if (__builtin_add_overflow(from, offset_ns, &time)) {
    return offset_ns < 0 ? Limit::min() : Limit::max();
  }
  return time;
}

TimeArgument parse_time(std::string_view option, const std::string& text) {
  TimeArgument argument;
  std::optional<std::int64_t> offset;
  const std::string_view rest = std::string_view(text).substr(text.empty() ? 0 : 1);
  if (text.starts_with('+') || text.starts_with('-')) {
    argument.base = text.front() == '+' ? TimeArgument::Base::start : TimeArgument::Base::end;
    offset = parse_length(rest);
    if (offset && text.front() == '-') {
      offset = -*offset;
    }
  } else {
    offset = parse_epoch(text);
    if (!offset) {
      offset = parse_iso(text);
    }
  }
  if (!offset) {
    throw UsageError(std::string(option) + ": '" + text +
                     "' is no time; times read 2026-11-30T15:04:35Z, 1796035475 (seconds, or more "
                     "digits) since the epoch, +30s after the start or -2m before the end");
  }
  argument.offset_ns = *offset;
  return argument;
}

}  // namespace jfrtree::cli
