#include <algorithm>
#include <limits>
#include <utility>

#include <jfrtree/call_tree.hpp>

#include "profile/saturating_add.hpp"

namespace jfrtree {
namespace {

using internal::saturating_add;

constexpr std::size_t never = std::numeric_limits<std::size_t>::max();

/// Sums by frame, one column per sample type.
struct FrameSums {
  std::vector<std::size_t> last_stack;  ///< the last stack that the frame was seen in
  std::vector<std::vector<std::uint64_t>> self;
  std::vector<std::vector<std::uint64_t>> total;
};

void add(std::uint64_t& sum, std::uint64_t number) noexcept { sum = saturating_add(sum, number); }

FrameSums sum_frames(const Profile& profile) {
  const std::size_t columns = profile.sample_types.size();
  const std::size_t frame_count = profile.frame_table->size();
  FrameSums sums;
  sums.last_stack.assign(frame_count, never);
  sums.self.assign(columns, std::vector<std::uint64_t>(frame_count));
  sums.total = sums.self;
  for (std::size_t index = 0; index < profile.stacks.size(); ++index) {
    const StackSum& stack = profile.stacks[index];
    const auto frames = profile.frames(stack);
    for (const FrameId frame : frames) {
      if (std::exchange(sums.last_stack[raw(frame)], index) == index) {
        continue;
      }
      for (std::size_t column = 0; column < columns; ++column) {
        add(sums.total[column][raw(frame)], profile.number(stack, column));
      }
    }
    for (std::size_t column = 0; column < columns && !frames.empty(); ++column) {
      add(sums.self[column][raw(frames.back())], profile.number(stack, column));
    }
  }
  return sums;
}

}  // namespace

std::vector<MethodSums> method_sums(const Profile& profile, std::size_t sample_type,
                                    bool by_total) {
  if (profile.stacks.empty()) {
    return {};
  }
  const FrameSums sums = sum_frames(profile);
  std::vector<std::uint32_t> order;
  for (std::size_t frame = 0; frame < sums.last_stack.size(); ++frame) {
    if (sums.last_stack[frame] != never) {
      order.push_back(static_cast<std::uint32_t>(frame));
    }
  }
  const std::vector<std::uint64_t>& numbers = (by_total ? sums.total : sums.self).at(sample_type);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return numbers[a] != numbers[b] ? numbers[a] > numbers[b] : a < b;
  });
  std::vector<MethodSums> methods;
  methods.reserve(order.size());
  for (const std::uint32_t frame : order) {
    MethodSums method{FrameId{frame}, {}, {}};
    for (std::size_t column = 0; column < profile.sample_types.size(); ++column) {
      method.self.push_back(sums.self[column][frame]);
      method.total.push_back(sums.total[column][frame]);
    }
    methods.push_back(std::move(method));
  }
  return methods;
}

}  // namespace jfrtree
