#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <jfrtree/filter.hpp>
#include <jfrtree/profile.hpp>

namespace jfrtree {

/// A range of time in ns since the epoch: from ≤ time < to. An end that is not set is open.
struct TimeRange {
  std::optional<std::int64_t> from_ns;
  std::optional<std::int64_t> to_ns;

  [[nodiscard]] bool contains(std::int64_t time_ns) const noexcept {
    return (!from_ns || time_ns >= *from_ns) && (!to_ns || time_ns < *to_ns);
  }
};

/// The range that `from` and `to` of filters mean for sources, for who reads events by themselves
/// (`Event::start_ns` is the time of one). Its other members are not looked at.
///
/// Times that are relative need the start and the end of all sources: the headers of files are read
/// for them, streams to their end. A source that can be read only once is replaced by one that
/// reads a copy, kept in a temporary file without a name. What cannot be opened, or is no
/// recording, does not count; without any chunk relative times are open ends. Throws UsageError for
/// a range that ends before it begins, IoError when a copy cannot be kept, Interrupted.
[[nodiscard]] TimeRange resolve_time_range(std::vector<Source>& sources,
                                           const FilterOptions& filters,
                                           const ReadOptions& options = {});

}  // namespace jfrtree
