#pragma once

#include <cstddef>
#include <span>

#include <jfrtree/call_tree.hpp>
#include <jfrtree/output.hpp>

namespace jfrtree::internal {

/// `jfrtree::write_grafana` for one column of a tree, or for the left and the right one of a diff.
void write_grafana(Output& output, const CallTree& tree, std::span<const std::size_t> columns);

}  // namespace jfrtree::internal
