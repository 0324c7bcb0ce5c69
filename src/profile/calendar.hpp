#pragma once

#include <cstdint>
#include <string_view>

namespace jfrtree::internal {

/// A date and time of ISO 8601 as a point in time, or why it is none.
struct IsoTime {
  enum class Error : std::uint8_t {
    none,
    malformed,
    no_zone,
    out_of_range,  ///< a field is, or 64 bits of ns since the epoch do not reach so far
  };
  Error error = Error::none;
  std::int64_t ns = 0;  ///< since 1970-01-01T00:00:00Z
};

/// `2024-01-16T18:08:55.123Z`: a space or `t` may stand for `T`; seconds and their fraction (cut at
/// ns) may be left out. The zone is `Z`, `+01:00`, `+0100` or `+01`.
[[nodiscard]] IsoTime parse_iso_time(std::string_view text) noexcept;

}  // namespace jfrtree::internal
