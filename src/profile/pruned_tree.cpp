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

/// The totals in one column of the nodes that several stacks have in common, in pre-order. Most
/// nodes have one stack alone, and its number: they are not here.
std::vector<std::uint64_t> shared_totals(const Profile& profile, const StackOrder& order,
                                         std::size_t sample_type) {
  std::vector<std::uint64_t> totals{0};
  std::vector<std::size_t> path{0};  // nodes that the stack before has in common with others
  const auto leave = [&](std::size_t level) {
    for (; path.size() > level; path.pop_back()) {
      add_saturated(totals[path[path.size() - 2]], totals[path.back()]);
    }
  };
  order.for_each_between(
      [&](const StackSum& stack, std::size_t shared, auto, std::size_t shared_with_next) {
        leave(1 + shared);
        while (path.size() < 1 + shared_with_next) {
          path.push_back(totals.size());
          make_room(totals, 1);
          totals.push_back(0);
        }
        add_saturated(totals[path.back()], profile.number(stack, sample_type));
      });
  leave(1);
  return totals;
}

/// How many of the new frames of a stack the next one has in common with it.
[[nodiscard]] std::size_t count_shared(std::size_t shared, std::size_t shared_with_next) noexcept {
  return shared_with_next > shared ? shared_with_next - shared : 0;
}

RankLimit rank_limit(const Profile& profile, const StackOrder& order,
                     const std::vector<std::uint64_t>& totals, const PruneOptions& options) {
  RankLimitFinder finder(options);
  if (options.max_nodes != 0) {
    finder.reserve(order.node_count());
    std::for_each(totals.begin() + 1, totals.end(),
                  [&](std::uint64_t total) { finder.add(total); });
    order.for_each_between([&](const StackSum& stack, std::size_t shared, auto new_frames,
                               std::size_t shared_with_next) {
      finder.add(profile.number(stack, options.sample_type),
                 new_frames.size() - count_shared(shared, shared_with_next));
    });
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
        sample_type_(options.sample_type),
        min_width_(options.min_width),
        totals_(shared_totals(profile, order, options.sample_type)),
        limit_(rank_limit(profile, order, totals_, options)),
        tree_(empty_tree(profile)) {
    tree_.self.resize(profile.sample_types.size());
    reserve(options);
  }

  CallTree build() {
    open(root_frame);
    order_.for_each_between([&](const StackSum& stack, std::size_t shared, auto new_frames,
                                std::size_t shared_with_next) {
      leave(1 + shared);
      const std::size_t in_common = count_shared(shared, shared_with_next);
      if (nodes_.open_count() == 1 + shared) {
        visit(new_frames, in_common, profile_.number(stack, sample_type_));
      }
      next_ += in_common;
      add_numbers(stack, nodes_.open_count() == 1 + std::size_t{stack.frame_count});
    });
    leave(0);
    add_totals(tree_);
    return std::move(tree_);
  }

 private:
  /// What may be needed at most: an `(other)` stands for a cut node, and no node has two.
  void reserve(const PruneOptions& options) {
    std::size_t nodes = order_.node_count();
    if (options.max_nodes != 0 && options.max_nodes < nodes / 2) {
      nodes = 2 * static_cast<std::size_t>(options.max_nodes) + 2;
    }
    nodes_.reserve(nodes);
    for (auto& column : tree_.self) {
      reserve_large(column, nodes);
    }
  }

  /// The next nodes in pre-order, each below the one before. The first ones are in common with the
  /// next stack, the others have a total of their own. What is below a node that is cut need not be
  /// looked at: it is no larger and comes later, so that it takes no other node's place.
  void visit(std::span<const FrameId> frames, std::size_t in_common, std::uint64_t own_total) {
    for (std::size_t index = 0; index < frames.size(); ++index) {
      if (!is_large(index < in_common ? totals_[next_ + index] : own_total)) {
        has_other_.back() = 1;
        return;
      }
      open(frames[index]);
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
  std::size_t sample_type_;
  double min_width_;
  std::vector<std::uint64_t> totals_;  // of nodes in common, in pre-order
  RankLimit limit_;
  CallTree tree_;
  PreorderNodes nodes_{tree_};
  std::vector<std::uint8_t> has_other_;    // by level: whether a child of the open node was cut
  std::vector<std::uint64_t> other_sums_;  // by level, then by column: of the cut nodes below
  std::size_t next_ = 1;                   // of those
};

}  // namespace

CallTree build_pruned_tree(const Profile& profile, const StackOrder& order,
                           const PruneOptions& options) {
  return PrunedTreeBuilder(profile, order, options).build();
}

}  // namespace jfrtree::internal
