#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "io/descriptor.hpp"

namespace jfrtree::internal {

/// Maps `length` bytes of a file from `offset` on, read-only, with at least 64 readable zero bytes
/// behind them: whole pages are mapped, what remains is copied. Nothing when the file is shorter
/// or the system refuses. The descriptor may be closed afterwards. Throws IoError when reading
/// fails.
[[nodiscard]] std::shared_ptr<const std::byte> map_file(const Descriptor& descriptor,
                                                        std::uint64_t offset, std::size_t length,
                                                        std::string_view file);

}  // namespace jfrtree::internal
