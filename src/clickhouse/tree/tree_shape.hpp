#pragma once

#include <jfrtree/call_tree.hpp>
#include <jfrtree/clickhouse_tree.hpp>
#include <jfrtree/profile.hpp>

namespace jfrtree::internal {

/// The tree of a profile as the options want it, with one column, or two for a comparison: cut to
/// what `convert` would show of it in the format of the shape.
[[nodiscard]] CallTree shape_tree(const Profile& profile, const TreeFilterOptions& options);

}  // namespace jfrtree::internal
