#include "profile/cut_nodes.hpp"

#include <algorithm>
#include <functional>
#include <limits>

#include "io/large_memory.hpp"
#include "profile/preorder_nodes.hpp"
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
    nodes_.reserve(nodes);
    for (auto* columns : {&result_.self, &result_.total}) {
      columns->resize(tree.self.size());
      for (auto& column : *columns) {
        reserve_large(column, nodes);
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
  /// Leaves the open nodes at `level` and deeper, the deepest first.
  void leave(std::size_t level) {
    for (; sources_.size() > level; sources_.pop_back()) {
      nodes_.close_to(sources_.size());
      const std::uint32_t slot = cut_.other_slot[sources_.back()];
      if (slot != no_slot) {
        add_other(slot);
      }
    }
    nodes_.close_to(level);
  }

  void add_copy(std::size_t node) {
    nodes_.open(tree_.frame[node]);
    for (std::size_t column = 0; column < result_.self.size(); ++column) {
      result_.self[column].push_back(tree_.self[column][node]);
      result_.total[column].push_back(tree_.total[column][node]);
    }
    sources_.push_back(node);
  }

  void add_other(std::uint32_t slot) {
    nodes_.add(other_frame);
    for (std::size_t column = 0; column < result_.self.size(); ++column) {
      result_.self[column].push_back(cut_.sums[column][slot]);
      result_.total[column].push_back(cut_.sums[column][slot]);
    }
  }

  const CallTree& tree_;
  const Cut& cut_;
  CallTree result_;
  PreorderNodes nodes_{result_};
  std::vector<std::size_t> sources_;  // by level: the node that the open one is a copy of
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
