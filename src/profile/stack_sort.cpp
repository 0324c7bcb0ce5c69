#include "profile/stack_sort.hpp"

#include <algorithm>
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

/// Sorts by the most significant frames first, several at a time: as many ids as fit into 64 bits.
class StackSorter {
 public:
  StackSorter(std::span<const StackSum> stacks, std::span<const FrameId> frames,
              std::uint64_t frame_ids)
      : stacks_(stacks),
        frames_(frames),
        bits_(static_cast<unsigned>(std::bit_width(frame_ids))),
        frames_per_key_(64 / std::max(1U, bits_)) {
    reserve_large(keys_, stacks.size());
    keys_.resize(stacks.size());
    for (std::uint32_t i = 0; i < keys_.size(); ++i) keys_[i].stack = i;
  }

  [[nodiscard]] const std::vector<Key>& run() {
    if (keys_.size() > 1) open_.push_back({0, static_cast<std::uint32_t>(keys_.size()), 0});
    while (!open_.empty()) {
      const Range range = open_.back();
      open_.pop_back();
      if (set_keys(range)) {
        std::sort(keys_.begin() + range.begin, keys_.begin() + range.end,
                  [](const Key& a, const Key& b) { return a.frames < b.frames; });
      }
      split(range);
    }
    return keys_;
  }

 private:
  /// How many stacks ahead their frames are fetched: they lie anywhere in memory.
  static constexpr std::uint32_t prefetched = 8;

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

  /// Sets the keys of a range; true when they differ.
  bool set_keys(const Range& range) noexcept {
    std::uint64_t differences = 0;
    for (std::uint32_t i = range.begin; i < range.end; ++i) {
      if (range.end - i > prefetched) {
        const StackSum& later = stacks_[keys_[i + prefetched].stack];
        if (range.depth < later.frame_count) {
          __builtin_prefetch(&frames_[later.first_frame + range.depth]);
        }
      }
      keys_[i].frames = key_at(stacks_[keys_[i].stack], range.depth);
      differences |= keys_[i].frames ^ keys_[range.begin].frames;
    }
    return differences != 0;
  }

  /// Opens a range for each group of equal keys that go on behind them.
  void split(const Range& range) {
    const std::uint64_t last_frame = (std::uint64_t{1} << bits_) - 1;
    for (std::uint32_t begin = range.begin; begin < range.end;) {
      std::uint32_t end = begin + 1;
      while (end < range.end && keys_[end].frames == keys_[begin].frames) ++end;
      const bool goes_on = (keys_[begin].frames & last_frame) != 0;
      if (end - begin > 1 && goes_on) open_.push_back({begin, end, range.depth + frames_per_key_});
      begin = end;
    }
  }

  std::span<const StackSum> stacks_;
  std::span<const FrameId> frames_;
  unsigned bits_;
  std::uint32_t frames_per_key_;
  std::vector<Key> keys_;
  std::vector<Range> open_;
};

}  // namespace

void sort_stacks(std::vector<StackSum>& stacks, std::span<const FrameId> frames,
                 std::uint64_t frame_ids) {
  StackSorter sorter(stacks, frames, frame_ids);
  std::vector<StackSum> sorted;
  reserve_large(sorted, stacks.size());
  for (const Key& key : sorter.run()) sorted.push_back(stacks[key.stack]);
  stacks = std::move(sorted);
}

}  // namespace jfrtree::internal
