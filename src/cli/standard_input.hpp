#pragma once

#include <string>
#include <vector>

#include <jfrtree/profile.hpp>

namespace jfrtree::cli {

/// The sources for FILE arguments, by `open_sources`. What is found out about folders is added to
/// `found`. Throws as `open_sources`, and IoError for standard input that is closed: another file
/// may have its number.
[[nodiscard]] std::vector<Source> sources_for(const std::vector<std::string>& files,
                                              std::vector<Problem>& found);

}  // namespace jfrtree::cli
