#pragma once

#include <string>
#include <vector>

#include <jfrtree/frame_options.hpp>

#include "cli/command_line.hpp"

namespace jfrtree::cli {

/// The options that say how frames read. Begins a group of its own.
void add_frame_options(CommandLine& line, FrameOptions& frames);

/// Throws UsageError for options that contradict each other.
void check_frame_arguments(const FrameOptions& frames);

/// Names of the options that are not as by default, as they were given.
[[nodiscard]] std::vector<std::string> given_frame_options(const FrameOptions& frames);

}  // namespace jfrtree::cli
