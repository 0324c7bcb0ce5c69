#pragma once

#include <string_view>

#include <jfrtree/diff.hpp>

namespace jfrtree::internal {

/// The name of a comparison in JSON, in pages and in their addresses.
[[nodiscard]] constexpr std::string_view comparison_name(Comparison comparison) noexcept {
  switch (comparison) {
    case Comparison::share:
      return "share";
    case Comparison::absolute:
      return "absolute";
    case Comparison::per_second:
      return "per-second";
  }
  return {};
}

}  // namespace jfrtree::internal
