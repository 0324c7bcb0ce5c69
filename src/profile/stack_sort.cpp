#include "profile/stack_sort.hpp"

#include <algorithm>

namespace jfrtree::internal {

namespace {

struct Key {
  std::uint64_t frames;  // two frames from the current depth on, each + 1; 0: the stack has ended
  std::uint32_t stack;
};

/// Stacks that are equal up to a depth and are to be sorted from there on.
struct Range {
  std::uint32_t begin;
  std::uint32_t end;
  std::uint32_t depth;
};

[[nodiscard]] std::uint64_t key_at(const StackSum& stack, std::span<const FrameId> frames,
                                   std::uint32_t depth) noexcept {
  const FrameId* first = frames.data() + stack.first_frame + depth;
  const std::uint32_t left = stack.frame_count > depth ? stack.frame_count - depth : 0;
  if (left == 0) return 0;
  const std::uint64_t high = (std::uint64_t{raw(first[0])} + 1) << 32;
  return left == 1 ? high : high | (std::uint64_t{raw(first[1])} + 1);
}

}  // namespace

void sort_stacks(std::vector<StackSum>& stacks, std::span<const FrameId> frames) {
  std::vector<Key> keys(stacks.size());
  for (std::uint32_t i = 0; i < keys.size(); ++i) keys[i].stack = i;
  std::vector<Range> open;
  if (keys.size() > 1) open.push_back({0, static_cast<std::uint32_t>(keys.size()), 0});
  while (!open.empty()) {
    const Range range = open.back();
    open.pop_back();
    for (std::uint32_t i = range.begin; i < range.end; ++i) {
      keys[i].frames = key_at(stacks[keys[i].stack], frames, range.depth);
    }
    std::sort(keys.begin() + range.begin, keys.begin() + range.end,
              [](const Key& a, const Key& b) { return a.frames < b.frames; });
    for (std::uint32_t begin = range.begin; begin < range.end;) {
      std::uint32_t end = begin + 1;
      while (end < range.end && keys[end].frames == keys[begin].frames) ++end;
      const bool goes_on = (keys[begin].frames & 0xFFFF'FFFFU) != 0;
      if (end - begin > 1 && goes_on) open.push_back({begin, end, range.depth + 2});
      begin = end;
    }
  }
  std::vector<StackSum> sorted;
  sorted.reserve(stacks.size());
  for (const Key& key : keys) sorted.push_back(stacks[key.stack]);
  stacks = std::move(sorted);
}

}  // namespace jfrtree::internal
