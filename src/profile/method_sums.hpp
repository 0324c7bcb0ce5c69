#pragma once

#include <cstddef>
#include <vector>

#include <jfrtree/call_tree.hpp>

#include "profile/stack_order.hpp"

namespace jfrtree::internal {

/// The public `method_sums` by self, for stacks that are in order already, from the root on.
[[nodiscard]] std::vector<MethodSums> method_sums(const Profile& profile, const StackOrder& order,
                                                  std::size_t sample_type);

}  // namespace jfrtree::internal
