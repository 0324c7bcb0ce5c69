#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include <jfrtree/diff.hpp>

#include "profile/common_prefix.hpp"
#include "profile/joint_frames.hpp"

namespace jfrtree {
namespace {

using internal::common_prefix;
using internal::JointFrames;

/// What fits into `StackSum::further`.
constexpr std::uint32_t most_further_row = 0x7FFF'FFFF;

/// A profile of the same kind without any sample.
Profile empty_like(const Profile& profile) {
  Profile empty;
  empty.kind = profile.kind;
  empty.sample_types = profile.sample_types;
  empty.default_sample_type = profile.default_sample_type;
  empty.is_snapshot = profile.is_snapshot;
  empty.has_thread_frame = profile.has_thread_frame;
  if (profile.sample_types.size() > 1) {
    empty.value = 0;
  }
  empty.frame_ids = profile.frame_ids;
  empty.frame_table = profile.frame_table;
  return empty;
}

/// A side on the way to the joint profile: its stacks in order, with their frames by joint ids.
class Side {
 public:
  Side(const Profile& profile, const JointFrames& frames, std::size_t number)
      : profile_(profile), frames_(frames), number_(number) {
    load();
  }

  [[nodiscard]] bool is_done() const noexcept { return index_ == profile_.stacks.size(); }
  [[nodiscard]] const StackSum& stack() const noexcept { return profile_.stacks[index_]; }
  /// The frames of the next stack.
  [[nodiscard]] const std::vector<FrameId>& frames() const noexcept { return current_; }

  void advance() {
    ++index_;
    load();
  }

 private:
  void load() {
    if (is_done()) {
      return;
    }
    const auto frames = profile_.frames(stack());
    current_.resize(frames.size());
    std::transform(frames.begin(), frames.end(), current_.begin(),
                   [this](FrameId frame) { return frames_.joint(number_, frame); });
  }

