#pragma once

#include <vector>

#include <jfrtree/profile.hpp>

#include "profile/filters.hpp"

namespace jfrtree::internal {

/// Tells filters what they need to know of all inputs before the first sample is read: where all
/// chunks begin and end, for times that are relative to that, and the spans whose tags are asked
/// for. Does nothing when they need neither.
///
/// Of files the headers of chunks are enough for times; a chunk that was never finished is walked
/// for its last event, and all chunks are for spans. Sources that can be read only once are
/// replaced by ones that read a copy; those that cannot be opened are left to be reported when they
/// are read. Memory is bounded by one chunk and the spans. Throws UsageError for a time range that
/// ends before it begins, Interrupted, and IoError when a copy cannot be kept.
void prescan(std::vector<Source>& sources, Filters& filters, const ReadOptions& options);

}  // namespace jfrtree::internal
