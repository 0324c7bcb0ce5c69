#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include <jfrtree/limits.hpp>
#include <jfrtree/profile.hpp>

#include "io/seeded_map.hpp"
#include "profile/text_table.hpp"

namespace jfrtree::internal {

/// Sums of stacks as they come out of a database, by hash, and later the frames of these. Makes
/// profiles of them that share their frames.
class QueryStacks {
 public:
  QueryStacks(const Limits& limits, bool by_thread) : limits_(limits), by_thread_(by_thread) {}

  struct Sum {
    std::uint64_t hash = 0;
    std::uint64_t samples = 0;
    std::uint64_t amount = 0;
    std::uint64_t bytes = 0;  ///< of kinds that have them
    std::uint64_t stacks = 1;
    bool is_other = false;  ///< the sum of all stacks that were not the largest
  };

  void begin_kind(bool has_bytes) { kinds_.emplace_back().has_bytes = has_bytes; }
  /// Adds to the kind begun last.
  void add_sum(const Sum& sum, std::string_view thread);

  /// The hashes whose frames are needed, sorted.
  [[nodiscard]] std::vector<std::uint64_t> hashes() const;
  /// The number of a text of a frame, the same for equal texts. Throws LimitError.
  [[nodiscard]] std::uint32_t text(std::string_view text);
  /// The numbers of the frames of a hash, root first; of several the first count. Throws
  /// LimitError.
  void add_stack(std::uint64_t hash, std::span<const std::uint32_t> frames);
  /// Whether the frames of a hash were added.
  [[nodiscard]] bool has(std::uint64_t hash) const { return spans_.find(hash) != spans_.end(); }

  /// The stacks of all kinds, without what only the caller knows of a profile.
  [[nodiscard]] std::vector<Profile> take_profiles();
  /// Samples whose stack is not stored: they have a frame that says so.
  [[nodiscard]] std::uint64_t missing_samples() const noexcept { return missing_samples_; }

 private:
  struct Row {
    Sum sum;
    std::uint32_t thread = 0;  // number of its text
  };
  struct Kind {
    std::vector<Row> rows;
    bool has_bytes = false;
  };
  struct Span {
    std::uint64_t first = 0;
    std::uint32_t count = 0;
  };

  void check_frames() const;
  [[nodiscard]] Span frames_of(const Row& row);
  [[nodiscard]] std::shared_ptr<const FrameTable> rank();

  Limits limits_;
  bool by_thread_;
  TextTable texts_;
  std::vector<FrameId> frames_;  // numbers of texts, ranks at the end
  SeededMap<std::uint64_t, Span> spans_;
  std::vector<Kind> kinds_;
  std::uint64_t missing_samples_ = 0;
};

}  // namespace jfrtree::internal
