#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include <jfrtree/profile.hpp>

namespace jfrtree::python {

/// A profile as Python holds it. Never changes, so that any thread may use it.
struct ProfileData {
  Profile profile;
  std::optional<std::uint64_t> span_ns;  ///< length of what was recorded; absent where unknown
};

using ProfilePointer = std::shared_ptr<const ProfileData>;

}  // namespace jfrtree::python
