#include <algorithm>
#include <stdexcept>
#include <string>

#include <jfrtree/call_tree.hpp>

#include "profile/saturating_add.hpp"

namespace jfrtree {
namespace {

void require(bool holds, const char* what, std::size_t node) {
  if (!holds) {
    throw std::logic_error("call tree: node " + std::to_string(node) + ": " + what);
  }
}

void check_columns(const CallTree& tree) {
  const std::size_t nodes = tree.size();
  require(nodes > 0, "there is no root", 0);
  require(tree.parent.size() == nodes && tree.frame.size() == nodes, "columns of unequal length",
          nodes);
  require(tree.frame_table != nullptr, "there is no frame table", 0);
  const std::size_t columns = tree.sample_types.size();
  require(tree.self.size() == columns && tree.total.size() == columns,
          "not one column per sample type", 0);
  const auto has_all_nodes = [&](const auto& column) { return column.size() == nodes; };
  require(std::all_of(tree.self.begin(), tree.self.end(), has_all_nodes) &&
              std::all_of(tree.total.begin(), tree.total.end(), has_all_nodes),
          "number columns of unequal length", nodes);
  require(columns == 0 || tree.default_sample_type < columns, "no such default sample type", 0);
}

/// Whether `frame` may be the next child after `before`.
bool is_in_order(const CallTree& tree, FrameId before, FrameId frame) noexcept {
  if (before == other_frame) {
    return false;
  }
  return frame == other_frame || tree.frame_table->text(before) < tree.frame_table->text(frame);
}

void check_structure(const CallTree& tree) {
  require(tree.level[0] == 0 && raw(tree.parent[0]) == 0 && tree.frame[0] == root_frame,
          "the first node is no root", 0);
  std::vector<std::size_t> path{0};  // path[level] is the last node seen there
  for (std::size_t node = 1; node < tree.size(); ++node) {
    const std::size_t level = tree.level[node];
    require(level > 0, "a second root", node);
    require(level <= path.size(), "a level was left out", node);
    require(raw(tree.parent[node]) == path[level - 1], "the parent is not the one above it", node);
    require(raw(tree.frame[node]) < tree.frame_table->size() || tree.frame[node] == other_frame,
            "the frame is not in the table", node);
    require(tree.frame[path[level - 1]] != other_frame, "(other) has a child", node);
    if (level < path.size()) {
      require(is_in_order(tree, tree.frame[path[level]], tree.frame[node]),
              "siblings are not in order", node);
    }
    path.resize(level);
    path.push_back(node);
  }
}

void check_sums(const CallTree& tree) {
  for (std::size_t column = 0; column < tree.self.size(); ++column) {
    std::vector<std::uint64_t> sums = tree.self[column];
    for (std::size_t node = sums.size() - 1; node > 0; --node) {
      std::uint64_t& parent = sums[raw(tree.parent[node])];
      parent = internal::saturating_add(parent, tree.total[column][node]);
    }
    for (std::size_t node = 0; node < sums.size(); ++node) {
      require(sums[node] == tree.total[column][node],
              "the total is not the sum of self and children", node);
    }
  }
}

}  // namespace

void CallTree::check() const {
  check_columns(*this);
  check_structure(*this);
  check_sums(*this);
}

}  // namespace jfrtree
