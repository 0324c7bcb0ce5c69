#include "cli/human.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdio>

namespace jfrtree::cli {
namespace {

std::string one_decimal(double number) {
  std::array<char, 64> buffer{};
  const int length = std::snprintf(buffer.data(), buffer.size(), "%.1f", number);
  return {buffer.data(), static_cast<std::size_t>(length)};
}

// Two whole numbers of neighbouring units, rounded down: a clock does not round up either.
std::string two_units(std::uint64_t number, std::uint64_t per_large, std::string_view large,
                      std::string_view small) {
  std::string text = count_text(number / per_large) + " ";
  text += large;
  text += " " + std::to_string(number % per_large) + " ";
  text += small;
  return text;
}

}  // namespace

std::string count_text(std::uint64_t count) {
  std::string digits = std::to_string(count);
  for (std::size_t position = digits.size(); position > 3;) {
    position -= 3;
    digits.insert(position, ",");
  }
  return digits;
}

std::string bytes_text(std::uint64_t bytes) {
  constexpr std::array<std::string_view, 6> units = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  if (bytes < 1024) {
    return std::to_string(bytes) + " B";
  }
  double number = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  // 1023.95 would be shown as 1024.0 of the smaller unit.
  while (number >= 1023.95 && unit + 1 < units.size()) {
    number /= 1024;
    ++unit;
  }
  std::string text = one_decimal(number) + " ";
  text += units[unit];
  return text;
}

std::string duration_text(std::uint64_t nanoseconds) {
  const auto number = static_cast<double>(nanoseconds);
  if (nanoseconds < 1'000) {
    return std::to_string(nanoseconds) + " ns";
  }
  if (nanoseconds < 999'950) {
    return one_decimal(number / 1e3) + " \u00b5s";
  }
  if (nanoseconds < 999'950'000) {
    return one_decimal(number / 1e6) + " ms";
  }
  if (nanoseconds < 59'950'000'000) {
    return one_decimal(number / 1e9) + " s";
  }
  const std::uint64_t seconds = (nanoseconds + 500'000'000) / 1'000'000'000;
  if (seconds < 3'600) {
    return two_units(seconds, 60, "min", "s");
  }
  const std::uint64_t minutes = seconds / 60;
  if (minutes < 2'880) {
    return two_units(minutes, 60, "h", "min");
  }
  return two_units(minutes / 60, 24, "d", "h");
}

std::string number_text(std::uint64_t number, std::string_view unit) {
  if (unit == "bytes") {
    return bytes_text(number);
  }
  if (unit == "nanoseconds") {
    return duration_text(number);
  }
  return count_text(number);
}

std::string percent_text(std::uint64_t part, std::uint64_t total) {
  if (total == 0) {
    return "-";
  }
  return one_decimal(100 * static_cast<double>(part) / static_cast<double>(total)) + "%";
}

std::string time_text(std::int64_t epoch_ns) {
  using std::chrono::floor;
  const std::chrono::sys_time<std::chrono::nanoseconds> time{std::chrono::nanoseconds{epoch_ns}};
  const auto day = floor<std::chrono::days>(time);
  const std::chrono::year_month_day date{day};
  const std::chrono::hh_mm_ss clock{floor<std::chrono::milliseconds>(time - day)};
  std::array<char, 96> buffer{};
  const int length = std::snprintf(
      buffer.data(), buffer.size(), "%04d-%02u-%02u %02d:%02d:%02d.%03d",
      static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
      static_cast<unsigned>(date.day()), static_cast<int>(clock.hours().count()),
      static_cast<int>(clock.minutes().count()), static_cast<int>(clock.seconds().count()),
      static_cast<int>(clock.subseconds().count()));
  return {buffer.data(), static_cast<std::size_t>(length)};
}

std::uint64_t span_ns(std::int64_t start_ns, std::int64_t end_ns) noexcept {
  if (end_ns <= start_ns) {
    return 0;
  }
  return static_cast<std::uint64_t>(end_ns) - static_cast<std::uint64_t>(start_ns);
}

}  // namespace jfrtree::cli
