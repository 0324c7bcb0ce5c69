#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <jfrtree/limits.hpp>
#include <jfrtree/profile.hpp>

namespace jfrtree::cli {

/// The sources for FILE arguments, by `open_sources`. Standard input, when it is a pipe or a
/// terminal, is read so that a request to stop ends the wait for bytes, by an Interrupted.
/// What is found out about folders is added to `found`. Throws as `open_sources`, and IoError for
/// standard input that is closed.
[[nodiscard]] std::vector<Source> sources_for(const std::vector<std::string>& files,
                                              const Limits& limits, std::vector<Problem>& found);

}  // namespace jfrtree::cli
