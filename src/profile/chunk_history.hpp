#pragma once

#include <compare>
#include <cstddef>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include <jfrtree/error.hpp>

#include "profile/chunk_facts.hpp"

namespace jfrtree::internal {

/// How the chunks of all inputs follow each other: in time, and within processes. Chunks are
/// positions of the facts, which must outlive the history; their order there does not matter.
class ChunkHistory {
 public:
  explicit ChunkHistory(std::span<const ChunkFacts> facts);

  /// A process of the inputs: what the JVM says of itself, or a file that does not say it.
  struct Owner {
    std::optional<ProcessId> process;
    std::size_t file = 0;  ///< 0 where the process is known

    auto operator<=>(const Owner&) const = default;
  };
  [[nodiscard]] const Owner& owner(std::size_t chunk) const noexcept { return owners_[chunk]; }

  /// The settings of each chunk, with those it lacks from the latest earlier chunk of its process.
  [[nodiscard]] std::vector<Settings> effective_settings() const;

  /// Of some chunks, the newest of each process.
  [[nodiscard]] std::set<std::size_t> newest(std::span<const std::size_t> chunks) const;

  /// A note for each chunk that is among the inputs more than once.
  [[nodiscard]] std::vector<Problem> repeated_chunks() const;

 private:
  void find_owners();

  std::span<const ChunkFacts> facts_;
  std::vector<std::size_t> by_time_;
  std::vector<Owner> owners_;  // by chunk
};

}  // namespace jfrtree::internal
