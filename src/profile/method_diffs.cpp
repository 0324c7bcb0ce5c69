#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <jfrtree/diff.hpp>

namespace jfrtree {
namespace {

/// How much a method changed, without the sign.
struct Extent {
  double self = 0;
  double total = 0;
};

}  // namespace

std::vector<MethodDiff> method_diffs(const DiffProfile& diff, std::size_t sample_type,
                                     Comparison comparison) {
  const SideUnits units = side_units(diff, sample_type, comparison);
  const auto by_frame = [](const auto& a, const auto& b) { return raw(a.frame) < raw(b.frame); };
  // Both sides have the same stacks, so the same methods.
  std::vector<MethodSums> left = method_sums(diff.left, sample_type);
  std::vector<MethodSums> right = method_sums(diff.right, sample_type);
  std::sort(left.begin(), left.end(), by_frame);
  std::sort(right.begin(), right.end(), by_frame);
  std::vector<std::pair<Extent, MethodDiff>> ranked;
  ranked.reserve(left.size());
  const auto change = [&](const std::vector<std::uint64_t>& before,
                          const std::vector<std::uint64_t>& after) {
    // A difference of doubles could be other than 0 where nothing changed.
    if (units.compare(before[sample_type], after[sample_type]) == 0) {
      return 0.0;
    }
    return std::abs(units.in_unit(1, after[sample_type]) - units.in_unit(0, before[sample_type]));
  };
  for (std::size_t i = 0; i < left.size(); ++i) {
    const Extent extent{change(left[i].self, right[i].self), change(left[i].total, right[i].total)};
    ranked.push_back({extent, {left[i].frame, std::move(left[i]), std::move(right[i])}});
  }
  std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) {
    return a.first.self != b.first.self ? a.first.self > b.first.self
                                        : a.first.total > b.first.total;
  });
  std::vector<MethodDiff> methods;
  methods.reserve(ranked.size());
  for (auto& [extent, method] : ranked) {
    methods.push_back(std::move(method));
  }
  return methods;
}

}  // namespace jfrtree
