#pragma once

#include <cstdint>

#include <jfrtree/metadata.hpp>

namespace jfrtree::internal {

/// Bytes of a number of a primitive type; 8 for what is none.
[[nodiscard]] constexpr std::uint8_t byte_width(Primitive primitive) noexcept {
  switch (primitive) {
    case Primitive::boolean:
    case Primitive::byte:
      return 1;
    case Primitive::short_integer:
    case Primitive::character:
      return 2;
    case Primitive::integer:
    case Primitive::floating:
      return 4;
    default:
      return 8;
  }
}

}  // namespace jfrtree::internal
