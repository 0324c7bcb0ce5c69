#include "profile/stack_sort.hpp"

#include <algorithm>
#include <atomic>
#include <bit>

#include "io/large_memory.hpp"

namespace jfrtree::internal {

namespace {

struct Key {
  std::uint64_t frames;  // as many frames as fit, each + 1; 0: the stack has ended
  std::uint32_t stack;
};

/// Stacks that are equal up to a depth and are to be sorted from there on.
struct Range {
  std::uint32_t begin;
  std::uint32_t end;
  std::uint32_t depth;
};

/// How many stacks ahead memory is fetched: they and their frames lie anywhere.
constexpr std::uint32_t prefetched = 8;

[[nodiscard]] bool is_less(const Key& a, const Key& b) noexcept { return a.frames < b.frames; }

/// Sorts by the most significant frames first, several at a time: as many ids as fit into 64 bits.
/// All threads sort large ranges together, one after the other, until only small ones are left,
/// which each of them sorts alone.
class StackSorter {
 public:
  StackSorter(std::span<const StackSum> stacks, std::span<const FrameId> frames,
              std::uint64_t frame_ids, ThreadTeam& team)
      : stacks_(stacks),
        frames_(frames),
        team_(team),
        bits_(static_cast<unsigned>(std::bit_width(frame_ids))),
        frames_per_key_(64 / std::max(1U, bits_)) {
    reserve_large(keys_, stacks.size());
    keys_.resize(stacks.size());
    for (std::uint32_t i = 0; i < keys_.size(); ++i) keys_[i].stack = i;
  }

  [[nodiscard]] const std::vector<Key>& run() {
    std::vector<Range> small;
    std::vector<Range> large;
    std::vector<Range> found{{0, static_cast<std::uint32_t>(keys_.size()), 0}};
    for (;;) {
      for (const Range& range : found) (is_large(range) ? large : small).push_back(range);
      found.clear();
      if (large.empty()) break;
      const Range range = large.back();
      large.pop_back();
      sort_together(range);
      split(range, found);
    }
    team_.for_ranges(small.size(), small_at_a_time, [&](std::size_t begin, std::size_t end) {
      sort_alone({small.begin() + static_cast<std::ptrdiff_t>(begin),
                  small.begin() + static_cast<std::ptrdiff_t>(end)});
    });
    return keys_;
  }

 private:
  static constexpr std::size_t small_at_a_time = 16;
  /// Ranges that are cut into pieces are worth it from here on.
  static constexpr std::size_t least_large = std::size_t{1} << 14;

  [[nodiscard]] bool is_large(const Range& range) const noexcept {
    const std::size_t share = keys_.size() / (8 * std::size_t{team_.size()});
    return team_.size() > 1 && range.end - range.begin > std::max(least_large, share);
  }

  [[nodiscard]] std::uint64_t key_at(const StackSum& stack, std::uint32_t depth) const noexcept {
    const std::size_t first = stack.first_frame + depth;
    const std::uint32_t left = stack.frame_count > depth ? stack.frame_count - depth : 0;
    const std::uint32_t taken = std::min(left, frames_per_key_);
    std::uint64_t key = 0;
    for (std::uint32_t i = 0; i < taken; ++i) {
      key = key << bits_ | (std::uint64_t{raw(frames_[first + i])} + 1);
    }
    // A shift by all 64 bits has no meaning.
    return taken == 0 ? 0 : key << (bits_ * (frames_per_key_ - taken));
  }

  [[nodiscard]] std::vector<Key>::iterator key(std::size_t index) noexcept {
    return keys_.begin() + static_cast<std::ptrdiff_t>(index);
  }

  void sort_alone(std::vector<Range> open) {
    while (!open.empty()) {
      const Range range = open.back();
      open.pop_back();
      if (set_keys(range)) std::sort(key(range.begin), key(range.end), is_less);
      split(range, open);
    }
  }

