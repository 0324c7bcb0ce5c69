#pragma once

#include <cstddef>
#include <cstdint>

#include <jfrtree/input.hpp>

#include "io/bytes.hpp"

namespace jfrtree::internal {

/// Appends the next `wanted` bytes of `input` to `buffer`, fewer only at the end of the input;
/// returns how many. Memory grows as bytes arrive, not by what was asked for. When reading throws,
/// the bytes before stay in the buffer.
std::size_t fill(Input& input, PaddedBuffer& buffer, std::uint64_t wanted);

/// The same at a position of an input with a size. `input` may be read by several threads so.
std::size_t fill_at(Input& input, std::uint64_t offset, PaddedBuffer& buffer, std::uint64_t wanted);

}  // namespace jfrtree::internal
