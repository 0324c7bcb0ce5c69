#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "io/problem_log.hpp"
#include "profile/filters.hpp"
#include "profile/stack_filter.hpp"
#include "profile/text_table.hpp"

namespace jfrtree::internal {

/// Filters on the stacks of collapsed input. They have no time, thread or state: with a filter on
/// such things none is kept.
class CollapsedFilter {
 public:
  /// The filters must outlive the filter.
  explicit CollapsedFilter(const Filters& filters);
  CollapsedFilter(const CollapsedFilter&) = delete;
  CollapsedFilter& operator=(const CollapsedFilter&) = delete;

  /// What stays of a stack, root first; nothing when it is dropped. Valid until the next call.
  [[nodiscard]] std::span<const std::string_view> apply(std::span<const std::string_view> frames);

  /// Says why all lines were left out, if they were.
  void report(std::uint64_t lines, ProblemLog& log) const;

 private:
  const Filters& filters_;
  FrameOptions frame_options_;  // none: a number at the end of a frame is part of its name
  TextTable texts_;
  StackFilter filter_;
  std::vector<FrameId> numbers_;
  std::vector<std::string_view> kept_;
};

}  // namespace jfrtree::internal
