#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <jfrtree/summary.hpp>

namespace jfrtree::cli {

/// How long a chunk lasted; nothing where its writer had not come to say so.
[[nodiscard]] std::optional<std::uint64_t> known_duration_ns(const ChunkInfo& chunk) noexcept;

/// What the text form shows.
struct InfoTextOptions {
  bool all = false;       ///< long lists of chunks, event types and notes are not cut
  bool is_quick = false;  ///< profiles were not looked at, unless there are some
  bool settings = false;  ///< the settings were asked for
};

/// The summary for a person: a block for each file, then what holds for all together.
[[nodiscard]] std::string info_text(const RecordingSummary& summary,
                                    const InfoTextOptions& options);

/// The summary as one JSON object; times in ns since the epoch, unknown things null. With
/// `settings` these as well.
[[nodiscard]] std::string info_json(const RecordingSummary& summary, bool settings);

}  // namespace jfrtree::cli
