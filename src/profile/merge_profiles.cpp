#include <jfrtree/merge.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

#include <jfrtree/diff.hpp>

#include "profile/saturating_add.hpp"

namespace jfrtree {
namespace {

using internal::add_saturated;
using internal::saturating_add;

/// The further numbers of the stacks of both sides, added, in the order of the stacks.
std::vector<std::uint64_t> add_further_numbers(const DiffProfile& diff) {
  const std::size_t types = diff.left.sample_types.size();
  std::vector<std::uint64_t> numbers;
  if (types > 2) {
    numbers.reserve(diff.left.stacks.size() * (types - 2));
    for (std::size_t i = 0; i < diff.left.stacks.size(); ++i) {
      for (std::size_t type = 2; type < types; ++type) {
        numbers.push_back(saturating_add(diff.left.number(diff.left.stacks[i], type),
                                         diff.right.number(diff.right.stacks[i], type)));
      }
    }
  }
  return numbers;
}

void add_stacks(DiffProfile& diff) {
  std::vector<std::uint64_t> further_numbers = add_further_numbers(diff);
  constexpr std::uint32_t most_further_row = 0x7FFF'FFFF;
  for (std::size_t i = 0; i < diff.left.stacks.size(); ++i) {
    StackSum& sum = diff.left.stacks[i];
    const StackSum& other = diff.right.stacks[i];
    add_saturated(sum.count, other.count);
    add_saturated(sum.value, other.value);
    sum.has_value = sum.has_value || other.has_value;
    sum.further = further_numbers.empty() ? 0 : static_cast<std::uint32_t>(i) & most_further_row;
  }
  diff.left.further_numbers = std::move(further_numbers);
}

Profile merge_two(const Profile& one, const Profile& other) {
  DiffProfile diff = join_profiles(one, other);
  add_stacks(diff);
  Profile& sum = diff.left;
  std::vector<std::string> events;
  std::set_union(one.events.begin(), one.events.end(), other.events.begin(), other.events.end(),
                 std::back_inserter(events));
  sum.events = std::move(events);
  add_saturated(sum.event_count, other.event_count);
  add_saturated(sum.count, other.count);
  if (diff.left.value && diff.right.value) {
    sum.value = saturating_add(*diff.left.value, *diff.right.value);
  } else {
    sum.value.reset();
  }
  return std::move(sum);
}

Profile with_sorted_events(Profile profile) {
  std::sort(profile.events.begin(), profile.events.end());
  return profile;
}

Profile merge_sorted(std::span<const Profile> profiles) {
  if (profiles.size() == 1) {
    return with_sorted_events(profiles.front());
  }
  const std::size_t half = profiles.size() / 2;
  return merge_two(merge_sorted(profiles.first(half)), merge_sorted(profiles.subspan(half)));
}

}  // namespace

Profile merge_profiles(std::span<const Profile> profiles) {
  if (profiles.empty()) {
    throw UsageError("no profiles were given to merge");
  }
  for (const Profile& profile : profiles) {
    if (profile.kind != profiles.front().kind) {
      throw UsageError("profiles of one kind are merged, not " + profiles.front().kind + " and " +
                       profile.kind);
    }
  }
  return merge_sorted(profiles);
}

}  // namespace jfrtree
