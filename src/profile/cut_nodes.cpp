#include "profile/cut_nodes.hpp"

#include <algorithm>
#include <functional>
#include <limits>

#include "profile/saturating_add.hpp"

namespace jfrtree::internal {
namespace {

constexpr std::uint32_t no_slot = std::numeric_limits<std::uint32_t>::max();

/// What stays, and the sums of what does not.
struct Cut {
  std::vector<bool> stays;
  std::size_t stay_count = 1;
  std::vector<std::uint32_t> other_slot;         ///< per node: where its `(other)` is, or none
  std::vector<std::vector<std::uint64_t>> sums;  ///< per column: the sums of each `(other)`
  std::size_t other_count = 0;
};

Cut plan(const CallTree& tree, const std::vector<bool>& kept) {
  Cut cut;
  cut.stays.assign(tree.size(), false);
  cut.stays[0] = true;
  cut.other_slot.assign(tree.size(), no_slot);
  cut.sums.resize(tree.total.size());
  for (std::size_t node = 1; node < tree.size(); ++node) {
    const std::size_t parent = raw(tree.parent[node]);
    if (!cut.stays[parent]) {
      continue;
    }
    if (kept[node] && tree.frame[node] != other_frame) {
      cut.stays[node] = true;
      ++cut.stay_count;
      continue;
    }
    if (cut.other_slot[parent] == no_slot) {
      cut.other_slot[parent] = static_cast<std::uint32_t>(cut.other_count++);
      for (auto& sums : cut.sums) {
        sums.push_back(0);
      }
    }
    for (std::size_t column = 0; column < cut.sums.size(); ++column) {
      std::uint64_t& sum = cut.sums[column][cut.other_slot[parent]];
      sum = saturating_add(sum, tree.total[column][node]);
    }
  }
  return cut;
}

/// Copies what stays, in pre-order: an `(other)` is written when its parent is left.
class Copier {
 public:
  Copier(const CallTree& tree, const Cut& cut) : tree_(tree), cut_(cut) {
    const std::size_t nodes = cut.stay_count + cut.other_count;
    result_.sample_types = tree.sample_types;
    result_.default_sample_type = tree.default_sample_type;
    result_.frame_table = tree.frame_table;
    result_.parent.reserve(nodes);
    result_.level.reserve(nodes);
    result_.frame.reserve(nodes);
    for (auto* columns : {&result_.self, &result_.total}) {
      columns->resize(tree.self.size());
      for (auto& column : *columns) {
        column.reserve(nodes);
      }
    }
  }

  CallTree copy() {
    for (std::size_t node = 0; node < tree_.size(); ++node) {
      if (cut_.stays[node]) {
        leave(tree_.level[node]);
        add_copy(node);
      }
    }
    leave(0);
    return std::move(result_);
  }

 private:
  struct OpenNode {
    std::size_t source;
    NodeId copy;
  };

  /// Leaves the open nodes at `level` and deeper, the deepest first.
  void leave(std::size_t level) {
    while (path_.size() > level) {
      const std::uint32_t slot = cut_.other_slot[path_.back().source];
      if (slot != no_slot) {
        add_other(slot);
      }
      path_.pop_back();
    }
  }

  void add_copy(std::size_t node) {
    const NodeId copy = add_node(tree_.frame[node]);
    for (std::size_t column = 0; column < result_.self.size(); ++column) {
      result_.self[column].push_back(tree_.self[column][node]);
      result_.total[column].push_back(tree_.total[column][node]);
    }
    path_.push_back({node, copy});
  }

  void add_other(std::uint32_t slot) {
    add_node(other_frame);
    for (std::size_t column = 0; column < result_.self.size(); ++column) {
      result_.self[column].push_back(cut_.sums[column][slot]);
      result_.total[column].push_back(cut_.sums[column][slot]);
    }
  }

  NodeId add_node(FrameId frame) {
    const NodeId node{static_cast<std::uint32_t>(result_.level.size())};
    result_.parent.push_back(path_.empty() ? node : path_.back().copy);
    result_.level.push_back(static_cast<std::uint32_t>(path_.size()));
    result_.frame.push_back(frame);
    return node;
  }

  const CallTree& tree_;
  const Cut& cut_;
  CallTree result_;
  std::vector<OpenNode> path_;  // the root and what is open below it, one node per level
};

}  // namespace

CallTree cut_nodes(const CallTree& tree, const std::vector<bool>& kept) {
  const Cut cut = plan(tree, kept);
  return Copier(tree, cut).copy();
}

std::uint64_t nth_largest(std::span<std::uint64_t> numbers, std::size_t rank) {
  const auto nth = numbers.begin() + static_cast<std::ptrdiff_t>(rank - 1);
  std::nth_element(numbers.begin(), nth, numbers.end(), std::greater<>());
  return *nth;
}

}  // namespace jfrtree::internal