  /// Sorts as many pieces as there are threads, then merges neighbours until one is left.
  void sort_together(const Range& range) {
    const std::uint32_t count = range.end - range.begin;
    const auto pieces = std::bit_ceil(team_.size());
    const auto begin_of = [&](std::size_t piece) {
      return range.begin + static_cast<std::uint32_t>(std::uint64_t{count} * piece / pieces);
    };
    const std::uint64_t first = key_at(stacks_[keys_[range.begin].stack], range.depth);
    std::atomic<bool> is_mixed{false};
    team_.for_ranges(pieces, 1, [&](std::size_t piece, std::size_t) {
      const Range part{begin_of(piece), begin_of(piece + 1), range.depth};
      if (set_keys(part)) {
        std::sort(key(part.begin), key(part.end), is_less);
        is_mixed = true;
      } else if (keys_[part.begin].frames != first) {
        is_mixed = true;
      }
    });
    if (!is_mixed) return;
    for (std::size_t width = 1; width < pieces; width *= 2) {
      team_.for_ranges(pieces / (2 * width), 1, [&](std::size_t pair, std::size_t) {
        const std::size_t left = 2 * width * pair;
        std::inplace_merge(key(begin_of(left)), key(begin_of(left + width)),
                           key(begin_of(left + 2 * width)), is_less);
      });
    }
  }

  /// Sets the keys of a range, which is not empty; true when they differ.
  bool set_keys(const Range& range) noexcept {
    std::uint64_t differences = 0;
    for (std::uint32_t i = range.begin; i < range.end; ++i) {
      if (range.end - i > prefetched) prefetch(i + prefetched, range.depth);
      keys_[i].frames = key_at(stacks_[keys_[i].stack], range.depth);
      differences |= keys_[i].frames ^ keys_[range.begin].frames;
    }
    return differences != 0;
  }

  /// Adds to `open` a range for each group of equal keys that go on behind them.
  void split(const Range& range, std::vector<Range>& open) const {
    const std::uint64_t last_frame = (std::uint64_t{1} << bits_) - 1;
    for (std::uint32_t begin = range.begin; begin < range.end;) {
      std::uint32_t end = begin + 1;
      while (end < range.end && keys_[end].frames == keys_[begin].frames) ++end;
      const bool goes_on = (keys_[begin].frames & last_frame) != 0;
      if (end - begin > 1 && goes_on) open.push_back({begin, end, range.depth + frames_per_key_});
      begin = end;
    }
  }

  void prefetch(std::uint32_t index, std::uint32_t depth) const noexcept {
    const StackSum& stack = stacks_[keys_[index].stack];
    if (depth < stack.frame_count) __builtin_prefetch(&frames_[stack.first_frame + depth]);
  }

  std::span<const StackSum> stacks_;
  std::span<const FrameId> frames_;
  ThreadTeam& team_;
  unsigned bits_;
  std::uint32_t frames_per_key_;
  std::vector<Key> keys_;
};

}  // namespace

void sort_stacks(std::vector<StackSum>& stacks, std::span<const FrameId> frames,
                 std::uint64_t frame_ids, ThreadTeam& team) {
  if (stacks.size() < 2) return;
  StackSorter sorter(stacks, frames, frame_ids, team);
  const std::vector<Key>& keys = sorter.run();
  std::vector<StackSum> sorted;
  reserve_large(sorted, stacks.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (keys.size() - i > prefetched) __builtin_prefetch(&stacks[keys[i + prefetched].stack]);
    sorted.push_back(stacks[keys[i].stack]);
  }
  stacks = std::move(sorted);
}

void sort_stacks(std::vector<StackSum>& stacks, std::span<const FrameId> frames,
                 std::uint64_t frame_ids) {
  ThreadTeam alone(1);
  sort_stacks(stacks, frames, frame_ids, alone);
}

}  // namespace jfrtree::internal
