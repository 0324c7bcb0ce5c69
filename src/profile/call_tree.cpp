#include <memory>
#include <string_view>
#include <vector>

#include <jfrtree/call_tree.hpp>

#include "io/large_memory.hpp"
#include "profile/build_tree.hpp"
#include "profile/saturating_add.hpp"
#include "profile/stack_order.hpp"

namespace jfrtree {
namespace {

/// `resize` of an empty column that may be large.
template <typename T>
void resize_large(std::vector<T>& column, std::size_t nodes) {
  internal::reserve_large(column, nodes);
  column.resize(nodes);
}

/// Fills the columns that say where nodes are, and what was seen at each of them.
void add_stacks(CallTree& tree, const Profile& profile, const internal::StackOrder& order) {
  std::vector<NodeId> path{NodeId{0}};  // of the stack before; path[level] is its node there
  std::uint32_t next = 1;
  order.for_each([&](const StackSum& stack, std::size_t shared, auto new_frames) {
    path.resize(shared + 1);
    for (std::size_t level = shared + 1; level <= shared + new_frames.size(); ++level) {
      tree.parent[next] = path.back();
      tree.level[next] = static_cast<std::uint32_t>(level);
      path.push_back(NodeId{next++});
    }
    for (std::size_t column = 0; column < tree.self.size(); ++column) {
      internal::add_saturated(tree.self[column][raw(path.back())], profile.number(stack, column));
    }
  });
}

}  // namespace

CallTree build_call_tree(const Profile& profile, bool reverse, std::uint64_t max_nodes) {
  return internal::build_call_tree(profile, internal::StackOrder(profile, reverse, max_nodes));
}

namespace internal {

CallTree build_call_tree(const Profile& profile, StackOrder order) {
  const std::size_t nodes = order.node_count();
  CallTree tree = empty_tree(profile);
  resize_large(tree.parent, nodes);
  resize_large(tree.level, nodes);
  tree.self.resize(profile.sample_types.size());
  for (std::vector<std::uint64_t>& self : tree.self) {
    resize_large(self, nodes);
  }
  add_stacks(tree, profile, order);
  tree.frame = order.take_frames();
  add_totals(tree);
  return tree;
}

CallTree empty_tree(const Profile& profile) {
  CallTree tree;
  tree.sample_types = profile.sample_types;
  tree.default_sample_type = profile.default_sample_type;
  tree.frame_table = profile.frame_table;
  if (!tree.frame_table) {
    tree.frame_table = std::make_shared<FrameTable>(std::vector<std::string_view>{}, nullptr);
  }
  return tree;
}

void add_totals(CallTree& tree) {
  tree.total.resize(tree.self.size());
  for (std::size_t column = 0; column < tree.total.size(); ++column) {
    std::vector<std::uint64_t>& total = tree.total[column];
    reserve_large(total, tree.size());
    total = tree.self[column];
    for (std::size_t node = total.size() - 1; node > 0; --node) {
      add_saturated(total[raw(tree.parent[node])], total[node]);
    }
  }
}

}  // namespace internal
}  // namespace jfrtree
