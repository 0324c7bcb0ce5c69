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

/// Numbers of a stack for two neighbouring sample types. Nearly all profiles have two; for others
/// the stacks are walked once for each pair.
struct Sums {
  std::uint64_t first = 0;
  std::uint64_t second = 0;

  void add(const Sums& other) noexcept {
    add_saturated(first, other.first);
    add_saturated(second, other.second);
  }
  /// Of a sample type, by its place in the pair.
  [[nodiscard]] std::uint64_t number(std::size_t place) const noexcept {
    return place == 0 ? first : second;
  }
};

Sums numbers_of(const Profile& profile, const StackSum& stack, std::size_t first_type) {
  if (first_type == 0) {
    return {stack.count, stack.value};
  }
  const bool has_second = first_type + 1 < profile.sample_types.size();
  return {profile.number(stack, first_type),
          has_second ? profile.number(stack, first_type + 1) : 0};
}

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
  void add(const Sums& numbers, std::size_t shared, std::span<const FrameId> new_frames) {
    leave(shared);
    for (const FrameId frame : new_frames) {
      FrameSums& sums = frames_[raw(frame)];
      ++sums.open_count;
      sums.is_seen = true;
      path_.push_back({frame, {}});
    }
    if (!path_.empty()) {
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

/// Sums of all frames for all sample types, a pair of them in each element. `walk(visit)` visits
/// the stacks in order.
template <typename Walk>
std::vector<std::vector<FrameSums>> sum_frames(const Profile& profile, Walk&& walk) {
  std::vector<std::vector<FrameSums>> pairs;
  for (std::size_t type = 0; type < profile.sample_types.size(); type += 2) {
    FrameSummer summer(profile);
    walk([&](const StackSum& stack, std::size_t shared, std::span<const FrameId> new_frames) {
      summer.add(numbers_of(profile, stack, type), shared, new_frames);
    });
    pairs.push_back(summer.finish());
  }
  return pairs;
}

std::vector<MethodSums> sorted_methods(const std::vector<std::vector<FrameSums>>& pairs,
                                       const Profile& profile, std::size_t sample_type,
                                       bool by_total) {
  static_cast<void>(profile.sample_types.at(sample_type));
  std::vector<std::uint32_t> order;
  for (std::size_t frame = 0; frame < pairs.front().size(); ++frame) {
    if (pairs.front()[frame].is_seen) {
      order.push_back(static_cast<std::uint32_t>(frame));
    }
  }
  const std::vector<FrameSums>& deciding = pairs[sample_type / 2];
  const auto number = [&](std::uint32_t frame) {
    return (by_total ? deciding[frame].total : deciding[frame].self).number(sample_type % 2);
  };
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return number(a) != number(b) ? number(a) > number(b) : a < b;
  });
  std::vector<MethodSums> methods;
  methods.reserve(order.size());
  for (const std::uint32_t frame : order) {
    MethodSums method{FrameId{frame}, {}, {}};
    for (std::size_t type = 0; type < profile.sample_types.size(); ++type) {
      method.self.push_back(pairs[type / 2][frame].self.number(type % 2));
      method.total.push_back(pairs[type / 2][frame].total.number(type % 2));
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
  const auto walk = [&profile](auto&& visit) {
    internal::walk_stacks(profile, [&](const StackSum& stack, auto frames, std::size_t shared) {
      visit(stack, shared, frames.subspan(shared));
    });
  };
  return sorted_methods(sum_frames(profile, walk), profile, sample_type, by_total);
}

namespace internal {

std::vector<MethodSums> method_sums(const Profile& profile, const StackOrder& order,
                                    std::size_t sample_type) {
  if (profile.stacks.empty()) {
    return {};
  }
  const auto walk = [&order](auto&& visit) { order.for_each(visit); };
  return sorted_methods(sum_frames(profile, walk), profile, sample_type, false);
}

}  // namespace internal
}  // namespace jfrtree
