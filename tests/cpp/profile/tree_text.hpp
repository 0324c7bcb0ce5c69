#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <jfrtree/call_tree.hpp>

namespace jfrtree::test {

/// A tree as one line per node: indentation by level, name, self and total of a column.
///
///   total 0 4
///     a 0 4
inline std::string tree_text(const CallTree& tree, std::size_t column = 0) {
  std::string text;
  for (std::size_t node = 0; node < tree.size(); ++node) {
    text += std::string(2 * std::size_t{tree.level[node]}, ' ');
    text += std::string(tree.text(node)) + ' ' + std::to_string(tree.self[column][node]) + ' ' +
            std::to_string(tree.total[column][node]) + '\n';
  }
  return text;
}

/// The names from the root's child to a node.
inline std::vector<std::string> path_of(const CallTree& tree, std::size_t node) {
  std::vector<std::string> path(tree.level[node]);
  for (; node != 0; node = raw(tree.parent[node])) {
    path[tree.level[node] - 1] = tree.text(node);
  }
  return path;
}

}  // namespace jfrtree::test
