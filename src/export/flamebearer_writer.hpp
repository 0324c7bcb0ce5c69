#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <jfrtree/call_tree.hpp>
#include <jfrtree/output.hpp>

namespace jfrtree::internal {

/// The double form for a tree that has both sides: the columns of the left and the right one.
void write_flamebearer_sides(Output& output, const CallTree& tree,
                             std::array<std::size_t, 2> columns);

/// Cuts such a tree as Pyroscope does: nodes stay that are among the `max_nodes` largest, the root
/// counted, by the larger of their two numbers, and those that tie. 0 keeps all.
[[nodiscard]] CallTree prune_flamebearer_sides(const CallTree& tree,
                                               std::array<std::size_t, 2> columns,
                                               std::uint64_t max_nodes);

}  // namespace jfrtree::internal
