#pragma once

#include <jfrtree/profile.hpp>

namespace jfrtree::internal {

/// Throws UsageError for kinds that are not known and for members that contradict each other.
void check_request(const ProfileRequest& request);

/// The request with what its parts imply.
[[nodiscard]] ProfileRequest completed(ProfileRequest request);

}  // namespace jfrtree::internal
