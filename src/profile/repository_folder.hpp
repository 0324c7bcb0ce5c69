#pragma once

#include <string>
#include <vector>

namespace jfrtree::internal {

/// The `.jfr` files of a folder in the order of the start time of their first chunk, then by name.
/// Files without a readable header come last. Throws IoError when the folder cannot be read or has
/// no recording.
[[nodiscard]] std::vector<std::string> recordings_in_folder(const std::string& folder);

}  // namespace jfrtree::internal
