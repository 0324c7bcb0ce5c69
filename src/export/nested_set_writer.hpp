#pragma once

#include <cstddef>
#include <span>

#include <jfrtree/call_tree.hpp>
#include <jfrtree/output.hpp>

namespace jfrtree::internal {

/// The public functions of these names, for one column of a tree, or for the left and the right one
/// of a diff. The right side's numbers are `valueRight` and `selfRight`, as Grafana calls them.
void write_nested_set(Output& output, const CallTree& tree, std::span<const std::size_t> columns);
void write_nested_set_json(Output& output, const CallTree& tree,
                           std::span<const std::size_t> columns);

}  // namespace jfrtree::internal
