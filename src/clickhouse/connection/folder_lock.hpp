#pragma once

#include <string>

namespace jfrtree::internal {

/// Whether another process has the folder of an embedded database open, as far as the kernel tells
/// (/proc/locks): the engine locks the file `status` in it. Asking it by opening the folder would
/// print pages.
[[nodiscard]] bool is_open_elsewhere(const std::string& folder);

}  // namespace jfrtree::internal
