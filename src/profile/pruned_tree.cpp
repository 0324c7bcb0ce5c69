#include "profile/pruned_tree.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "io/large_memory.hpp"
#include "profile/build_tree.hpp"
#include "profile/preorder_nodes.hpp"
#include "profile/rank_limit.hpp"
#include "profile/saturating_add.hpp"

namespace jfrtree::internal {
namespace {

/// The totals of all nodes in one column, in pre-order.
std::vector<std::uint64_t> node_totals(const Profile& profile, const StackOrder& order,
                                       std::size_t sample_type) {
  std::vector<std::uint64_t> totals;
  reserve_large(totals, order.node_count());
  totals.resize(order.node_count());
  std::vector<std::uint32_t> path{0};  // nodes of the stack before, by level
  const auto leave = [&](std::size_t level) {
    for (; path.size() > level; path.pop_back()) {
      add_saturated(totals[path[path.size() - 2]], totals[path.back()]);
    }
  };
  std::uint32_t next = 1;
  order.for_each([&](const StackSum& stack, std::size_t shared, auto new_frames) {
    leave(1 + shared);
    for (std::size_t left = new_frames.size(); left > 0; --left) {
      path.push_back(next++);
    }
    add_saturated(totals[path.back()], profile.number(stack, sample_type));
  });
  leave(1);
  return totals;
}

RankLimit rank_limit(const std::vector<std::uint64_t>& totals, const PruneOptions& options) {
  RankLimitFinder finder(options);
  if (options.max_nodes != 0) {
    finder.reserve(totals.size());
    std::for_each(totals.begin() + 1, totals.end(),
                  [&](std::uint64_t total) { finder.add(total); });
  }
  return finder.limit();
}

/// Walks the stacks as nodes in pre-order and adds those that stay to a tree. A node never stays
/// without its parent, whose total is at least as large and comes before it.
class PrunedTreeBuilder {
 public:
  PrunedTreeBuilder(const Profile& profile, const StackOrder& order, const PruneOptions& options)
      : profile_(profile),
        order_(order),
        min_width_(options.min_width),
        totals_(node_totals(profile, order, options.sample_type)),
        limit_(rank_limit(totals_, options)),
        tree_(empty_tree(profile)) {
    tree_.self.resize(profile.sample_types.size());
    reserve(options);
  }

  CallTree build() {
    open(root_frame);
    order_.for_each([&](const StackSum& stack, std::size_t shared, auto new_frames) {
      leave(1 + shared);
      visit(1 + shared, new_frames);
      add_numbers(stack, nodes_.open_count() == 1 + std::size_t{stack.frame_count});
    });
    leave(0);
    add_totals(tree_);
    return std::move(tree_);
  }

 private:
  /// What may be needed at most: an `(other)` stands for a cut node, and no node has two.
  void reserve(const PruneOptions& options) {
    std::size_t nodes = totals_.size();
    if (options.max_nodes != 0 && options.max_nodes < nodes / 2) {
      nodes = 2 * static_cast<std::size_t>(options.max_nodes) + 2;
    }
    nodes_.reserve(nodes);
    for (auto& column : tree_.self) {
      reserve_large(column, nodes);
    }
  }

  /// The next nodes in pre-order, each below the one before. What is below a node that is cut need
  /// not be looked at: it is no larger and comes later, so that it takes no other node's place.
  void visit(std::size_t level, std::span<const FrameId> frames) {
    const std::uint64_t* total = totals_.data() + next_;
    next_ += frames.size();
    for (const FrameId frame : frames) {
      if (nodes_.open_count() != level++) {
        return;
      }
      if (!is_large(*total++)) {
        has_other_.back() = 1;
        return;
      }
      open(frame);
    }
  }

  [[nodiscard]] bool is_large(std::uint64_t total) noexcept {
    return limit_.admits(total) &&
           (!(min_width_ > 0) || is_wide_enough(total, totals_[0], min_width_));
  }

  void add_numbers(const StackSum& stack, bool leaf_stays) {
    const std::size_t columns = tree_.self.size();
    for (std::size_t column = 0; column < columns; ++column) {
      std::uint64_t& sum = leaf_stays ? tree_.self[column][raw(nodes_.innermost())]
                                      : other_sums_[other_sums_.size() - columns + column];
      add_saturated(sum, profile_.number(stack, column));
    }
  }

  void open(FrameId frame) {
    nodes_.open(frame);
    for (auto& self : tree_.self) {
      self.push_back(0);
    }
    has_other_.push_back(0);
    other_sums_.resize(other_sums_.size() + tree_.self.size());
  }

  /// Leaves the open nodes at `level` and deeper, the deepest first. `(other)` is the last child.
  void leave(std::size_t level) {
    const std::size_t columns = tree_.self.size();
    for (; nodes_.open_count() > level; nodes_.close_to(nodes_.open_count() - 1)) {
      if (has_other_.back() != 0) {
        nodes_.add(other_frame);
        for (std::size_t column = 0; column < columns; ++column) {
          tree_.self[column].push_back(other_sums_[other_sums_.size() - columns + column]);
        }
      }
      has_other_.pop_back();
      other_sums_.resize(other_sums_.size() - columns);
    }
  }

  const Profile& profile_;
  const StackOrder& order_;
  double min_width_;
  std::vector<std::uint64_t> totals_;
  RankLimit limit_;
  CallTree tree_;
  PreorderNodes nodes_{tree_};
  std::vector<std::uint8_t> has_other_;    // by level: whether a child of the open node was cut
  std::vector<std::uint64_t> other_sums_;  // by level, then by column: of the cut nodes below
  std::size_t next_ = 1;
};

}  // namespace

CallTree build_pruned_tree(const Profile& profile, const StackOrder& order,
                           const PruneOptions& options) {
  return PrunedTreeBuilder(profile, order, options).build();
}

}  // namespace jfrtree::internal
