#pragma once

#include <span>

#include <jfrtree/profile.hpp>

namespace jfrtree {

/// One profile with the samples of several, as if their sources had been read together: the stacks
/// of all, each once, with the sums of its numbers. Frames with equal texts are the same, whatever
/// their tables; the result keeps the texts alive.
///
/// Sample types that one of the profiles lacks are dropped, which leaves the count at least; those
/// of a profile without stacks do not matter. The value is absent when it is for one of them. Sums
/// beyond 64 bits stay at the largest number. Snapshots are added up too, which is right for those
/// of different processes. Does not depend on the order of the profiles. Linear in the frames times
/// the logarithm of the number of profiles.
///
/// Throws UsageError for no profile at all, for profiles of different kinds, and when some have
/// thread frames and others have not.
[[nodiscard]] Profile merge_profiles(std::span<const Profile> profiles);

}  // namespace jfrtree
