#pragma once

#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

#include <tsl/robin_growth_policy.h>
#include <tsl/robin_map.h>
#include <tsl/robin_set.h>

#include "io/hash.hpp"

namespace jfrtree::internal {

/// Scalars are compared faster than stored hashes are looked at; longer keys are not.
template <typename Key>
inline constexpr bool stores_hash = !std::is_scalar_v<Key>;

/// Hash map for keys that come from a file: integers, id enums, strings (found by `string_view`
/// too), pairs of these. The order of iteration differs from process to process; whatever leaves
/// the program is sorted first. Inserting moves the entries: no pointer into it stays valid.
template <typename Key, typename Value>
using SeededMap =
    tsl::robin_map<Key, Value, SeededHash, std::equal_to<>, std::allocator<std::pair<Key, Value>>,
                   stores_hash<Key>, tsl::rh::power_of_two_growth_policy<2>>;

/// The set that belongs to `SeededMap`.
template <typename Key>
using SeededSet = tsl::robin_set<Key, SeededHash, std::equal_to<>, std::allocator<Key>,
                                 stores_hash<Key>, tsl::rh::power_of_two_growth_policy<2>>;

}  // namespace jfrtree::internal
