#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include <jfrtree/call_tree.hpp>

#include "profile/common_prefix.hpp"
#include "profile/saturating_add.hpp"

namespace jfrtree {
namespace {

using internal::common_prefix;
using internal::saturating_add;

/// Stacks in the order in which a tree is built from them: sorted, a prefix first.
struct SortedStacks {
  std::span<const StackSum> stacks;
  std::span<const FrameId> frame_ids;

  [[nodiscard]] std::span<const FrameId> frames(const StackSum& stack) const noexcept {
    return frame_ids.subspan(stack.first_frame, stack.frame_count);
  }
};

/// The stacks of a profile with their frames in reverse order, sorted again.
class ReversedStacks {
 public:
  explicit ReversedStacks(const Profile& profile) {
    std::size_t frame_count = 0;
    for (const StackSum& stack : profile.stacks) {
      frame_count += stack.frame_count;
    }
    frame_ids_.reserve(frame_count);
    stacks_.reserve(profile.stacks.size());
    for (const StackSum& stack : profile.stacks) {
      append(stack, profile.frames(stack), profile.has_thread_frame);
    }
    const SortedStacks unsorted = sorted();
    std::sort(stacks_.begin(), stacks_.end(), [&](const StackSum& a, const StackSum& b) {
      const auto left = unsorted.frames(a);
      const auto right = unsorted.frames(b);
      return std::lexicographical_compare(left.begin(), left.end(), right.begin(), right.end());
    });
  }

  [[nodiscard]] SortedStacks sorted() const noexcept { return {stacks_, frame_ids_}; }

 private:
  void append(StackSum stack, std::span<const FrameId> frames, bool has_thread_frame) {
    stack.first_frame = frame_ids_.size();
    if (has_thread_frame && !frames.empty()) {
      frame_ids_.push_back(frames.front());
      frames = frames.subspan(1);
    }
    frame_ids_.insert(frame_ids_.end(), frames.rbegin(), frames.rend());
    stacks_.push_back(stack);
  }

  std::vector<StackSum> stacks_;
  std::vector<FrameId> frame_ids_;
};

/// Nodes of the tree, the root included.
std::uint64_t count_nodes(const SortedStacks& sorted) noexcept {
  std::uint64_t count = 1;
  std::span<const FrameId> before;
  for (const StackSum& stack : sorted.stacks) {
    const auto frames = sorted.frames(stack);
    count += frames.size() - common_prefix(before, frames);
    before = frames;
  }
  return count;
}

void check_limit(std::uint64_t nodes, std::uint64_t max_nodes) {
  max_nodes = std::min<std::uint64_t>(max_nodes, std::numeric_limits<std::uint32_t>::max());
  if (nodes > max_nodes) {
    throw LimitError(Problem{.code = ErrorCode::limit_exceeded,
                             .file = {},
                             .message = "the call tree has " + std::to_string(nodes) +
                                        " nodes, more than the limit tree_nodes of " +
                                        std::to_string(max_nodes) +
                                        ": raise the limit or choose fewer samples"});
  }
}

/// A tree with room for `nodes` nodes that has its root only.
CallTree make_root(const Profile& profile, std::size_t nodes) {
  CallTree tree;
  tree.sample_types = profile.sample_types;
  tree.default_sample_type = profile.default_sample_type;
  tree.frame_table = profile.frame_table;
  if (!tree.frame_table) {
    tree.frame_table = std::make_shared<FrameTable>(std::vector<std::string_view>{}, nullptr);
  }
  tree.parent.reserve(nodes);
  tree.level.reserve(nodes);
  tree.frame.reserve(nodes);
  tree.parent.push_back(NodeId{0});
  tree.level.push_back(0);
  tree.frame.push_back(root_frame);
  tree.self.assign(profile.sample_types.size(), std::vector<std::uint64_t>(nodes));
  return tree;
}

void add_stacks(CallTree& tree, const Profile& profile, const SortedStacks& sorted) {
  std::vector<NodeId> path{NodeId{0}};  // of the stack before; path[level] is its node there
  std::span<const FrameId> before;
  for (const StackSum& stack : sorted.stacks) {
    const auto frames = sorted.frames(stack);
    path.resize(1 + common_prefix(before, frames));
    for (std::size_t level = path.size(); level <= frames.size(); ++level) {
      const NodeId node{static_cast<std::uint32_t>(tree.level.size())};
      tree.parent.push_back(path.back());
      tree.level.push_back(static_cast<std::uint32_t>(level));
      tree.frame.push_back(frames[level - 1]);
      path.push_back(node);
    }
    for (std::size_t column = 0; column < tree.self.size(); ++column) {
      std::uint64_t& self = tree.self[column][raw(path.back())];
      self = saturating_add(self, profile.number(stack, column));
    }
    before = frames;
  }
}

/// Adds every node's total to its parent's; children stand behind their parents.
void add_totals(CallTree& tree) {
  tree.total = tree.self;
  for (std::vector<std::uint64_t>& total : tree.total) {
    for (std::size_t node = total.size() - 1; node > 0; --node) {
      std::uint64_t& parent = total[raw(tree.parent[node])];
      parent = saturating_add(parent, total[node]);
    }
  }
}

}  // namespace

CallTree build_call_tree(const Profile& profile, bool reverse, std::uint64_t max_nodes) {
  std::optional<ReversedStacks> reversed;
  SortedStacks sorted;
  if (reverse) {
    sorted = reversed.emplace(profile).sorted();
  } else if (!profile.stacks.empty()) {
    sorted = {profile.stacks, *profile.frame_ids};
  }
  const std::uint64_t nodes = count_nodes(sorted);
  check_limit(nodes, max_nodes);
  CallTree tree = make_root(profile, nodes);
  add_stacks(tree, profile, sorted);
  add_totals(tree);
  return tree;
}

}  // namespace jfrtree
