#pragma once

#include <cstdint>

namespace jfrtree::internal {

/// `skip_varints` for many: by 32 bytes at a time where the processor can.
[[nodiscard]] bool skip_many_varints(const std::uint8_t*& position, const std::uint8_t* end,
                                     std::uint64_t count) noexcept;

}  // namespace jfrtree::internal
