#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include <jfrtree/ids.hpp>
#include <jfrtree/profile.hpp>

namespace jfrtree {

/// A call tree as columns, nodes in depth-first pre-order: parents before children, children in
/// byte order of their texts, `(other)` last. Node 0 is the root, `total`, at level 0.
///
/// Invariants (`check`): one root, no level jumps, self and totals add up in every column.
struct CallTree {
  std::vector<NodeId> parent;  ///< the root is its own parent
  std::vector<std::uint32_t> level;
  std::vector<FrameId> frame;
  /// One column per sample type of the profile, each as long as the other columns.
  std::vector<std::vector<std::uint64_t>> self;
  std::vector<std::vector<std::uint64_t>> total;
  std::vector<SampleType> sample_types;
  std::size_t default_sample_type = 0;
  std::shared_ptr<const FrameTable> frame_table;

  [[nodiscard]] std::size_t size() const noexcept { return level.size(); }
  [[nodiscard]] std::string_view text(std::size_t node) const noexcept {
    return frame_table->text(frame[node]);
  }
  /// Throws std::logic_error when an invariant does not hold.
  void check() const;
};

/// Builds the tree of a profile from its sorted stacks, by the common prefix with the stack before:
/// linear in the number of frames, no recursion. An empty profile gives the root alone.
/// `reverse` roots the tree at the leaves (callers view). Throws LimitError above `max_nodes`.
[[nodiscard]] CallTree build_call_tree(const Profile& profile, bool reverse = false,
                                       std::uint64_t max_nodes = Limits{}.tree_nodes);

/// What to cut from a tree. Totals never change: what is cut below a node becomes its one child
/// `(other)`.
struct PruneOptions {
  std::size_t sample_type = 0;  ///< the column that decides
  std::uint64_t max_nodes = 0;  ///< keep about so many of the largest nodes; 0: no limit
  double min_width = 0;         ///< percent of the root's total
  /// Keep all nodes that tie with the smallest of the `max_nodes` largest, as Pyroscope does; more
  /// than `max_nodes` may remain then. Otherwise of those the first in pre-order are kept.
  bool keep_ties = false;
};

/// A copy without the nodes that are too small: at most `max_nodes` nodes of the original remain
/// (root and `(other)` not counted). A node never remains without its parent, and the result does
/// not depend on the order in which samples came.
[[nodiscard]] CallTree prune(const CallTree& tree, const PruneOptions& options);

/// One method of a profile: what was seen with it at the leaf, and anywhere in the stack (once per
/// stack, however often it recurs).
struct MethodSums {
  FrameId frame{};
  std::vector<std::uint64_t> self;   ///< one per sample type
  std::vector<std::uint64_t> total;  ///< one per sample type
};

/// All methods of a profile by descending self (or total) of a sample type, then by text.
/// Thread frames, `[truncated]` and class leaves are frames like others.
[[nodiscard]] std::vector<MethodSums> method_sums(const Profile& profile, std::size_t sample_type,
                                                  bool by_total = false);

}  // namespace jfrtree