  const Profile& profile_;
  const JointFrames& frames_;
  std::size_t number_;
  std::size_t index_ = 0;
  std::vector<FrameId> current_;
};

/// Whether stacks come before each other, frame by frame, a prefix first.
std::strong_ordering compare_stacks(const std::vector<FrameId>& one,
                                    const std::vector<FrameId>& other) {
  const std::size_t shared = common_prefix(one, other);
  if (shared == one.size() || shared == other.size()) {
    return one.size() <=> other.size();
  }
  return raw(one[shared]) <=> raw(other[shared]);
}

/// Adds a row of zeros to the further numbers of a profile, if it has any, and returns its place.
std::uint32_t add_further_zeros(Profile& profile) {
  const std::size_t width = profile.sample_types.size() > 2 ? profile.sample_types.size() - 2 : 0;
  if (width == 0) {
    return 0;
  }
  const std::size_t row = profile.further_numbers.size() / width;
  profile.further_numbers.resize(profile.further_numbers.size() + width);
  return static_cast<std::uint32_t>(row);
}

/// The stacks of both sides, each with zeros where it lacks one.
struct JointStacks {
  std::vector<FrameId> frame_ids;
  std::array<std::vector<StackSum>, 2> stacks;
};

JointStacks join_stacks(const Profile& left, const Profile& right, const JointFrames& frames,
                        std::array<std::uint32_t, 2> further_zeros) {
  JointStacks joint;
  Side left_side(left, frames, 0);
  Side right_side(right, frames, 1);
  while (!left_side.is_done() || !right_side.is_done()) {
    std::strong_ordering order = std::strong_ordering::equal;
    if (left_side.is_done() || right_side.is_done()) {
      order = left_side.is_done() ? std::strong_ordering::greater : std::strong_ordering::less;
    } else {
      order = compare_stacks(left_side.frames(), right_side.frames());
    }
    const auto& stack_frames = order > 0 ? right_side.frames() : left_side.frames();
    StackSum absent;
    absent.has_value = (order > 0 ? right_side : left_side).stack().has_value;
    std::array sums{order > 0 ? absent : left_side.stack(),
                    order < 0 ? absent : right_side.stack()};
    for (std::size_t side = 0; side < 2; ++side) {
      if (side == 0 ? order > 0 : order < 0) {
        sums[side].further = further_zeros[side] & most_further_row;
      }
      sums[side].first_frame = joint.frame_ids.size();
      sums[side].frame_count = static_cast<std::uint32_t>(stack_frames.size());
      joint.stacks[side].push_back(sums[side]);
    }
    joint.frame_ids.insert(joint.frame_ids.end(), stack_frames.begin(), stack_frames.end());
    if (order <= 0) {
      left_side.advance();
    }
    if (order >= 0) {
      right_side.advance();
    }
  }
  return joint;
}

/// Leaves both sides the sample types that they have in common.
void unite_sample_types(Profile& left, Profile& right) {
  if (left.stacks.empty() || right.stacks.empty()) {
    Profile& empty = left.stacks.empty() ? left : right;
    const Profile& other = left.stacks.empty() ? right : left;
    empty.sample_types = other.sample_types;
    empty.default_sample_type = other.default_sample_type;
    empty.value = other.sample_types.size() > 1 ? std::optional<std::uint64_t>(0) : std::nullopt;
    return;
  }
  const auto differ =
      std::mismatch(left.sample_types.begin(), left.sample_types.end(), right.sample_types.begin(),
                    right.sample_types.end(), [](const SampleType& a, const SampleType& b) {
                      return a.name == b.name && a.unit == b.unit;
                    });
  // Every profile counts; whatever that is called, counts can be compared.
  auto common = static_cast<std::size_t>(
      std::max<std::ptrdiff_t>(1, differ.first - left.sample_types.begin()));
  const bool is_same = common == left.sample_types.size() && common == right.sample_types.size();
  if (!is_same) {
    common = std::min<std::size_t>(common, 2);  // further numbers are all there or none
  }
  const bool is_same_default = left.default_sample_type == right.default_sample_type;
  for (Profile* side : {&left, &right}) {
    if (side->sample_types.size() > common) {
      side->sample_types.resize(common);
      side->further_numbers.clear();
    }
    if (common == 1) {
      side->value.reset();
      for (StackSum& stack : side->stacks) {
        stack.has_value = false;
        stack.value = 0;
      }
    }
    if (!is_same_default || side->default_sample_type >= side->sample_types.size()) {
      side->default_sample_type = 0;
    }
  }
}

DiffProfile join(Profile left, Profile right, const JointFrames& frames) {
  const bool has_both = !left.stacks.empty() && !right.stacks.empty();
  if (has_both && left.has_thread_frame != right.has_thread_frame) {
    throw UsageError("stacks with thread frames are not compared with stacks without them");
  }
  unite_sample_types(left, right);
  const std::array zeros{add_further_zeros(left), add_further_zeros(right)};
  JointStacks joint = join_stacks(left, right, frames, zeros);
  const auto frame_ids = std::make_shared<const std::vector<FrameId>>(std::move(joint.frame_ids));
  DiffProfile diff{std::move(left), std::move(right)};
  const bool has_threads =
      diff.left.stacks.empty() ? diff.right.has_thread_frame : diff.left.has_thread_frame;
  for (Profile* side : {&diff.left, &diff.right}) {
    side->stacks = std::move(joint.stacks[side == &diff.left ? 0 : 1]);
    side->has_thread_frame = has_threads;
    side->frame_ids = frame_ids;
    side->frame_table = frames.table;
  }
  return diff;
}

/// Kinds of both sets in the order of the table of kinds, others behind.
std::vector<std::string> kinds_of(const ProfileSet& left, const ProfileSet& right) {
  std::vector<std::string> kinds;
  for (const ProfileSet* set : {&left, &right}) {
    for (const Profile& profile : set->profiles) {
      if (std::find(kinds.begin(), kinds.end(), profile.kind) == kinds.end()) {
        kinds.push_back(profile.kind);
      }
    }
  }
  const auto rank = [](const std::string& kind) {
    const auto known = profile_kinds();
    return std::find_if(known.begin(), known.end(),
                        [&](const auto& row) { return row.name == kind; }) -
           known.begin();
  };
  std::stable_sort(kinds.begin(), kinds.end(),
                   [&](const std::string& a, const std::string& b) { return rank(a) < rank(b); });
  return kinds;
}

std::shared_ptr<const FrameTable> table_of(const ProfileSet& set) {
  return set.profiles.empty() ? nullptr : set.profiles.front().frame_table;
}

}  // namespace

DiffProfile join_profiles(const Profile& left, const Profile& right) {
  return join(left, right, internal::join_frames(left.frame_table, right.frame_table));
}

std::vector<DiffProfile> join_profiles(const ProfileSet& left, const ProfileSet& right) {
  // The profiles of a reading share one table of frames, which is joined once.
  const JointFrames frames = internal::join_frames(table_of(left), table_of(right));
  std::vector<DiffProfile> diffs;
  for (const std::string& kind : kinds_of(left, right)) {
    const Profile* const left_profile = left.find(kind);
    const Profile* const right_profile = right.find(kind);
    diffs.push_back(join(left_profile ? *left_profile : empty_like(*right_profile),
                         right_profile ? *right_profile : empty_like(*left_profile), frames));
    diffs.back().span_ns = {left.span_ns, right.span_ns};
  }
  return diffs;
}

}  // namespace jfrtree
