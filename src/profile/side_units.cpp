#include <algorithm>
#include <limits>

#include <jfrtree/diff.hpp>

#include "profile/saturating_add.hpp"

namespace jfrtree {
namespace {

__extension__ using Uint128 = unsigned __int128;

std::uint64_t total_of(const Profile& profile, std::size_t sample_type) {
  std::uint64_t total = 0;
  for (const StackSum& stack : profile.stacks) {
    internal::add_saturated(total, profile.number(stack, sample_type));
  }
  return total;
}

}  // namespace

std::uint64_t SideUnits::right_as_left(std::uint64_t right) const noexcept {
  const auto [left_unit, right_unit] = units_;
  if (left_unit == 0 || right_unit == 0) {
    return right;
  }
  const Uint128 product = Uint128{right} * left_unit;
  Uint128 quotient = product / right_unit;
  const Uint128 twice_rest = 2 * (product % right_unit);
  if (twice_rest > right_unit || (twice_rest == right_unit && quotient % 2 == 1)) {
    ++quotient;
  }
  constexpr Uint128 largest = std::numeric_limits<std::uint64_t>::max();
  return static_cast<std::uint64_t>(std::min(quotient, largest));
}

std::strong_ordering SideUnits::compare(std::uint64_t left, std::uint64_t right) const noexcept {
  const auto [left_unit, right_unit] = units_;
  const Uint128 left_part = Uint128{left} * std::max<std::uint64_t>(right_unit, 1);
  const Uint128 right_part = Uint128{right} * std::max<std::uint64_t>(left_unit, 1);
  if (left_part == right_part) {
    return std::strong_ordering::equal;
  }
  return right_part < left_part ? std::strong_ordering::less : std::strong_ordering::greater;
}

double SideUnits::in_unit(std::size_t side, std::uint64_t number) const noexcept {
  const std::uint64_t unit = units_[side];
  return unit == 0 ? 0.0 : static_cast<double>(number) / static_cast<double>(unit);
}

SideUnits side_units(const DiffProfile& diff, std::size_t sample_type, Comparison comparison) {
  const SampleType& type = diff.left.sample_types.at(sample_type);
  switch (comparison) {
    case Comparison::absolute:
      return {};
    case Comparison::share:
      return {total_of(diff.left, sample_type), total_of(diff.right, sample_type)};
    case Comparison::per_second:
      break;
  }
  if (diff.left.is_snapshot) {
    throw UsageError(diff.left.kind +
                     " is a state at a moment, which has no rate: compare it by "
                     "share or as it is");
  }
  if (type.name.starts_with("estimated_")) {
    throw UsageError(type.full_name() +
                     " is an estimate, of which no rate is made: choose the "
                     "sample type count");
  }
  for (std::size_t side = 0; side < 2; ++side) {
    if (!diff.span_ns[side]) {
      throw UsageError(std::string(side == 0 ? "the base" : "the other input") +
                       " does not say how long it was recorded, so there is no rate: compare by "
                       "share or as it is");
    }
  }
  return {*diff.span_ns[0], *diff.span_ns[1]};
}

}  // namespace jfrtree
