#include "profile/calendar.hpp"

#include <array>
#include <limits>
#include <optional>

namespace jfrtree::internal {

namespace {

using Error = IsoTime::Error;
__extension__ typedef __int128 Wide;

constexpr std::int64_t ns_per_second = 1'000'000'000;

/// Reads a text from left to right.
class Scanner {
 public:
  explicit Scanner(std::string_view text) noexcept : text_(text) {}

  [[nodiscard]] bool at_end() const noexcept { return text_.empty(); }
  /// Takes one of some letters.
  bool take(std::string_view letters) noexcept {
    if (text_.empty() || letters.find(text_.front()) == std::string_view::npos) return false;
    text_.remove_prefix(1);
    return true;
  }
  [[nodiscard]] bool is_next(std::string_view letters) const noexcept {
    return !text_.empty() && letters.find(text_.front()) != std::string_view::npos;
  }
  /// A number of exactly so many digits.
  [[nodiscard]] std::optional<std::int64_t> number(std::size_t digits) noexcept {
    if (text_.size() < digits) return std::nullopt;
    std::int64_t value = 0;
    for (std::size_t i = 0; i < digits; ++i) {
      if (text_[i] < '0' || text_[i] > '9') return std::nullopt;
      value = value * 10 + (text_[i] - '0');
    }
    text_.remove_prefix(digits);
    return value;
  }
  /// A fraction of a second in ns, one digit at least; further ones than nine are cut.
  [[nodiscard]] std::optional<std::int64_t> fraction() noexcept {
    std::int64_t ns = 0;
    std::int64_t unit = ns_per_second;
    if (!is_next("0123456789")) return std::nullopt;
    for (; is_next("0123456789"); text_.remove_prefix(1)) {
      unit /= 10;
      ns += unit * (text_.front() - '0');
    }
    return ns;
  }

 private:
  std::string_view text_;
};

struct Fields {
  std::int64_t year = 0;
  std::int64_t month = 0;
  std::int64_t day = 0;
  std::int64_t hour = 0;
  std::int64_t minute = 0;
  std::int64_t second = 0;
  std::int64_t fraction_ns = 0;
  std::int64_t offset_minutes = 0;
};

[[nodiscard]] bool take_number(Scanner& scanner, std::size_t digits, std::int64_t& number) {
  const auto taken = scanner.number(digits);
  if (taken) number = *taken;
  return taken.has_value();
}

[[nodiscard]] bool take_date_and_time(Scanner& scanner, Fields& fields) {
  const bool is_begun = take_number(scanner, 4, fields.year) && scanner.take("-") &&
                        take_number(scanner, 2, fields.month) && scanner.take("-") &&
                        take_number(scanner, 2, fields.day) && scanner.take("Tt ") &&
                        take_number(scanner, 2, fields.hour) && scanner.take(":") &&
                        take_number(scanner, 2, fields.minute);
  if (!is_begun) return false;
  if (!scanner.take(":")) return true;
  if (!take_number(scanner, 2, fields.second)) return false;
  if (!scanner.take(".,")) return true;
  const auto fraction = scanner.fraction();
  fields.fraction_ns = fraction.value_or(0);
  return fraction.has_value();
}

[[nodiscard]] bool take_zone(Scanner& scanner, Fields& fields) {
  if (scanner.take("Zz")) return true;
  const bool is_west = scanner.is_next("-");
  std::int64_t hours = 0;
  std::int64_t minutes = 0;
  if (!scanner.take("+-") || !take_number(scanner, 2, hours)) return false;
  const bool has_minutes = scanner.take(":") || !scanner.at_end();
  if (has_minutes && !take_number(scanner, 2, minutes)) return false;
  fields.offset_minutes = (hours * 60 + minutes) * (is_west ? -1 : 1);
  return hours < 24 && minutes < 60;
}

[[nodiscard]] bool is_leap(std::int64_t year) noexcept {
  return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

[[nodiscard]] std::int64_t days_of_month(std::int64_t year, std::int64_t month) noexcept {
  constexpr std::array<std::int64_t, 12> days = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return days[static_cast<std::size_t>(month - 1)] + (month == 2 && is_leap(year) ? 1 : 0);
}

/// A leap second is taken as the first one of the next minute.
[[nodiscard]] bool is_valid(const Fields& fields) noexcept {
  return fields.month >= 1 && fields.month <= 12 && fields.day >= 1 &&
         fields.day <= days_of_month(fields.year, fields.month) && fields.hour < 24 &&
         fields.minute < 60 && fields.second <= 60;
}

[[nodiscard]] std::int64_t days_since_epoch(const Fields& fields) noexcept {
  const auto days_before_year = [](std::int64_t year) {
    const std::int64_t past = year - 1;
    return past * 365 + past / 4 - past / 100 + past / 400;
  };
  std::int64_t days = days_before_year(fields.year) - days_before_year(1970) + fields.day - 1;
  for (std::int64_t month = 1; month < fields.month; ++month) {
    days += days_of_month(fields.year, month);
  }
  return days;
}

}  // namespace

IsoTime parse_iso_time(std::string_view text) noexcept {
  Scanner scanner(text);
  Fields fields;
  if (!take_date_and_time(scanner, fields)) return {Error::malformed};
  if (scanner.at_end()) return {Error::no_zone};
  if (!take_zone(scanner, fields) || !scanner.at_end()) return {Error::malformed};
  if (fields.year < 1 || !is_valid(fields)) return {Error::out_of_range};
  const std::int64_t minutes =
      (days_since_epoch(fields) * 24 + fields.hour) * 60 + fields.minute - fields.offset_minutes;
  const Wide ns = (Wide{minutes} * 60 + fields.second) * ns_per_second + fields.fraction_ns;
  using Range = std::numeric_limits<std::int64_t>;
  if (ns < Range::min() || ns > Range::max()) return {Error::out_of_range};
  return {Error::none, static_cast<std::int64_t>(ns)};
}

}  // namespace jfrtree::internal
