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
[[nodiscard]] std::vector<Source> sources_for(const std::vector<std::string>& files,
                                              const Limits& limits);

}  // namespace jfrtree::cli
