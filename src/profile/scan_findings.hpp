#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <jfrtree/chunk.hpp>

#include "io/problem_log.hpp"

namespace jfrtree::internal {

/// What was found wrong with the events of a chunk: one finding for each kind of fault, however
/// often it occurs, with the place of the first.
struct ScanFindings {
  struct Tally {
    std::uint64_t count = 0;
    std::uint64_t first = 0;  ///< offset in the chunk

    void add(std::uint64_t offset, std::uint64_t times = 1) noexcept {
      if (count == 0) first = offset;
      count += times;
    }
    void add(const Tally& other) noexcept {
      if (other.count == 0) return;
      first = count == 0 ? other.first : std::min(first, other.first);
      count += other.count;
    }
  };

  Tally unknown_types;
  Tally overruns;
  Tally negatives;         ///< of numbers that are never negative
  Tally chosen_negatives;  ///< of a field that the user chose
  std::uint64_t missing_stacks = 0;
  bool has_overflow = false;

  /// Adds what was found in another part of the same chunk.
  void add(const ScanFindings& other) noexcept;
  void report(const ChunkInfo& chunk, ProblemLog& log) const;
};

/// Says that a walk over the records of a chunk stopped at `end`, before the chunk's last byte. Of
/// a chunk that was cut that is known already.
void report_lost_rest(const ChunkInfo& chunk, std::size_t bytes, std::uint64_t end,
                      ProblemLog& log);

}  // namespace jfrtree::internal
