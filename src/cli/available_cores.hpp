#pragma once

#include <optional>
#include <string>

namespace jfrtree::cli {

/// Cores this process may use: those of its affinity mask, and no more than the CPU quota of its
/// control group (version 1 or 2) allows, rounded up. At least 1.
[[nodiscard]] unsigned available_cores();

/// The CPU quota in cores, the lowest of the control group and those above it; nothing where none
/// is set. `root` stands before the paths that are read, `/proc/self/…` and the mount points.
[[nodiscard]] std::optional<double> control_group_quota(const std::string& root = "");

}  // namespace jfrtree::cli
