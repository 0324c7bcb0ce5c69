#pragma once

#include <set>

#include <jfrtree/summary.hpp>

#include "format/chunk_contents.hpp"
#include "io/stop_flag.hpp"

namespace jfrtree::internal {

/// Settings in order, each once.
using SettingSet = std::set<RecordingSetting>;

/// Adds what the `jdk.ActiveSetting` events of a chunk say.
void add_settings(const ChunkContents& contents, StopFlag stop, SettingSet& settings);

}  // namespace jfrtree::internal
