#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include <jfrtree/chunk.hpp>
#include <jfrtree/limits.hpp>

#include "format/layout.hpp"
#include "format/pool_index.hpp"
#include "io/problem_log.hpp"
#include "io/seeded_map.hpp"

namespace jfrtree::internal {

/// The constant pools of one chunk: nothing is decoded, only found.
///
/// One walk over the checkpoints notes where each pool begins and indexes the types that are wanted
/// at once; any other type is indexed when it is first asked for. The entry visited last on the
/// chain of checkpoints wins (the JDK's rule): within a checkpoint the later one, and of several
/// checkpoints the one nearest to the chunk's start.
class ConstantPools {
 public:
  ConstantPools() = default;

  /// Walks the chain from the header's checkpoint; where the chunk is cut or the chain is broken,
  /// all checkpoints from a scan of the records. `bytes` is the chunk up to its readable end.
  void read(const ChunkInfo& info, std::span<const std::byte> bytes, const Layouts& layouts,
            std::span<const TypeId> wanted, const Limits& limits, ProblemLog& log);

  /// The index of a type's pool; an empty one when the chunk has no such pool. Thread-safe.
  [[nodiscard]] const PoolIndex& index(TypeId type) const;

 private:
  struct Segment {
    TypeId type;
    std::uint64_t offset;  // of the first key
    std::uint64_t count;   // entries that could be read
  };
  class Walk;

  std::span<const std::byte> bytes_;
  const Layouts* layouts_ = nullptr;
  std::vector<Segment> segments_;  // in the order visited
  mutable std::mutex mutex_;
  mutable SeededMap<TypeId, std::unique_ptr<PoolIndex>> indexes_;
};

}  // namespace jfrtree::internal
