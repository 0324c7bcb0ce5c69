#pragma once

#include <string>

#include <jfrtree/summary.hpp>

namespace jfrtree::cli {

/// The summary for a person: a block for each file, then what holds for all together. Long lists
/// of chunks, event types and notes are cut unless `all`.
[[nodiscard]] std::string info_text(const RecordingSummary& summary, bool all);

/// The summary as one JSON object; times in ns since the epoch, unknown things null.
[[nodiscard]] std::string info_json(const RecordingSummary& summary);

}  // namespace jfrtree::cli
