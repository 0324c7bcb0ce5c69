#include "profile/collapsed_filter.hpp"

namespace jfrtree::internal {

CollapsedFilter::CollapsedFilter(const Filters& filters)
    : filters_(filters), filter_(filters, frame_options_, texts_) {}

std::span<const std::string_view> CollapsedFilter::apply(std::span<const std::string_view> frames) {
  if (filters_.options().has_event_filters()) return {};
  if (!filters_.options().has_stack_filters()) return frames;
  numbers_.clear();
  for (const std::string_view frame : frames) numbers_.push_back(FrameId{texts_.add(frame)});
  const bool has_thread = !frames.empty() && is_thread_frame(frames.front());
  const std::size_t markers = has_thread ? 1 : 0;
  const bool has_marker = markers < frames.size() && is_marker(frames[markers]);
  if (!filter_.apply(numbers_, markers, markers + (has_marker ? 1 : 0))) return {};
  kept_.clear();
  for (const FrameId number : numbers_) kept_.push_back(texts_[raw(number)]);
  return kept_;
}

void CollapsedFilter::report(std::uint64_t lines, ProblemLog& log) const {
  if (lines == 0 || !filters_.options().has_event_filters()) return;
  log.note(ErrorCode::left_out, no_position,
           "collapsed stacks are left out: they tell nothing of the time, thread, state, duration "
           "or context by which samples are chosen",
           lines);
}

}  // namespace jfrtree::internal
