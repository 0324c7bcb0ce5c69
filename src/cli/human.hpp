#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace jfrtree::cli {

/// `1,234,567`.
[[nodiscard]] std::string count_text(std::uint64_t count);

/// `512 B`, `1.4 GiB`: powers of 1024, one digit behind the point.
[[nodiscard]] std::string bytes_text(std::uint64_t bytes);

/// `250 ns`, `1.5 µs`, `12.3 ms`, `4.2 s`, `12 min 5 s`, `3 h 7 min`, `2 d 4 h`.
[[nodiscard]] std::string duration_text(std::uint64_t nanoseconds);

/// A number of a sample type in the form that fits its unit.
[[nodiscard]] std::string number_text(std::uint64_t number, std::string_view unit);

/// Share of a total, `12.3%`; `-` when the total is 0.
[[nodiscard]] std::string percent_text(std::uint64_t part, std::uint64_t total);

/// `2024-01-16 18:08:55.123`, UTC.
[[nodiscard]] std::string time_text(std::int64_t epoch_ns);

/// Nanoseconds from `start_ns` to `end_ns`; 0 when the end is before the start.
[[nodiscard]] std::uint64_t span_ns(std::int64_t start_ns, std::int64_t end_ns) noexcept;

}  // namespace jfrtree::cli
