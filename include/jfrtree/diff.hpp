#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <jfrtree/call_tree.hpp>
#include <jfrtree/profile.hpp>

namespace jfrtree {

/// Two profiles of one kind side by side: what was measured before (left) and after (right).
///
/// Both have the same sample types, frame table, frames and stacks: the stack at an index of one is
/// that of the other, with zeros where a side does not have it. Immutable, as profiles are.
struct DiffProfile {
  Profile left;
  Profile right;
  /// Length of what was recorded, in nanoseconds, left and right; absent where unknown.
  std::array<std::optional<std::uint64_t>, 2> span_ns{};
};

/// Puts two profiles side by side; frames with equal texts are the same, whatever their tables.
/// Sample types that only one side has are dropped, which leaves the count at least; a side without
/// stacks takes those of the other. The result keeps the texts of both alive. Linear in the frames.
/// Throws UsageError when one has thread frames and the other does not.
[[nodiscard]] DiffProfile join_profiles(const Profile& left, const Profile& right);

/// The same for all kinds that either set has, in the order of the sets: those of the left one
/// first where that order does not decide. A kind that a set lacks is zeros on its side.
[[nodiscard]] std::vector<DiffProfile> join_profiles(const ProfileSet& left,
                                                     const ProfileSet& right);

/// How the numbers of two sides are compared.
enum class Comparison : std::uint8_t {
  share,       ///< as parts of each side's total: a recording eight times as long shows no change
  absolute,    ///< as they are
  per_second,  ///< as rates over each side's time span
};

/// The amounts of both sides that are equal to each other: their totals, time spans, or 1.
class SideUnits {
 public:
  SideUnits() = default;  ///< numbers as they are
  /// Shares of two totals, or rates over two spans. A side without any has no numbers either.
  SideUnits(std::uint64_t left, std::uint64_t right) noexcept : units_{left, right} {}

  /// A number of the right side in the measure of the left one, rounded half to even; as it is
  /// where a side has nothing to measure by. At most 2^64-1.
  [[nodiscard]] std::uint64_t right_as_left(std::uint64_t right) const noexcept;
  /// Whether the right number is less than the left one, equal or greater; exact.
  [[nodiscard]] std::strong_ordering compare(std::uint64_t left,
                                             std::uint64_t right) const noexcept;
  /// A number of a side (0: left) in its unit; 0 where that is 0.
  [[nodiscard]] double in_unit(std::size_t side, std::uint64_t number) const noexcept;

 private:
  std::array<std::uint64_t, 2> units_{1, 1};
};

/// The units of a comparison for a sample type. `per_second` throws UsageError where a side does
/// not say how long it recorded, and for what has no rate: snapshots and estimated time.
[[nodiscard]] SideUnits side_units(const DiffProfile& diff, std::size_t sample_type,
                                   Comparison comparison);

/// The call tree of both sides. Its columns, and sample types, are those of the left side, then as
/// many of the right one. Otherwise as `build_call_tree`.
[[nodiscard]] CallTree build_diff_tree(const DiffProfile& diff, bool reverse = false,
                                       std::uint64_t max_nodes = Limits{}.tree_nodes);

/// One method on both sides: one number per sample type.
struct MethodDiff {
  FrameId frame{};
  MethodSums left;
  MethodSums right;
};

/// All methods of both sides, those first whose self of a sample type changed most, by total where
/// that is equal, then by text.
[[nodiscard]] std::vector<MethodDiff> method_diffs(const DiffProfile& diff, std::size_t sample_type,
                                                   Comparison comparison);

}  // namespace jfrtree
