#pragma once

#include <cstddef>
#include <span>

#include <jfrtree/profile.hpp>

#include "export/ordered_output.hpp"
#include "io/thread_team.hpp"
#include "profile/walk_stacks.hpp"

namespace jfrtree::internal {

/// Writes sorted stacks, of which each thread formats some at a time. `Lines` is made once for each
/// thread by `Lines(output, form)`; it is called as by `walk_stacks` for stacks that follow each
/// other, then its `flush` before it goes on elsewhere.
template <typename Lines, typename Form>
void write_stack_lines(Output& output, std::span<const StackSum> stacks,
                       std::span<const FrameId> frame_ids, const Form& form, ThreadTeam& team) {
  constexpr std::size_t stacks_in_part = 256;
  if (team.size() == 1 || stacks.size() <= stacks_in_part) {
    Lines lines(output, form);
    walk_stacks(stacks, frame_ids, [&lines](const auto&... stack) { lines.add(stack...); });
    lines.flush();
    return;
  }
  OrderedOutput ordered(output);
  RangeQueue parts(stacks.size(), stacks_in_part);
  team.run(parts, [&] {
    PartOutput part(ordered);
    Lines lines(part, form);
    while (const auto range = parts.next()) {
      part.begin_part(range->begin / stacks_in_part);
      walk_stacks(stacks.subspan(range->begin, range->end - range->begin), frame_ids,
                  [&lines](const auto&... stack) { lines.add(stack...); });
      lines.flush();
      part.end_part();
    }
  });
}

}  // namespace jfrtree::internal
