#include "format/frame_batch.hpp"

#include <algorithm>

#include "format/varint_mask.hpp"

namespace jfrtree::internal {

namespace {

[[nodiscard]] bool decode_one(const std::uint8_t*& position, const std::uint8_t* end,
                              FrameRow& row) noexcept {
  const std::uint8_t* p = position;
  std::uint64_t bytecode_index = 0;
  if (!read_varint(p, end, row.method) || !read_varint(p, end, row.line) ||
      !read_varint(p, end, bytecode_index) || !read_varint(p, end, row.type)) {
    return false;
  }
  position = p;
  return true;
}

}  // namespace

std::size_t decode_frame_rows_plain(const std::uint8_t*& position, const std::uint8_t* end,
                                    std::span<FrameRow> rows, FrameParts) noexcept {
  std::size_t count = 0;
  while (count < rows.size() && decode_one(position, end, rows[count])) ++count;
  return count;
}

#if JFRTREE_HAS_X86_PATHS

namespace {

/// Frames take 5 or 6 bytes as a rule: one mask of 64 bytes serves about ten.
constexpr std::size_t mask_bytes = 2 * VarintMask::window;
/// Numbers are loaded as 8 bytes.
constexpr std::size_t margin = mask_bytes + 8;
constexpr unsigned integers_of_a_frame = 4;

/// Decodes the frames that end within the mask; 0 when there is none, or when a varint of 9 bytes
/// may lie in it.
template <FrameParts parts>
JFRTREE_FAST_BITS inline std::size_t decode_by_mask(const std::uint8_t*& position,
                                                    std::span<FrameRow> rows) noexcept {
  const std::uint8_t* const start = position;
  std::uint64_t ends =
      VarintMask(start).ends() | std::uint64_t{VarintMask(start + VarintMask::window).ends()} << 32;
  if (has_run_of_8(~ends)) return 0;
  const std::size_t count = std::min<std::size_t>(
      rows.size(), static_cast<std::size_t>(_mm_popcnt_u64(ends)) / integers_of_a_frame);
  unsigned first = 0;
  const auto take_end = [&ends]() JFRTREE_FAST_BITS {
    const auto end = static_cast<unsigned>(_tzcnt_u64(ends));
    ends = _blsr_u64(ends);
    return end;
  };
  for (FrameRow& row : rows.first(count)) {
    row.method = VarintMask::value_at(start + first);
    const unsigned method_end = take_end();
    static_cast<void>(take_end());  // of the line
    const unsigned index_end = take_end();
    if constexpr (parts == FrameParts::all) {
      row.line = VarintMask::value_at(start + method_end + 1);
      row.type = VarintMask::value_at(start + index_end + 1);
    }
    first = take_end() + 1;
  }
  position = start + first;
  return count;
}

template <FrameParts parts>
JFRTREE_FAST_BITS std::size_t decode_frame_rows_fast(const std::uint8_t*& position,
                                                     const std::uint8_t* end,
                                                     std::span<FrameRow> rows) noexcept {
  std::size_t count = 0;
  while (count < rows.size()) {
    std::size_t done = 0;
    if (static_cast<std::size_t>(end - position) >= margin) {
      done = decode_by_mask<parts>(position, rows.subspan(count));
    }
    if (done == 0) {
      if (!decode_one(position, end, rows[count])) break;
      done = 1;
    }
    count += done;
  }
  return count;
}

}  // namespace

std::size_t decode_frame_rows(const std::uint8_t*& position, const std::uint8_t* end,
                              std::span<FrameRow> rows, FrameParts parts) noexcept {
  if (!has_fast_bits()) return decode_frame_rows_plain(position, end, rows);
  return parts == FrameParts::all
             ? decode_frame_rows_fast<FrameParts::all>(position, end, rows)
             : decode_frame_rows_fast<FrameParts::methods>(position, end, rows);
}

#else

std::size_t decode_frame_rows(const std::uint8_t*& position, const std::uint8_t* end,
                              std::span<FrameRow> rows, FrameParts) noexcept {
  return decode_frame_rows_plain(position, end, rows);
}

#endif

}  // namespace jfrtree::internal
