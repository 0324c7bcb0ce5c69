#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <jfrtree/call_tree.hpp>

#include "io/large_memory.hpp"

namespace jfrtree::internal {

/// Adds nodes to a tree in depth-first pre-order: the columns that say where a node is. What was
/// seen at each is added by the caller.
class PreorderNodes {
 public:
  /// The tree must outlive this object and stay in its place.
  explicit PreorderNodes(CallTree& tree) : tree_(tree) {}

  void reserve(std::size_t nodes) {
    reserve_large(tree_.parent, nodes);
    reserve_large(tree_.level, nodes);
    reserve_large(tree_.frame, nodes);
  }

  /// How many nodes are open: one for each level.
  [[nodiscard]] std::size_t open_count() const noexcept { return path_.size(); }
  /// The innermost open node. There must be one.
  [[nodiscard]] NodeId innermost() const noexcept { return path_.back(); }

  /// Adds a node below the innermost open one, or the root. It has no children.
  NodeId add(FrameId frame) {
    const NodeId node{static_cast<std::uint32_t>(tree_.level.size())};
    tree_.parent.push_back(path_.empty() ? node : path_.back());
    tree_.level.push_back(static_cast<std::uint32_t>(path_.size()));
    tree_.frame.push_back(frame);
    return node;
  }
  /// Adds a node that is open from then on.
  NodeId open(FrameId frame) {
    const NodeId node = add(frame);
    path_.push_back(node);
    return node;
  }
  /// Leaves so many nodes open, at most as many as there are.
  void close_to(std::size_t count) noexcept {
    path_.erase(path_.begin() + static_cast<std::ptrdiff_t>(count), path_.end());
  }

 private:
  CallTree& tree_;
  std::vector<NodeId> path_;  // the open nodes, by level
};

}  // namespace jfrtree::internal
