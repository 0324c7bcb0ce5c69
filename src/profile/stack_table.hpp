#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <jfrtree/ids.hpp>

#include "profile/lane_sums.hpp"

namespace jfrtree::internal {

/// Unique stacks with their sums: one row per lane and array of frame ids. Rows are numbered in the
/// order of insertion and never move.
class StackTable {
 public:
  struct Row {
    std::uint64_t first_frame = 0;  ///< into `frames`
    std::uint64_t hash = 0;
    std::uint32_t frame_count = 0;
    std::uint32_t lane = 0;
    SampleSums sums;
  };

  StackTable();

  /// Adds sums to the row of a lane and stack. True when a sum would be larger than 64 bits.
  bool add(std::uint32_t lane, std::span<const FrameId> stack, const SampleSums& sums);

  /// A stack to be added; its frames must stay valid until then.
  struct NewRow {
    std::uint32_t lane = 0;
    std::span<const FrameId> stack;
    SampleSums sums;
    std::uint64_t hash = 0;  ///< by `set_hashes`
  };
  /// To be called before `add_all`; several threads may do so at once.
  void set_hashes(std::span<NewRow> rows) const noexcept;
  /// As `add` for each of the rows, in order. The memory that they need is fetched for many of them
  /// at once.
  bool add_all(std::span<const NewRow> rows);

  /// The number of the row of a lane and stack; a new one has no sums yet.
  [[nodiscard]] std::uint32_t row_of(std::uint32_t lane, std::span<const FrameId> stack);

  /// Moves the sums of a row to the row of another lane with the same stack. True as for `add`.
  bool move(std::size_t row, std::uint32_t lane, const SampleSums& sums);

  [[nodiscard]] const std::vector<Row>& rows() const noexcept { return rows_; }
  [[nodiscard]] std::vector<FrameId>& frames() noexcept { return frames_; }
  [[nodiscard]] std::span<const FrameId> frames(const Row& row) const noexcept {
    return std::span(frames_).subspan(row.first_frame, row.frame_count);
  }

  /// Gives back the memory of the look-up; rows and frames stay.
  void close();

 private:
  struct Slot {
    std::uint32_t row = 0;  // + 1; 0: free
    std::uint32_t tag = 0;  // high bits of the hash
  };

  [[nodiscard]] std::uint64_t hash_of(std::uint32_t lane,
                                      std::span<const FrameId> stack) const noexcept;
  /// The row of a lane and stack or null; `slot` is where it is or would be.
  [[nodiscard]] Row* find(std::uint64_t hash, std::uint32_t lane, std::span<const FrameId> stack,
                          std::size_t& slot) noexcept;
  void prefetch(std::span<const NewRow> rows) const noexcept;
  bool add_hashed(const NewRow& row);
  void insert(std::size_t slot, const Row& row);
  void grow();

  std::vector<Row> rows_;
  std::vector<FrameId> frames_;
  std::vector<Slot> slots_;
  std::uint64_t seed_;
};

}  // namespace jfrtree::internal
