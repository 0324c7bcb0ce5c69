#include <algorithm>
#include <span>
#include <utility>

#include <jfrtree/call_tree.hpp>

#include "profile/method_sums.hpp"
#include "profile/saturating_add.hpp"
#include "profile/walk_stacks.hpp"

namespace jfrtree {
namespace {

using internal::add_saturated;

/// The two numbers of a stack: all sample types are made of them.
struct Sums {
  std::uint64_t count = 0;
  std::uint64_t value = 0;

  void add(const Sums& other) noexcept {
    add_saturated(count, other.count);
    add_saturated(value, other.value);
  }
  [[nodiscard]] std::uint64_t number(std::size_t sample_type) const noexcept {
    return sample_type == 0 ? count : value;
  }
};

struct FrameSums {
  Sums self;
  Sums total;
  std::uint32_t open_count = 0;  ///< nodes of the path that have the frame
  bool is_seen = false;
};

/// Sums stacks frame by frame as a walk of their call tree: what neighbours have in common is
/// visited once. A node counts where it is the first with its frame on the path from the root.
class FrameSummer {
 public:
  explicit FrameSummer(const Profile& profile) : frames_(profile.frame_table->size()) {}

  /// The next stack in order: the frames that the one before does not have, behind the first
  /// `shared` ones.
  void add(const StackSum& stack, std::size_t shared, std::span<const FrameId> new_frames) {
    leave(shared);
    for (const FrameId frame : new_frames) {
      FrameSums& sums = frames_[raw(frame)];
      ++sums.open_count;
      sums.is_seen = true;
      path_.push_back({frame, {}});
    }
    if (!path_.empty()) {
      const Sums numbers{stack.count, stack.value};
      path_.back().sums.add(numbers);
      frames_[raw(path_.back().frame)].self.add(numbers);
    }
  }

  /// The sums of all frames of the table.
  std::vector<FrameSums> finish() {
    leave(0);
    return std::move(frames_);
  }

 private:
  struct Node {
    FrameId frame;
    Sums sums;  // of the node and of all below it that were left
  };

  /// Leaves all nodes of the path but the first `depth`; each hands its sums to its parent.
  void leave(std::size_t depth) {
    while (path_.size() > depth) {
      const Node node = path_.back();
      path_.pop_back();
      FrameSums& sums = frames_[raw(node.frame)];
      if (--sums.open_count == 0) {
        sums.total.add(node.sums);
      }
      if (!path_.empty()) {
        path_.back().sums.add(node.sums);
      }
    }
  }

  std::vector<FrameSums> frames_;
  std::vector<Node> path_;  // of the stack before
};

std::vector<MethodSums> sorted_methods(const std::vector<FrameSums>& frames, const Profile& profile,
                                       std::size_t sample_type, bool by_total) {
  static_cast<void>(profile.sample_types.at(sample_type));
  std::vector<std::uint32_t> order;
  for (std::size_t frame = 0; frame < frames.size(); ++frame) {
    if (frames[frame].is_seen) {
      order.push_back(static_cast<std::uint32_t>(frame));
    }
  }
  const auto number = [&](std::uint32_t frame) {
    return (by_total ? frames[frame].total : frames[frame].self).number(sample_type);
  };
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return number(a) != number(b) ? number(a) > number(b) : a < b;
  });
  std::vector<MethodSums> methods;
  methods.reserve(order.size());
  for (const std::uint32_t frame : order) {
    MethodSums method{FrameId{frame}, {}, {}};
    for (std::size_t type = 0; type < profile.sample_types.size(); ++type) {
      method.self.push_back(frames[frame].self.number(type));
      method.total.push_back(frames[frame].total.number(type));
    }
    methods.push_back(std::move(method));
  }
  return methods;
}

}  // namespace

std::vector<MethodSums> method_sums(const Profile& profile, std::size_t sample_type,
                                    bool by_total) {
  if (profile.stacks.empty()) {
    return {};
  }
  FrameSummer summer(profile);
  internal::walk_stacks(profile, [&](const StackSum& stack, auto frames, std::size_t shared) {
    summer.add(stack, shared, frames.subspan(shared));
  });
  return sorted_methods(summer.finish(), profile, sample_type, by_total);
}

namespace internal {

std::vector<MethodSums> method_sums(const Profile& profile, const StackOrder& order,
                                    std::size_t sample_type) {
  if (profile.stacks.empty()) {
    return {};
  }
  FrameSummer summer(profile);
  order.for_each([&](const StackSum& stack, std::size_t shared, auto new_frames) {
    summer.add(stack, shared, new_frames);
  });
  return sorted_methods(summer.finish(), profile, sample_type, false);
}

}  // namespace internal
}  // namespace jfrtree
