#include "export/flamebearer_layout.hpp"

#include <algorithm>
#include <limits>
#include <string_view>

namespace jfrtree::internal {
namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

/// The nodes that become bars, in pre-order.
std::vector<std::uint32_t> drawn_nodes(const CallTree& tree, std::span<const std::size_t> columns) {
  std::vector<std::uint32_t> drawn{0};
  for (std::size_t node = 1; node < tree.size(); ++node) {
    if (std::any_of(columns.begin(), columns.end(),
                    [&](std::size_t column) { return tree.total.at(column)[node] > 0; })) {
      drawn.push_back(static_cast<std::uint32_t>(node));
    }
  }
  return drawn;
}

/// Sorts nodes by level and keeps their order on each: counting sort.
void sort_by_level(const CallTree& tree, std::span<const std::uint32_t> drawn,
                   FlamebearerLayout& layout) {
  std::vector<std::size_t> next;  // per level: where its next node goes
  for (const std::uint32_t node : drawn) {
    const std::size_t level = tree.level[node];
    if (level >= layout.level_ends.size()) {
      layout.level_ends.resize(level + 1);
    }
    ++layout.level_ends[level];
  }
  std::size_t begin = 0;
  for (std::size_t& end : layout.level_ends) {
    next.push_back(begin);
    begin += end;
    end = begin;
  }
  layout.nodes.resize(drawn.size());
  for (const std::uint32_t node : drawn) {
    layout.nodes[next[tree.level[node]]++] = node;
  }
}

/// Nodes in the order of a walk that visits parents first and goes to the rightmost child first.
/// That is the reverse of post-order, where a node stands behind all that are on its left or below
/// it: everything before it in pre-order but its ancestors, and its own subtree.
std::vector<std::uint32_t> rightmost_first(const CallTree& tree,
                                           std::span<const std::uint32_t> drawn) {
  std::vector<std::uint32_t> below(tree.size());  // drawn nodes of a subtree, without its root
  for (std::size_t index = drawn.size() - 1; index > 0; --index) {
    below[raw(tree.parent[drawn[index]])] += below[drawn[index]] + 1;
  }
  std::vector<std::uint32_t> walk(drawn.size());
  for (std::size_t index = 0; index < drawn.size(); ++index) {
    const std::uint32_t node = drawn[index];
    const std::size_t post_order = index - tree.level[node] + below[node];
    walk[drawn.size() - 1 - post_order] = node;
  }
  return walk;
}

void number_names(const CallTree& tree, std::span<const std::uint32_t> walk,
                  std::string_view name_of_root, FlamebearerLayout& layout) {
  layout.name.assign(tree.size(), 0);
  std::vector<std::uint32_t> numbers(tree.frame_table->size() + 1, none);  // the last: `other`
  for (const std::uint32_t node : walk.subspan(1)) {
    const FrameId frame = tree.frame[node];
    const std::size_t slot = std::min<std::size_t>(raw(frame), numbers.size() - 1);
    std::uint32_t& number = numbers[slot];
    if (number == none) {
      if (frame != other_frame && tree.text(node) == name_of_root) {
        number = 0;
      } else {
        layout.names.push_back(frame);
        number = static_cast<std::uint32_t>(layout.names.size());
      }
    }
    layout.name[node] = number;
  }
}

}  // namespace

FlamebearerLayout flamebearer_layout(const CallTree& tree, std::span<const std::size_t> columns) {
  const bool is_single = columns.size() == 1;
  const std::vector<std::uint32_t> drawn = drawn_nodes(tree, columns);
  FlamebearerLayout layout;
  sort_by_level(tree, drawn, layout);
  number_names(tree, rightmost_first(tree, drawn), is_single ? "total" : "", layout);
  return layout;
}

}  // namespace jfrtree::internal
