#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace jfrtree::cli {

/// A point in time as an option gives it.
struct TimeArgument {
  enum class Base : std::uint8_t { epoch, start, end };
  Base base = Base::epoch;
  std::int64_t offset_ns = 0;

  /// Ns since the epoch. Relative times need the start and end of the recordings; without them, and
  /// beyond 64 bits, they are the nearest there is.
  [[nodiscard]] std::int64_t resolve(std::optional<std::int64_t> start_ns,
                                     std::optional<std::int64_t> end_ns) const noexcept;
};

/// Reads `2026-11-30T15:04:35.5Z` (a zone is needed: `Z` or `+01:00`), seconds, milliseconds,
/// microseconds or nanoseconds since the epoch by their number of digits, `+30s` after the start of
/// the recordings, or `-2m` before their end (ns, us, ms, s, m, h, d). Throws a UsageError that
/// names the option.
[[nodiscard]] TimeArgument parse_time(std::string_view option, const std::string& text);

}  // namespace jfrtree::cli
