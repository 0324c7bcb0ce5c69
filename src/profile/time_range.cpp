#include <jfrtree/time_range.hpp>

#include "profile/filters.hpp"
#include "profile/prescan.hpp"

namespace jfrtree {

TimeRange resolve_time_range(std::vector<Source>& sources, const FilterOptions& filters,
                             const ReadOptions& options) {
  ProfileRequest times;
  times.filters.from = filters.from;
  times.filters.to = filters.to;
  internal::Filters compiled(times);
  internal::prescan(sources, compiled, options);
  return compiled.times();
}

}  // namespace jfrtree
