#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace jfrtree::internal {

/// A frame as all recorders write it: four compressed integers, of which the third, the bytecode
/// index, is passed over.
struct FrameRow {
  std::uint64_t method = 0;
  std::uint64_t line = 0;
  std::uint64_t type = 0;
};

/// What is wanted of frames.
enum class FrameParts : std::uint8_t {
  all,
  methods,  ///< lines and types may be anything
};

/// Decodes as many frames as `rows` has, or those that end before `end`. Moves `position` behind
/// the last one done; returns how many.
std::size_t decode_frame_rows(const std::uint8_t*& position, const std::uint8_t* end,
                              std::span<FrameRow> rows, FrameParts parts) noexcept;

/// The same without special instructions: the reference for the other.
std::size_t decode_frame_rows_plain(const std::uint8_t*& position, const std::uint8_t* end,
                                    std::span<FrameRow> rows,
                                    FrameParts parts = FrameParts::all) noexcept;

}  // namespace jfrtree::internal
